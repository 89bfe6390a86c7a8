import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { issuesOf } from '@hr/schemas';
import { z } from 'zod';
import { HrTestingError } from '../../hr-testing-error.ts';

const Hash = z.string().regex(/^[\da-f]{64}$/);

/** The committed file by which releases are allowed where there is no broker. */
const DeploymentRecords = z.strictObject({
  /** Environment → participant → what is deployed there, with the hashes of a consumer's pacts. */
  deployed: z.record(
    z.string(),
    z.record(z.string(), z.strictObject({ version: z.string(), pacts: z.array(Hash).optional() })),
  ),
  /** Version of the provider → hash of a pact → whether the provider held it. */
  verified: z.record(z.string(), z.record(Hash, z.enum(['passed', 'failed']))),
});
export type DeploymentRecords = z.output<typeof DeploymentRecords>;

/** The records of a file; `undefined` where there is no such file. */
export async function readRecords(file: string): Promise<DeploymentRecords | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new HrTestingError('invalid-option', `${file} cannot be read.`, { cause: error });
  });
  if (text === undefined) return undefined;
  const content = parsed(text);
  const { data, error } = DeploymentRecords.safeParse(content);
  if (data) return data;
  const [issue] = issuesOf(error ?? { issues: [] }, content);
  const sentence = `is not a file of deployments: ${issue?.pointer ?? ''} ${issue?.detail}.`;
  throw new HrTestingError('invalid-option', `${file} ${sentence} Restore it from your version control.`);
}

/** Changes the records of a file, all or nothing, and makes it where there is none. */
export async function changeRecords(file: string, change: (records: DeploymentRecords) => void): Promise<void> {
  const records = (await readRecords(file)) ?? { deployed: {}, verified: {} };
  change(records);
  const part = `${file}.${process.pid}.part`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(part, `${JSON.stringify(sorted(records), null, 2)}\n`);
  await rename(part, file);
}

/** Sorted, so that equal records are equal files, and two branches that add to it seldom conflict. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
