import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { issuesOf } from '@hr/schemas';
import { z } from 'zod';
import { canonical, jsonOf } from '../contract/pact.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import { readPacts } from '../contract/read-pacts.ts';
import { HrTestingError, invalidOption } from '../hr-testing-error.ts';
import type { VerifiedPact } from './verification-result.ts';

const MAX_LOCK_ATTEMPTS = 200;
const LOCK_PAUSE_MS = 50;

/** A version of a participant in an environment. */
export interface Release {
  /** The committed file that records deployments, such as `deployments.json`. */
  readonly records: string;
  /** The name of a consumer, or `hr-cloud`. */
  readonly participant: string;
  readonly version: string;
  readonly environment: string;
  /** The pact files and folders of this version; required for a consumer. */
  readonly pacts?: readonly string[];
}

const Hash = z.string().regex(/^[\da-f]{64}$/);
const Name = z.string().min(1);
/** Without a prototype, so that it has no member such as `constructor`. */
const byName = <Model extends z.ZodType>(model: Model) =>
  z.record(Name, model).transform((record) => Object.assign(Object.create(null) as typeof record, record));

const Records = z.strictObject({
  /** Environment → participant → what is deployed there, with the hashes of a consumer's pacts. */
  deployed: byName(z.record(Name, z.strictObject({ version: Name, pacts: z.array(Hash).optional() }))),
  /** Version of the provider → hash of a pact that it passed. */
  verified: byName(z.record(Hash, z.literal('passed'))),
});
type Records = z.output<typeof Records>;

/**
 * Resolves if a version may be deployed. A provider must have passed the pacts of all deployed consumers. For a
 * consumer, the deployed provider must have passed its pacts. An unverified version may not be deployed.
 *
 * @throws {HrTestingError} `not-deployable` with the missing verifications; `invalid-pact`, `invalid-option`.
 */
export async function canIDeploy(release: Release): Promise<void> {
  const { records: file, participant, version, environment } = release;
  const records = await readRecords(file);
  const { [environment]: there } = records.deployed;
  if (!there && !existsSync(file))
    throw invalidOption(`${file} does not exist. Correct the path, or record a deployment.`);
  if (!there) {
    const known = Object.keys(records.deployed).join(', ') || 'none';
    const remedy = `Correct the name, or record the first deployment there. Known environments: ${known}.`;
    throw invalidOption(`${file} has no environment ${environment}. ${remedy}`);
  }
  const { [PROVIDER_NAME]: provider, ...consumers } = there;
  const isProvider = participant === PROVIDER_NAME;
  const needed = isProvider
    ? Object.entries(consumers).map(([name, { version: theirs, pacts: hashes = [] }]) => {
        return { hashes, whose: `${name} ${theirs}, which is deployed there` };
      })
    : [{ hashes: await hashesOf(release, records), whose: `${participant} ${version}` }];
  const asked = isProvider ? version : provider?.version;
  const missing = needed.flatMap(({ hashes, whose }) => {
    if (asked === undefined) return [`No ${PROVIDER_NAME} is recorded there. Its team has to record its deployment.`];
    const isPassed = hashes.length > 0 && hashes.every((each) => records.verified[asked]?.[each] === 'passed');
    return isPassed ? [] : [`${PROVIDER_NAME} ${asked} has no recorded verification of the pact of ${whose}.`];
  });
  // Without consumers, nothing else would tell that the version exists.
  if (isProvider && needed.length === 0 && Object.keys(records.verified[version] ?? {}).length === 0)
    missing.push(`${PROVIDER_NAME} ${version} has no recorded verification. Verify it, and record the result.`);
  if (missing.length === 0) return;
  const heading = `${participant} ${version} must not be deployed to ${environment}:`;
  throw new HrTestingError('not-deployable', [heading, ...missing].join('\n- '));
}

/**
 * Records that a version is deployed, and replaces the previous version.
 *
 * @throws {HrTestingError} `invalid-pact`, `invalid-option`.
 */
export async function recordDeployment(release: Release): Promise<void> {
  const { records: file, participant, version, environment } = release;
  const pacts = participant === PROVIDER_NAME ? undefined : await hashesOf(release, await readRecords(file));
  await changeRecords(file, ({ deployed }) => {
    deployed[environment] = { ...deployed[environment], [participant]: { version, ...(pacts && { pacts }) } };
  });
}

/** The hashes of a consumer's pacts. */
async function hashesOf({ participant, version, pacts }: Release, { deployed }: Records): Promise<string[]> {
  const environments = Object.values(deployed);
  const names = [...new Set(environments.flatMap((each) => Object.keys(each)))];
  if (!pacts && !names.includes(participant)) {
    const sentence = `The records have no participant ${participant}, only ${names.join(', ') || 'none'}.`;
    throw invalidOption(`${sentence} Correct the name, or name the pacts of a new consumer.`);
  }
  if (!pacts) throw invalidOption(`No pacts of ${participant} are named. Name its folder of pacts.`);
  const all = await readPacts(pacts);
  const others = [...new Set(all.map(({ consumer }) => consumer))].join(', ');
  const hashes = all.flatMap(({ consumer, hash }) => (consumer === participant ? [hash] : [])).toSorted();
  if (hashes.length === 0) throw invalidOption(`These are pacts of ${others}. Name the pacts of ${participant}.`);
  const recorded = environments.flatMap(({ [participant]: each }) => (each?.version === version ? [each.pacts] : []));
  if (recorded.every((each) => each?.join() === hashes.join())) return hashes;
  const sentence = `${participant} ${version} is recorded with other pacts. The pacts of a version never change.`;
  throw invalidOption(`${sentence} Name another version.`);
}

/** Where to record what a version of the provider passes, for `hr-contracts can-i-deploy`. */
export interface VerificationRecord {
  /** The committed file that records deployments, such as `deployments.json`. */
  readonly file: string;
  /** The version of the provider. */
  readonly version: string;
}

/**
 * Records verified pacts by their hashes, if all passed. Otherwise it removes earlier records of those that failed.
 *
 * @throws {HrTestingError} `invalid-option`.
 */
export async function recordVerification(
  { file, version }: VerificationRecord,
  pacts: readonly VerifiedPact[],
): Promise<void> {
  const failed = pacts.filter(({ ok }) => !ok);
  await changeRecords(file, ({ verified }) => {
    if (failed.length > 0) for (const { hash } of failed) delete verified[version]?.[hash];
    else Object.assign((verified[version] ??= {}), ...pacts.map(({ hash }) => ({ [hash]: 'passed' })));
  });
}

async function readRecords(file: string): Promise<Records> {
  const damaged = (why: string, options?: ErrorOptions) =>
    invalidOption(`${file} ${why}. Restore it from version control.`, options);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{"deployed":{},"verified":{}}';
    throw damaged(`cannot be read (${error.code})`, { cause: error });
  });
  const content = jsonOf(text);
  if (content === undefined) throw damaged('is not JSON');
  const { data, error } = Records.safeParse(content);
  const [{ pointer, detail } = { pointer: '', detail: '' }] = issuesOf(error ?? { issues: [] }, content);
  const fault = detail
    .replace('must be record', 'must be an object')
    .replace(/^Invalid key in record.*/, pointer.startsWith('/verified/') ? 'is not a SHA-256 hash' : 'is no name')
    .replace('must be one of passed', 'must be "passed"');
  if (!data) throw damaged(`has no deployments and verifications: ${pointer || 'the document'} ${fault}`);
  // JSON.parse keeps the last of duplicate keys, such as after a merge.
  const [written, read] = [text, JSON.stringify(data)].map((json) => json.replaceAll(/\s/g, '').length);
  if (written !== read) throw damaged('has a key twice, or was edited by hand');
  return data;
}

/** Changes the records of a file atomically, while no other program does. They are sorted, so branches rarely conflict. */
async function changeRecords(file: string, change: (records: Records) => void): Promise<void> {
  const lock = `${file}.lock`;
  const unwritable = (error: unknown): never => {
    throw invalidOption(`${file} cannot be written. Check its folder.`, { cause: error });
  };
  const acquire = async (): Promise<boolean> => {
    const created = writeFile(lock, '', { flag: 'wx' }).then(() => true);
    return created.catch((error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? false : unwritable(error)));
  };
  await mkdir(dirname(file), { recursive: true }).catch(unwritable);
  // oxlint-disable no-await-in-loop -- until the other program has finished
  for (let attempt = 1; !(await acquire()); attempt++) {
    if (attempt === MAX_LOCK_ATTEMPTS)
      throw invalidOption(`${lock} exists, because another program changes ${file}. If none does, delete ${lock}.`);
    await sleep(LOCK_PAUSE_MS);
  }
  // oxlint-enable no-await-in-loop
  try {
    const records = await readRecords(file);
    const before = canonical(records);
    change(records);
    const after = canonical(records);
    if (after === before) return;
    const { data } = Records.safeParse(records);
    if (!data) throw invalidOption('A name or a version is empty. Set it.');
    if (canonical(data) !== after) throw invalidOption('A name or a version is __proto__. Use another.');
    const part = `${file}.part`;
    const text = `${JSON.stringify(JSON.parse(after), null, 2)}\n`;
    await writeFile(part, text)
      .then(() => rename(part, file))
      .catch(unwritable);
  } finally {
    await rm(lock);
  }
}
