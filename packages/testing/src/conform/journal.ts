import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Address, BankDetails, type Person } from '@hr/schemas';
import type { z } from 'zod';
import { jsonOf } from '../contract/pact.ts';
import { invalidOption } from '../hr-testing-error.ts';
import { rowOf, type Row } from '../model/lists.ts';
import type { Cloud } from './cloud.ts';

/** What level 2 changes of a person. */
export type Kept = Pick<Person, 'id' | 'address' | 'bankDetails'>;

/** Keeps in a file what a person had before the first write, until it is restored. */
export class Journal {
  readonly path: string;

  constructor({ baseUrl, folder = process.cwd() }: { baseUrl: string; folder?: string | undefined }) {
    this.path = join(folder, `.hr-conform-${baseUrl.replace(/^https?:\/\//, '').replaceAll(/[^\w.-]+/g, '_')}.json`);
  }

  async keep(person: Kept): Promise<void> {
    const file = { mode: 0o600, flag: 'wx', flush: true } as const;
    await writeFile(this.path, JSON.stringify(person), file).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      const message = `${this.path} cannot be written (${code}). It keeps what to restore. Wait for another run, or use a writable folder.`;
      throw invalidOption(message, { cause: error });
    });
  }

  /** What a run that did not end has kept. A file that is not complete is from before the first write. */
  async read(): Promise<Kept | undefined> {
    const kept = jsonOf(await readFile(this.path, 'utf8').catch(() => '')) as Kept | undefined;
    if (!kept) await rm(this.path, { force: true });
    return kept;
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
    if (status < 200 || status > 299)
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
  const fields = Object.entries(rowOf(value) ?? {}).filter(
    ([name, field]) => Object.hasOwn(model.shape, name) && field !== null,
  );
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}
