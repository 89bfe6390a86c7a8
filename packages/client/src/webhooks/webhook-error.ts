/**
 * Why a webhook is not accepted. A minor version may add codes.
 *
 * - `invalid-option`: an argument or an option is invalid; the message names it
 * - `invalid-secret`: the receiver's own secret is malformed, or there is none
 * - `missing-header`: a header of Standard Webhooks is missing
 * - `invalid-header`: one of them is malformed, or is there more than once
 * - `stale`: the request was sent longer ago than `toleranceSeconds`, or as far in the future
 * - `unreadable-body`: the body is not there as it was sent: something parsed or read it before, or it is incomplete or
 *   too large
 * - `invalid-signature`: no signature matches
 * - `invalid-body`: a signature matches, but the body is not an event
 */
export type WebhookErrorCode =
  | 'invalid-option'
  | 'invalid-secret'
  | 'missing-header'
  | 'invalid-header'
  | 'stale'
  | 'unreadable-body'
  | 'invalid-signature'
  | 'invalid-body'
  | (string & {});

// A registered symbol is the same in every version of this package, unlike a class.
const marker = Symbol.for('@hr/client/WebhookError');

/** A webhook that is not accepted. The message names the fault and the remedy, and nothing of the secret or the body. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  /** The reason; messages may change in any version. */
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  get [marker](): true {
    return true;
  }
}

/**
 * Whether a caught value is a {@link WebhookError}, including one of another version of this package.
 *
 * @example
 * ```ts
 * if (isWebhookError(error) && error.code === 'stale') console.error('Check the clock.');
 * ```
 */
export function isWebhookError(value: unknown): value is WebhookError {
  return typeof value === 'object' && value !== null && marker in value;
}

/** @throws {WebhookError} If the condition does not hold. */
export function check(holds: boolean, code: WebhookErrorCode, message: string): asserts holds {
  if (!holds) throw new WebhookError(code, message);
}
