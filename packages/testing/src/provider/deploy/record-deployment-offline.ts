import { PROVIDER_NAME } from '../../contract/provider-name.ts';
import { changeRecords } from './deployment-records.ts';
import { hashesOf } from './hashes-of.ts';
import type { OfflineRelease } from './release.ts';

/**
 * Writes down that a version is deployed now, instead of the one before. Call it once the former version is gone, and commit the file.
 *
 * @throws {HrTestingError} `invalid-pact`, `invalid-option`.
 * @example
 * await recordDeploymentOffline({ records: 'contracts/deployed.json', participant: 'payroll-batch', version: '2.1.0',
 *   environment: 'production', pacts: { folders: ['pacts'] } });
 */
export async function recordDeploymentOffline(release: OfflineRelease): Promise<void> {
  const { records: file, participant, version, environment } = release;
  const deployed =
    participant === PROVIDER_NAME ? { version } : { version, pacts: await hashesOf(participant, release.pacts) };
  await changeRecords(file, (records) => {
    (records.deployed[environment] ??= {})[participant] = deployed;
  });
}
