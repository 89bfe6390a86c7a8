/**
 * Why the testing kit cannot do what it was asked.
 *
 * - `invalid-option`: an option is missing or wrong; the message names it
 * - `missing-package`: an optional package that this needs is not installed; the message names it
 * - `mock-failed`: Pact's mock server does not start
 * - `contract-unmet`: the consumer's code did not send what its contract says; the message lists what differs
 * - `requests-missing`: requests that a test waits for did not come; the message says how many did
 * - `invalid-pact`: a file is no pact, or the pact of another provider; the message names it
 * - `drift`: pacts do not agree with the API; the message lists where
 * - `broker-failed`: the broker cannot be reached, refuses the token, or a command; the message says which
 * - `not-deployable`: what is deployed does not go with what is to be; the message says what is missing
 * - `verification-failed`: the provider, or the verification itself, does not hold what contracts say
 */
export type HrTestingErrorCode =
  | 'invalid-option'
  | 'missing-package'
  | 'mock-failed'
  | 'contract-unmet'
  | 'requests-missing'
  | 'invalid-pact'
  | 'drift'
  | 'broker-failed'
  | 'not-deployable'
  | 'verification-failed';

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
