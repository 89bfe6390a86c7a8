/**
 * Why the testing kit cannot do what it was asked.
 *
 * - `invalid-option`: an option is missing or wrong; the message names it
 * - `missing-package`: an optional package that this needs is not installed; the message names it
 * - `verification-failed`: the provider, or the verification itself, does not hold what contracts say
 */
export type HrTestingErrorCode = 'invalid-option' | 'missing-package' | 'verification-failed';

/** Something the testing kit cannot do, or that does not hold. The message names the place and the remedy. */
export class HrTestingError extends Error {
  override readonly name: string = 'HrTestingError';
  /** Tells the cases apart. */
  readonly code: HrTestingErrorCode;

  constructor(code: HrTestingErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
