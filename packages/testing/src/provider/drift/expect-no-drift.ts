import { HrTestingError } from '../../hr-testing-error.ts';
import { checkDrift } from './check-drift.ts';
import type { DriftOptions } from './check-drift.ts';
import { driftText } from './drift-text.ts';
import type { DriftReport } from './drift.ts';

/**
 * {@link checkDrift} for a test: throws what is wrong, to read.
 *
 * @throws {HrTestingError} `drift` when there is a fault; `invalid-pact`, `missing-package`.
 * @example
 * test('our contracts are what the API says', () => expectNoDrift({ pacts: { folders: ['pacts'] } }));
 */
export async function expectNoDrift(options: DriftOptions): Promise<DriftReport> {
  const report = await checkDrift(options);
  const count = report.faults.length;
  if (count === 0) return report;
  const sentence = `${count} place${count === 1 ? '' : 's'} where contracts are not what the API says:`;
  throw new HrTestingError('drift', `${sentence}\n${driftText(report.faults)}`);
}
