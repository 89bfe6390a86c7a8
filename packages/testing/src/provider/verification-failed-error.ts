import { HrTestingError } from '../hr-testing-error.ts';
import type { VerificationResult } from './verification-result.ts';

/** The provider does not hold a contract, or the verification proves nothing. The message is the report to read. */
export class VerificationFailedError extends HrTestingError {
  override readonly name = 'VerificationFailedError';
  readonly result: VerificationResult;

  constructor(message: string, result: VerificationResult, options?: ErrorOptions) {
    super('verification-failed', message, options);
    this.result = result;
  }
}
