import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { issuesOf } from '@hr/schemas';
import { z } from 'zod';
import { canonical, jsonOf } from '../contract/pact.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import { readPacts } from '../contract/read-pacts.ts';
import { HrTestingError } from '../hr-testing-error.ts';
import { askBroker, linkedBy } from './broker.ts';
import type { Broker } from './broker.ts';
import type { VerificationResult } from './verification-result.ts';

/** A version of a participant, and where it is deployed. */
export interface Deployment {
  /** The name of a consumer, or `hr-cloud`. */
  readonly participant: string;
  /** What is deployed, such as the commit or a version number; the same as when it was verified. */
  readonly version: string;
  readonly environment: string;
}

/** A deployment, and where it is recorded: at a broker, or in a committed file such as `deployments.json`. */
export type Release = Deployment &
  (
    | { readonly broker: Broker }
    | {
        readonly records: string;
        /** The pacts of this version, as files and folders; required for a consumer. */
        readonly pacts?: readonly string[];
      }
  );

const Hash = z.string().regex(/^[\da-f]{64}$/);
const Name = z.string().min(1);
const Deployed = z.strictObject({ version: Name, pacts: z.array(Hash).optional() });

const Records = z.strictObject({
  /** Environment → participant → what is deployed there, with the hashes of a consumer's pacts. */
  deployed: z.record(Name, z.record(Name, Deployed)),
  /** Version of the provider → hash of a pact that it passed. */
  verified: z.record(Name, z.record(Hash, z.literal('passed'))),
});
type Records = z.output<typeof Records>;

/**
 * Resolves when a version may be deployed: the provider when it passed the pacts of all consumers that are deployed there,
 * a consumer when the provider that is deployed there passed its pacts. A version that was not verified may not.
 *
 * @throws {HrTestingError} `not-deployable` with what is missing; `invalid-pact`, `invalid-option`, `broker-failed`.
 * @example
 * await canIDeploy({ records: 'deployments.json', participant: 'hr-cloud', version: '1.4.0', environment: 'production' });
 */
export async function canIDeploy(release: Release): Promise<void> {
  if ('broker' in release) return canIDeployByBroker(release);
  const { records: file, participant, version, environment, pacts } = release;
  const records = await readRecords(file);
  const { [environment]: there } = records.deployed;
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
  if (missing.length === 0) return;
  const message = `${participant} ${version} must not be deployed to ${environment}:${missing.join('')}`;
  throw new HrTestingError('not-deployable', message);
}

/**
 * Records that a version is deployed, instead of the one before. Call it when the former version is gone, and commit the file.
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
    (deployed[environment] ??= {})[participant] = { version, ...(hashes && { pacts: hashes }) };
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
  /** The provider's version that was verified. */
  readonly version: string;
  readonly result: VerificationResult;
}

/**
 * Records the pacts that a version of the provider passed, by the hashes of what was verified, for {@link canIDeploy}.
 *
 * @throws {HrTestingError} `verification-failed` unless every pact passed: then it records none, and removes what was
 * recorded of those that failed; `invalid-pact` when a file has changed since; `invalid-option`.
 * @example
 * const result = await verifyProvider({ provider, states, token, source: { pacts: ['contracts'] } });
 * await recordVerification({ records: 'deployments.json', version: '1.4.0', result });
 */
export async function recordVerification({ records: file, version, result }: Verification): Promise<void> {
  const { ok, pacts } = result;
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
  if (!data) throw refuse(`has no deployments and verifications: ${issue?.pointer || 'the document'} ${issue?.detail}`);
  // Of a key that stands there twice, as after a merge, JSON.parse keeps the last.
  const [written, read] = [text, JSON.stringify(data)].map((json) => json.replaceAll(/\s/g, '').length);
  if (written !== read) throw refuse('has a key twice, or was edited by hand');
  return data;
}

/** Changes the records of a file, all or nothing. They are sorted, so branches that add to them seldom conflict. */
async function changeRecords(file: string, change: (records: Records) => void): Promise<void> {
  const records = await readRecords(file);
  const before = canonical(records);
  change(records);
  if (canonical(records) === before) return;
  if (!Records.safeParse(records).success) throw invalid('A name or a version is empty. Set it.');
  const part = `${file}.${process.pid}.part`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(part, `${JSON.stringify(JSON.parse(canonical(records)), null, 2)}\n`);
    await rename(part, file);
  } catch (error) {
    throw invalid(`${file} cannot be written. Check its folder.`, error);
  }
}

function invalid(message: string, cause?: unknown): HrTestingError {
  return new HrTestingError('invalid-option', message, { cause });
}

/** The pacts of consumers, for a broker. */
export interface Publication {
  readonly broker: Broker;
  /** Files, and folders of them. */
  readonly pacts: readonly string[];
  /** The consumers' version, such as the commit. The pacts of a version never change. */
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

/** @throws {HrTestingError} `not-deployable` unless the broker says yes. */
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
