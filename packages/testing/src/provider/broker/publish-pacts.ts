import { readPacts } from '../../contract/read-pacts.ts';
import type { PactFiles } from '../verify-options.ts';
import type { Broker } from './broker-from-environment.ts';
import { brokerFailure } from './broker-failure.ts';
import { runBrokerCommand } from './run-broker-command.ts';

/** A consumer's contracts, for a broker. */
export interface Publication {
  readonly broker: Broker;
  readonly pacts: PactFiles;
  /** The consumer's version, such as its commit; contracts of one version never change. */
  readonly version: string;
  /** The branch it is built from; what the broker calls the main branch has to be verified. */
  readonly branch: string;
}

/**
 * Publishes contracts.
 *
 * @throws {HrTestingError} `broker-failed`, `invalid-pact`, `missing-package`.
 * @example
 * await publishPacts({ broker, pacts: { folders: ['pacts'] }, version: commit, branch: 'main' });
 */
export async function publishPacts({ broker, pacts, version, branch }: Publication): Promise<void> {
  const files = (await readPacts(pacts)).map(({ file }) => file);
  const { ok, output } = await runBrokerCommand(broker, [
    'publish',
    '--consumer-app-version',
    version,
    '--branch',
    branch,
    ...files,
  ]);
  if (!ok) throw brokerFailure('publish the contracts', output);
}
