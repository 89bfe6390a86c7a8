import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Address, BankDetails, type Person } from '@hr/schemas';
import type { z } from 'zod';
import type { Cloud } from './cloud.ts';
import type { Row } from '../model/lists.ts';

/** What level 2 changes of a person. */
export type Kept = Pick<Person, 'id' | 'address' | 'bankDetails'>;

/** Keeps in a file what a person had before the first write, until it is restored. */
export class Journal {
  readonly path: string;

  constructor({ baseUrl, folder = process.cwd() }: { baseUrl: string; folder?: string | undefined }) {
    this.path = join(folder, `.hr-conform-${baseUrl.replace(/^https?:\/\//, '').replaceAll(/[^\w.-]+/g, '_')}.json`);
  }

  async keep(person: Kept): Promise<void> {
    await writeFile(this.path, JSON.stringify(person), { mode: 0o600, flag: 'wx', flush: true });
  }

  /** What a run that did not end has kept. */
  async read(): Promise<Kept | undefined> {
    const text = await readFile(this.path, 'utf8').catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as Kept);
  }

  /** Restores the person, also after an interruption, and deletes the file. Returns why it could not. */
  async restore(cloud: Cloud, { id, address, bankDetails = {} }: Kept): Promise<string | undefined> {
    const restored = cloud.send({
      operation: 'updatePerson',
      method: 'PATCH',
      path: '/api/v1/persons/{id}',
      parameters: { id: { value: id, from: 'the permitted person' } },
      body: { addresses: address ? [address] : [], bankDetails },
      isPrivate: true,
      always: true,
    });
    const { status, got } = await restored.catch(() => ({ status: 0, got: 'no token' }));
    if (status !== 200)
      return `The person is not restored: ${got}. ${this.path} has the address and bank details. Run the command again.`;
    await rm(this.path);
    return undefined;
  }
}

/** The part of a person to keep, without fields that a request cannot have. */
export function keptOf(person: Row): Kept {
  const [address, bankDetails] = [pick(Address, person['address']), pick(BankDetails, person['bankDetails'])];
  return { id: String(person['id']), ...(address && { address }), ...(bankDetails && { bankDetails }) };
}

function pick(model: z.ZodObject, value: unknown): object | undefined {
  const fields = Object.entries((value ?? {}) as Row).filter(
    ([name, field]) => Object.hasOwn(model.shape, name) && field !== null,
  );
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}
