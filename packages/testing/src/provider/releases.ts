import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { issuesOf } from '@hr/schemas';
import { z } from 'zod';
import { canonical, jsonOf } from '../contract/pact.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import { readPacts } from '../contract/read-pacts.ts';
import { HrTestingError } from '../hr-testing-error.ts';
import { askBroker, linkedBy, type Broker } from './broker.ts';
import type { VerificationResult } from './verification-result.ts';

/** A version of a participant, and its environment. */
export interface Deployment {
  /** The name of a consumer, or `hr-cloud`. */
  readonly participant: string;
  /** The deployed version, such as the commit or a version number. Use the same value for the verification. */
  readonly version: string;
  readonly environment: string;
}

/** A deployment, with its broker or the committed file that records it, such as `deployments.json`. */
export type Release = Deployment &
  (
    | { readonly broker: Broker }
    | {
        readonly records: string;
        /** The pact files and folders of this version; required for a consumer. */
        readonly pacts?: readonly string[];
      }
  );

const Hash = z.string().regex(/^[\da-f]{64}$/);
const Name = z.string().min(1);
/** Without a prototype, so that it has no member such as `constructor`. */
const byName = <Model extends z.ZodType>(model: Model) =>
  z.record(Name, model).transform((record) => Object.assign(Object.create(null) as typeof record, record));
const Deployed = z.strictObject({ version: Name, pacts: z.array(Hash).optional() });

const Records = z.strictObject({
  /** Environment → participant → what is deployed there, with the hashes of a consumer's pacts. */
  deployed: byName(z.record(Name, Deployed)),
  /** Version of the provider → hash of a pact that it passed. */
  verified: byName(z.record(Hash, z.literal('passed'))),
});
type Records = z.output<typeof Records>;

/**
 * Resolves if a version may be deployed. A provider must have passed the pacts of all deployed consumers. For a
 * consumer, the deployed provider must have passed its pacts. An unverified version may not be deployed.
 *
 * @throws {HrTestingError} `not-deployable` with the missing verifications; `invalid-pact`, `invalid-option`,
 * `broker-failed`.
 * @example
 * await canIDeploy({ records: 'deployments.json', participant: 'hr-cloud', version: '1.4.0', environment: 'production' });
 */
export async function canIDeploy(release: Release): Promise<void> {
  if ('broker' in release) return canIDeployByBroker(release);
  const { records: file, participant, version, environment, pacts } = release;
  const records = await readRecords(file);
  const { [environment]: there } = records.deployed;
  if (!there && !existsSync(file)) throw invalid(`${file} does not exist. Correct the path, or record a deployment.`);
  if (!there) {
    const known = Object.keys(records.deployed).join(', ') || 'none';
    const remedy = `Correct the name, or record the first deployment there. Known environments: ${known}.`;
    throw invalid(`${file} has no environment ${environment}. ${remedy}`);
  }
  const { [PROVIDER_NAME]: provider, ...consumers } = there;
  const isProvider = participant === PROVIDER_NAME;
  const needed = isProvider
    ? Object.entries(consumers).map(([name, { version: theirs, pacts: hashes = [] }]) => {
        return { hashes, whose: `${name} ${theirs}, which is deployed there` };
      })
    : [{ hashes: await hashesOf(release, records, pacts), whose: `${participant} ${version}` }];
  const asked = isProvider ? version : provider?.version;
  const missing = needed.flatMap(({ hashes, whose }) => {
    if (asked === undefined)
      return [`\n- No ${PROVIDER_NAME} is recorded there. Its team has to record its deployment.`];
    const isPassed = hashes.length > 0 && hashes.every((each) => records.verified[asked]?.[each] === 'passed');
    return isPassed ? [] : [`\n- ${PROVIDER_NAME} ${asked} has no recorded verification of the pact of ${whose}.`];
  });
  // Without consumers, nothing else would tell that the version exists.
  if (isProvider && needed.length === 0 && Object.keys(records.verified[version] ?? {}).length === 0)
    missing.push(`\n- ${PROVIDER_NAME} ${version} has no recorded verification. Verify it, and record the result.`);
  if (missing.length === 0) return;
  const message = `${participant} ${version} must not be deployed to ${environment}:${missing.join('')}`;
  throw new HrTestingError('not-deployable', message);
}

/**
 * Records that a version is deployed, and replaces the previous version. Call it after the previous version has
 * stopped, and commit the file.
 *
 * @throws {HrTestingError} `invalid-pact`, `invalid-option`, `broker-failed`.
 * @example
 * await recordDeployment({ records: 'deployments.json', participant: 'payroll-batch', version: '2.1.0',
 *   environment: 'production', pacts: ['pacts'] });
 */
export async function recordDeployment(release: Release): Promise<void> {
  if ('broker' in release) return recordDeploymentAtBroker(release);
  const { records: file, participant, version, environment, pacts } = release;
  const hashes = participant === PROVIDER_NAME ? undefined : await hashesOf(release, await readRecords(file), pacts);
  await changeRecords(file, ({ deployed }) => {
    const own = { version, ...(hashes && { pacts: hashes }) };
    deployed[environment] = { ...deployed[environment], [participant]: own };
  });
}

/** The hashes of a consumer's pacts. */
async function hashesOf({ participant, version }: Deployment, { deployed }: Records, pacts?: readonly string[]) {
  const environments = Object.values(deployed);
  const names = [...new Set(environments.flatMap((each) => Object.keys(each)))];
  if (!pacts && !names.includes(participant)) {
    const sentence = `The records have no participant ${participant}, only ${names.join(', ') || 'none'}.`;
    throw invalid(`${sentence} Correct the name, or name the pacts of a new consumer.`);
  }
  if (!pacts) throw invalid(`No pacts of ${participant} are named. Name its folder of pacts.`);
  const all = await readPacts(pacts);
  const own = all.filter(({ consumer }) => consumer === participant);
  const others = [...new Set(all.map(({ consumer }) => consumer))].join(', ');
  if (own.length === 0) throw invalid(`These are pacts of ${others}. Name the pacts of ${participant}.`);
  const hashes = own.map(({ hash }) => hash).toSorted();
  const recorded = environments.flatMap(({ [participant]: each }) => (each?.version === version ? [each.pacts] : []));
  if (recorded.every((each) => each?.join() === hashes.join())) return hashes;
  const sentence = `${participant} ${version} is recorded with other pacts. The pacts of a version never change.`;
  throw invalid(`${sentence} Name another version.`);
}

/** A verification of a version of the provider. */
export interface Verification {
  /** The committed file, such as `deployments.json`. */
  readonly records: string;
  /** The verified version of the provider. */
  readonly version: string;
  readonly result: VerificationResult;
}

/**
 * Records the pacts that a version of the provider passed, by their hashes, for {@link canIDeploy}.
 *
 * @throws {HrTestingError} `verification-failed` unless every pact passed: it then records none, and removes earlier
 * records of the failed ones; `invalid-pact` if a file has changed since the verification; `invalid-option`.
 * @example
 * const result = await verifyProvider({ provider, states, token, source: { pacts: ['contracts'] } });
 * await recordVerification({ records: 'deployments.json', version: '1.4.0', result });
 */
export async function recordVerification({ records: file, version, result }: Verification): Promise<void> {
  const { ok, pacts } = (result as VerificationResult | undefined) ?? {};
  if (!pacts) throw invalid('recordVerification: "result" is missing. Pass what verifyProvider returns.');
  const isPassed = ok && pacts.length > 0 && pacts.every((each) => each.ok);
  const files = pacts.flatMap(({ pact }) => (/^https?:/.test(pact) ? [] : [pact]));
  for (const { source, hash } of isPassed && files.length > 0 ? await readPacts(files) : [])
    if (pacts.some((each) => each.pact === source && each.hash !== hash))
      throw new HrTestingError('invalid-pact', `${source} changed after it was verified. Verify it again.`);
  await changeRecords(file, ({ verified }) => {
    if (isPassed) Object.assign((verified[version] ??= {}), ...pacts.map(({ hash }) => ({ [hash]: 'passed' })));
    for (const { hash } of pacts.filter((each) => !each.ok)) delete verified[version]?.[hash];
  });
  if (isPassed) return;
  const remedy = 'Nothing is recorded. Correct what the report names, and verify again.';
  throw new HrTestingError('verification-failed', `The verification of hr-cloud ${version} failed. ${remedy}`);
}

async function readRecords(file: string): Promise<Records> {
  const refuse = (why: string, cause?: unknown) => invalid(`${file} ${why}. Restore it from version control.`, cause);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{"deployed":{},"verified":{}}';
    throw refuse(`cannot be read (${error.code})`, error);
  });
  const content = jsonOf(text);
  if (content === undefined) throw refuse('is not JSON');
  const { data, error } = Records.safeParse(content);
  const [issue] = issuesOf(error ?? { issues: [] }, content);
  const fault = issue?.detail
    .replace('must be record', 'must be an object')
    .replace(
      /^Invalid key in record.*/,
      issue.pointer.startsWith('/verified/') ? 'is not a SHA-256 hash' : 'is no name',
    )
    .replace('must be one of passed', 'must be "passed"');
  if (!data) throw refuse(`has no deployments and verifications: ${issue?.pointer || 'the document'} ${fault}`);
  // JSON.parse keeps the last of duplicate keys, such as after a merge.
  const [written, read] = [text, JSON.stringify(data)].map((json) => json.replaceAll(/\s/g, '').length);
  if (written !== read) throw refuse('has a key twice, or was edited by hand');
  return data;
}

/** Changes the records of a file atomically. They are sorted, so that branches rarely conflict. */
async function changeRecords(file: string, change: (records: Records) => void): Promise<void> {
  const lock = `${file}.lock`;
  await acquire(lock, file);
  try {
    const records = await readRecords(file);
    const before = canonical(records);
    change(records);
    const after = canonical(records);
    if (after === before) return;
    const { data } = Records.safeParse(records);
    if (!data) throw invalid('A name or a version is empty. Set it.');
    if (canonical(data) !== after) throw invalid('A name or a version is __proto__. Use another.');
    const part = `${file}.part`;
    await writeFile(part, `${JSON.stringify(JSON.parse(after), null, 2)}\n`)
      .then(() => rename(part, file))
      .catch(unwritable(file));
  } finally {
    await rm(lock);
  }
}

const LOCK_ATTEMPTS = 200;
const LOCK_PAUSE_MS = 50;

/** Creates a lock file, once no other program has it. */
async function acquire(lock: string, file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true }).catch(unwritable(file));
  for (let attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- until it succeeds
      return await writeFile(lock, '', { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') unwritable(file)(error);
    }
    // oxlint-disable-next-line no-await-in-loop
    await sleep(LOCK_PAUSE_MS);
  }
  throw invalid(`${lock} exists, because another program changes ${file}. If none does, delete ${lock}.`);
}

function unwritable(file: string) {
  return (error: unknown): never => {
    throw invalid(`${file} cannot be written. Check its folder.`, error);
  };
}

function invalid(message: string, cause?: unknown): HrTestingError {
  return new HrTestingError('invalid-option', message, { cause });
}

/** Pacts of consumers, to publish to a broker. */
export interface Publication {
  readonly broker: Broker;
  /** Files, and folders of them. */
  readonly pacts: readonly string[];
  /** The version of the consumers, such as the commit. The pacts of a version cannot change. */
  readonly version: string;
  /** The branch that the version is built from. */
  readonly branch: string;
}

type BrokerRelease = Extract<Release, { readonly broker: Broker }>;

const Participant = z
  .looseObject({ name: z.string(), version: z.looseObject({ number: z.string().nullish() }).nullish() })
  .transform(({ name, version }) => (version?.number ? `${name} ${version.number}` : name));

const Matrix = z.looseObject({
  summary: z.looseObject({ deployable: z.boolean().nullable(), reason: z.string() }),
  matrix: z.array(
    z.looseObject({
      consumer: Participant,
      provider: Participant,
      verificationResult: z.looseObject({ success: z.boolean().nullish() }).nullish(),
    }),
  ),
});

/**
 * Publishes pacts to a broker.
 *
 * @throws {HrTestingError} `broker-failed`, `invalid-pact`.
 * @example
 * await publishPacts({ broker, pacts: ['pacts'], version: commit, branch: 'main' });
 */
export async function publishPacts({ broker, pacts, version, branch }: Publication): Promise<void> {
  const all = await readPacts(pacts);
  const { data: url } = await askBroker(broker, broker.url, { model: linkedBy('pb:publish-contracts') });
  for (const [consumer, own = []] of Object.entries(Object.groupBy(all, (pact) => pact.consumer))) {
    const contracts = own.map(({ text }) => ({
      consumerName: consumer,
      providerName: PROVIDER_NAME,
      specification: 'pact',
      contentType: 'application/json',
      content: Buffer.from(text).toString('base64'),
    }));
    const body = { pacticipantName: consumer, pacticipantVersionNumber: version, branch, contracts };
    // oxlint-disable-next-line no-await-in-loop -- in order, so that an error names the first that fails
    await askBroker(broker, url, { model: z.object(), method: 'POST', body });
  }
}

/** @throws {HrTestingError} `not-deployable` unless the broker allows the deployment. */
async function canIDeployByBroker({ broker, participant, version, environment }: BrokerRelease): Promise<void> {
  const query = new URLSearchParams({
    'q[][pacticipant]': participant,
    'q[][version]': version,
    latestby: 'cvpv',
    environment,
  }).toString();
  const { data } = await askBroker(broker, `${broker.url}/matrix?${query}`, { model: Matrix });
  const { summary, matrix } = data;
  if (summary.deployable === true) return;
  const rows = matrix.map(({ consumer, provider, verificationResult }) => {
    const outcome = { true: 'passed', false: 'failed', undefined: 'was not verified with' };
    return `\n- ${provider} ${outcome[`${verificationResult?.success ?? undefined}`]} the pact of ${consumer}.`;
  });
  const message = `${participant} ${version} must not be deployed to ${environment}: ${summary.reason}`;
  throw new HrTestingError('not-deployable', message + rows.join(''));
}

const Version = z
  .looseObject({
    _links: z.looseObject({ 'pb:record-deployment': z.array(z.looseObject({ name: z.string(), href: z.url() })) }),
  })
  .transform(({ _links: links }) => links['pb:record-deployment']);

async function recordDeploymentAtBroker(release: BrokerRelease): Promise<void> {
  const { broker, participant, version, environment } = release;
  const model = linkedBy('pb:pacticipant-version', { pacticipant: participant, version });
  const { data: url } = await askBroker(broker, broker.url, { model });
  const { data: environments } = await askBroker(broker, url, { model: Version });
  const found = environments.find(({ name }) => name === environment);
  const known = environments.map(({ name }) => name).join(', ') || 'none';
  if (!found)
    throw new HrTestingError('broker-failed', `The broker has no environment ${environment}. Use one of: ${known}.`);
  await askBroker(broker, found.href, { model: z.object(), method: 'POST', body: {} });
}
