import { readPacts } from '../../contract/read-pacts.ts';
import type { VerificationResult } from '../verification-result.ts';
import type { PactFiles } from '../verify-options.ts';
import { changeRecords } from './deployment-records.ts';
import { pactHash } from './pact-hash.ts';

/** What was verified, and what came of it. */
export interface Verification {
  /** The committed file of deployments and verifications, such as `contracts/deployed.json`. */
  readonly records: string;
  /** The provider's version that was verified. */
  readonly version: string;
  /** The pacts that were verified. */
  readonly pacts: PactFiles;
  readonly result: VerificationResult;
}

/**
 * Writes down which pacts a version of the provider holds, so that {@link canIDeployOffline} knows. A pact passed when each
 * of its interactions was verified and holds, and nothing was wrong with the verification itself.
 *
 * @throws {HrTestingError} `invalid-pact`, `invalid-option`.
 * @example
 * const pacts = { folders: ['contracts/payroll-batch'] };
 * const result = await verifyProvider({ provider, states, token, source: pacts });
 * await recordVerification({ records: 'contracts/deployed.json', version: '1.4.0', pacts, result });
 */
export async function recordVerification({ records: file, version, pacts, result }: Verification): Promise<void> {
  const verified = (await readPacts(pacts)).map((pact) => {
    const passed = pact.interactions.every(({ description }) => {
      const outcomes = result.interactions.filter(
        (outcome) => outcome.consumer === pact.consumer && outcome.description === description,
      );
      return outcomes.length > 0 && outcomes.every(({ ok }) => ok);
    });
    return [pactHash(pact), passed && result.faults.length === 0 ? 'passed' : 'failed'] as const;
  });
  await changeRecords(file, (records) => {
    records.verified[version] = { ...records.verified[version], ...Object.fromEntries(verified) };
  });
}
