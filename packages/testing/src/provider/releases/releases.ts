import { PROVIDER_NAME } from '../../contract/provider-name.ts';
import { readPacts } from '../../contract/read-pacts.ts';
import { HrTestingError } from '../../hr-testing-error.ts';
import type { Broker } from '../broker/broker.ts';
import { canIDeployByBroker, recordDeploymentAtBroker } from '../broker/broker-releases.ts';
import type { VerificationResult } from '../verification-result.ts';
import { changeRecords, readRecords } from './deployment-records.ts';
import type { DeploymentRecords } from './deployment-records.ts';

/** Where deployments and verifications are recorded: a broker, or a committed file such as `deployments.json`. */
export type Recorder = { readonly broker: Broker } | { readonly records: string };

/** A version of a participant, and where it is deployed. */
export type Release = Recorder & {
  /** The name of a consumer, or `hr-cloud`. */
  readonly participant: string;
  /** What is deployed, such as the commit or a version number; the same as when it was verified. */
  readonly version: string;
  readonly environment: string;
  /** The pacts of this version, as files and folders; required for a consumer without a broker. */
  readonly pacts?: readonly string[];
};

type RecordedRelease = Extract<Release, { readonly records: string }>;

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
  const { records: file, participant, version, environment } = release;
  const records = await readRecords(file);
  const there = records?.deployed[environment];
  if (!records || !there) {
    const known = Object.keys(records?.deployed ?? {}).join(', ') || 'none';
    const remedy = `Correct the name, or record the first deployment there. Known environments: ${known}.`;
    throw new HrTestingError('invalid-option', `${file} has no environment ${environment}. ${remedy}`);
  }
  const missing =
    participant === PROVIDER_NAME
      ? Object.entries(there).flatMap(([consumer, { version: theirs, pacts = [] }]) =>
          consumer === PROVIDER_NAME
            ? []
            : missingOf(records, version, pacts, `${consumer} ${theirs}, which is deployed there`),
        )
      : missingOf(
          records,
          there[PROVIDER_NAME]?.version,
          await hashesOf(release, records),
          `${participant} ${version}`,
        );
  if (missing.length === 0) return;
  const list = missing.map((sentence) => `\n- ${sentence}`).join('');
  throw new HrTestingError(
    'not-deployable',
    `${participant} ${version} must not be deployed to ${environment}:${list}`,
  );
}

function missingOf(
  { verified }: DeploymentRecords,
  version: string | undefined,
  pacts: readonly string[],
  whose: string,
): string[] {
  if (version === undefined) return [`No ${PROVIDER_NAME} is recorded there. Its team has to record its deployment.`];
  if (pacts.length > 0 && pacts.every((pact) => verified[version]?.[pact] === 'passed')) return [];
  return [`${PROVIDER_NAME} ${version} has no recorded verification of the pact of ${whose}.`];
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
  const { records: file, participant, version, environment } = release;
  const known = (await readRecords(file)) ?? { deployed: {}, verified: {} };
  const deployed = participant === PROVIDER_NAME ? { version } : { version, pacts: await hashesOf(release, known) };
  await changeRecords(file, (records) => {
    (records.deployed[environment] ??= {})[participant] = deployed;
  });
}

/** The hashes of a consumer's pacts. */
async function hashesOf({ participant, version, pacts, records: file }: RecordedRelease, records: DeploymentRecords) {
  const known = Object.values(records.deployed);
  const names = [...new Set(known.flatMap((participants) => Object.keys(participants)))];
  if (!pacts && !names.includes(participant)) {
    const sentence = `${file} has no participant ${participant}; it has ${names.join(', ') || 'none'}.`;
    const remedy = 'Correct the name, or name the pacts of a new consumer.';
    throw new HrTestingError('invalid-option', `${sentence} ${remedy}`);
  }
  if (!pacts)
    throw new HrTestingError('invalid-option', `No pacts of ${participant} are named. Name its folder of pacts.`);
  const all = await readPacts(pacts);
  const hashes = all
    .filter(({ consumer }) => consumer === participant)
    .map(({ hash }) => hash)
    .toSorted();
  if (hashes.length === 0) {
    const others = [...new Set(all.map(({ consumer }) => consumer))].join(', ');
    throw new HrTestingError('invalid-pact', `These are pacts of ${others}. Name the pacts of ${participant}.`);
  }
  const isOther = known.some(
    ({ [participant]: recorded }) => recorded?.version === version && recorded.pacts?.join() !== hashes.join(),
  );
  if (!isOther) return hashes;
  const sentence = `${participant} ${version} is recorded with other pacts. The pacts of a version never change.`;
  throw new HrTestingError('invalid-option', `${sentence} Name another version.`);
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
export async function recordVerification({
  records: file,
  version,
  result: { ok, pacts },
}: Verification): Promise<void> {
  const isPassed = ok && pacts.length > 0 && pacts.every((each) => each.ok);
  const files = pacts.flatMap(({ pact }) => (/^https?:/.test(pact) ? [] : [pact]));
  const now = isPassed && files.length > 0 ? await readPacts(files) : [];
  const changed = now.find(({ source, hash }) => pacts.some((each) => each.pact === source && each.hash !== hash));
  if (changed)
    throw new HrTestingError('invalid-pact', `${changed.source} changed after it was verified. Verify it again.`);
  await changeRecords(file, ({ verified }) => {
    if (isPassed) Object.assign((verified[version] ??= {}), ...pacts.map(({ hash }) => ({ [hash]: 'passed' })));
    for (const { hash } of pacts.filter((each) => !each.ok)) delete verified[version]?.[hash];
  });
  if (isPassed) return;
  const remedy = 'Nothing is recorded. Correct what the report names, and verify again.';
  throw new HrTestingError('verification-failed', `The verification of hr-cloud ${version} failed. ${remedy}`);
}
