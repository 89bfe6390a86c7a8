import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { issuesOf } from '@hr/schemas';
import { z } from 'zod';
import { jsonOf } from '../../contract/pact.ts';
import { HrTestingError } from '../../hr-testing-error.ts';

const Hash = z.string().regex(/^[\da-f]{64}$/);

/** The committed file that allows releases without a broker. */
const DeploymentRecords = z.strictObject({
  /** Environment → participant → what is deployed there, with the hashes of a consumer's pacts. */
  deployed: z.record(
    z.string(),
    z.record(z.string(), z.strictObject({ version: z.string(), pacts: z.array(Hash).optional() })),
  ),
  /** Version of the provider → hash of a pact that it passed. */
  verified: z.record(z.string(), z.record(Hash, z.literal('passed'))),
});
export type DeploymentRecords = z.output<typeof DeploymentRecords>;

/** The records of a file; `undefined` when there is no such file. */
export async function readRecords(file: string): Promise<DeploymentRecords | undefined> {
  const refuse = (why: string, cause?: unknown) => {
    return new HrTestingError('invalid-option', `${file} ${why} Restore it from version control.`, { cause });
  };
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw refuse(`cannot be read (${error.code}).`, error);
  });
  if (text === undefined) return undefined;
  const content = jsonOf(text);
  if (content === undefined) throw refuse('is not JSON.');
  const { data, error } = DeploymentRecords.safeParse(content);
  const [issue] = issuesOf(error ?? { issues: [] }, content);
  if (!data)
    throw refuse(`has no deployments and verifications: ${issue?.pointer || 'the document'} ${issue?.detail}.`);
  // Of a key that stands there twice, as after a merge, JSON.parse keeps the last.
  const isWhole = compact(text) === compact(JSON.stringify(data));
  if (!isWhole) throw refuse('has a key twice, or was edited by hand.');
  return data;
}

/** How many characters there are without white space; order makes no difference. */
function compact(text: string): number {
  return text.replaceAll(/\s/g, '').length;
}

/** Changes the records of a file, all or nothing, and creates it if needed. */
export async function changeRecords(file: string, change: (records: DeploymentRecords) => void): Promise<void> {
  const records = (await readRecords(file)) ?? { deployed: {}, verified: {} };
  const before = JSON.stringify(records);
  change(records);
  if (JSON.stringify(records) === before) return;
  const part = `${file}.${process.pid}.part`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(part, `${JSON.stringify(sorted(records), null, 2)}\n`);
    await rename(part, file);
  } catch (error) {
    throw new HrTestingError('invalid-option', `${file} cannot be written. Check its folder.`, { cause: error });
  }
}

/** Sorted, so that equal records are equal files, and branches that add to them seldom conflict. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
