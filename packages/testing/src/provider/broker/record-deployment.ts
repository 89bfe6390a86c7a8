import { brokerFailure } from './broker-failure.ts';
import type { BrokerRelease } from './broker-release.ts';
import { runBrokerCommand } from './run-broker-command.ts';

/**
 * Tells the broker that a version is deployed now, instead of the one before.
 *
 * @throws {HrTestingError} `broker-failed`, `missing-package`.
 * @example
 * await recordDeployment({ broker, participant: 'payroll-batch', version: commit, environment: 'production' });
 */
export async function recordDeployment({ broker, participant, version, environment }: BrokerRelease): Promise<void> {
  const { ok, output } = await runBrokerCommand(broker, [
    'record-deployment',
    '--pacticipant',
    participant,
    '--version',
    version,
    '--environment',
    environment,
  ]);
  if (!ok) throw brokerFailure('record the deployment', output);
}
