import { HrTestingError } from '../../hr-testing-error.ts';
import { PROVIDER_NAME } from '../../contract/provider-name.ts';
import { readRecords } from './deployment-records.ts';
import type { DeploymentRecords } from './deployment-records.ts';
import { hashesOf } from './hashes-of.ts';
import type { OfflineRelease } from './release.ts';

/**
 * Resolves when a version may be deployed: the provider when it holds each pact of the consumers that are deployed there,
 * a consumer when the provider that is deployed there holds its pacts. A version that was not verified may not.
 *
 * @throws {HrTestingError} `not-deployable` with what is missing; `invalid-pact`, `invalid-option`.
 * @example
 * await canIDeployOffline({ records: 'contracts/deployed.json', participant: 'hr-cloud', version: '1.4.0', environment: 'production' });
 */
export async function canIDeployOffline(release: OfflineRelease): Promise<void> {
  const { records: file, participant, version, environment } = release;
  const records = await readRecords(file);
  const there = records?.deployed[environment];
  if (!records || !there) {
    const known = Object.keys(records?.deployed ?? {}).join(', ') || 'none';
    const remedy = `Environments with something deployed: ${known}. Where nothing is deployed yet, deploy first and record it.`;
    throw new HrTestingError('invalid-option', `${file} knows no environment ${environment}. ${remedy}`);
  }
  const missing =
    participant === PROVIDER_NAME
      ? Object.entries(there).flatMap(([consumer, { version: theirs, pacts = [] }]) =>
          consumer === PROVIDER_NAME
            ? []
            : notHeld(records, version, pacts, `${consumer} ${theirs}, which is deployed there`),
        )
      : missingOfConsumer(records, there[PROVIDER_NAME]?.version, await hashesOf(participant, release.pacts), release);
  if (missing.length === 0) return;
  const list = missing.map((sentence) => `\n- ${sentence}`).join('');
  throw new HrTestingError(
    'not-deployable',
    `${participant} ${version} must not be deployed to ${environment}:${list}`,
  );
}

function missingOfConsumer(
  records: DeploymentRecords,
  deployed: string | undefined,
  pacts: readonly string[],
  { participant, version, environment }: OfflineRelease,
): string[] {
  if (deployed !== undefined) return notHeld(records, deployed, pacts, `${participant} ${version}`);
  return [`No ${PROVIDER_NAME} is recorded as deployed to ${environment}; its team has to record it.`];
}

/** What a version of the provider lacks to go with the pacts of somebody. */
function notHeld(records: DeploymentRecords, version: string, pacts: readonly string[], whose: string): string[] {
  const outcomes = pacts.map((pact) => records.verified[version]?.[pact]);
  if (outcomes.includes('failed')) return [`${PROVIDER_NAME} ${version} does not hold the pact of ${whose}.`];
  if (outcomes.length === 0 || outcomes.includes(undefined))
    return [`${PROVIDER_NAME} ${version} was not verified with the pact of ${whose}.`];
  return [];
}
