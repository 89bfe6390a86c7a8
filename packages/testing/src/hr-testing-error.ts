/**
 * Why a call of the testing kit failed. A minor version may add codes.
 *
 * - `invalid-option`: an option, a provider state, a field or a value is missing or invalid; the message names it
 * - `missing-package`: an optional package is not installed; the message names it
 * - `mock-failed`: Pact's mock server does not start
 * - `contract-unmet`: the consumer's code did not send the request of its contract; the message lists the differences
 * - `requests-missing`: a test waited for requests that did not arrive; the message says how many did
 * - `invalid-pact`: a file is not a pact, or a pact of another provider; the message names it
 * - `drift`: pacts differ from the API; the message lists the places
 * - `broker-failed`: the broker is unreachable, or rejects the token or a request; the message says which
 * - `not-deployable`: the version is incompatible with the deployed ones; the message says what is missing
 * - `verification-failed`: the provider breaks a contract, or the verification proves nothing; the message is the report
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
  | 'verification-failed'
  | (string & {});

/** A call of the testing kit that failed. The message says what is wrong, where, and what to do. */
export class HrTestingError extends Error {
  override readonly name: string = 'HrTestingError';
  /** The reason; messages may change in any version. */
  readonly code: HrTestingErrorCode;

  constructor(code: HrTestingErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The error of an option, a state, a field or a value. */
export function invalidOption(message: string, options?: ErrorOptions): HrTestingError {
  return new HrTestingError('invalid-option', message, options);
}
