/**
 * Why an outbox cannot be opened, or does not send a payment.
 *
 * - `cannot-open`: the file cannot be created or opened
 * - `not-an-outbox`: the file is something else, or is damaged
 * - `other-source`: the file contains the payments of another source
 * - `newer-version`: a newer version of this package wrote the file
 * - `outbox-busy`: another process, or another `Outbox` of this process, is sending
 * - `already-submitted`: the outbox has an entry for this row of the batch
 * - `unknown-entry`: there is no entry with this id
 * - `not-resendable`: the entry is neither `unknown` nor `rejected`, or was sent again already
 * - `may-pay-twice`: sending it again may pay twice, and the caller did not allow that
 * - `cannot-store`: a payment was sent, but its state cannot be stored, such as on a full disk. It becomes `unknown`
 */
export type OutboxErrorCode =
  | 'cannot-open'
  | 'not-an-outbox'
  | 'other-source'
  | 'newer-version'
  | 'outbox-busy'
  | 'already-submitted'
  | 'unknown-entry'
  | 'not-resendable'
  | 'may-pay-twice'
  | 'cannot-store';

// A registered symbol is the same in every version of this package, unlike a class.
const marker = Symbol.for('@hr/client/OutboxError');

/** A fault of the outbox itself. The message names the file or the entry and the remedy, and no personal data. */
export class OutboxError extends Error {
  override readonly name = 'OutboxError';
  /** The reason; messages may change in any version. */
  readonly code: OutboxErrorCode;

  constructor(code: OutboxErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  get [marker](): true {
    return true;
  }
}

/**
 * Whether a caught value is an {@link OutboxError}, including one of another version of this package.
 *
 * @example
 * ```ts
 * if (isOutboxError(error) && error.code === 'outbox-busy') console.error('Wait for the other program.');
 * ```
 */
export function isOutboxError(value: unknown): value is OutboxError {
  return typeof value === 'object' && value !== null && marker in value;
}
