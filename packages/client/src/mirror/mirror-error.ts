/**
 * Why a mirror or an outbox cannot be opened, or refuses a call.
 *
 * - `invalid-option`: an option is invalid; the message names it
 * - `cannot-open`: the file cannot be created or opened
 * - `not-private`: others than the owner may read the file
 * - `wrong-file`: the file is something else, or is damaged
 * - `other-source`: the file is that of another source
 * - `newer-version`: a newer version of this package wrote the file
 * - `cannot-write`: the file cannot be written or read, such as on a full disk. It is as before
 * - `sync-running`: another sync writes to the file
 * - `no-persons`: absences are read for each person, and the mirror has not synced persons yet
 * - `list-too-short`: a full sync would delete more rows than `maxShrink` allows
 * - `in-use`: another program reads the file, so its data cannot be overwritten yet
 * - `outbox-busy`: another process, or another `Outbox` of this process, is sending
 * - `already-submitted`: the outbox has an entry for this row of the batch
 * - `unknown-entry`: there is no entry with this id
 * - `not-resendable`: the entry is not `unknown` or `refused`, or was sent again already
 * - `not-resolvable`: the entry is neither `unknown` nor `sent`, or was sent again already
 * - `may-pay-twice`: sending it again may pay twice, and the caller did not allow that
 * - `cannot-store`: a payment was sent, but its state cannot be stored, such as on a full disk. It becomes `unknown`
 */
export type MirrorErrorCode =
  | 'invalid-option'
  | 'cannot-open'
  | 'not-private'
  | 'wrong-file'
  | 'other-source'
  | 'newer-version'
  | 'cannot-write'
  | 'sync-running'
  | 'no-persons'
  | 'list-too-short'
  | 'in-use'
  | 'outbox-busy'
  | 'already-submitted'
  | 'unknown-entry'
  | 'not-resendable'
  | 'not-resolvable'
  | 'may-pay-twice'
  | 'cannot-store'
  | (string & {});

// A registered symbol is the same in every version of this package, unlike a class.
const marker = Symbol.for('@hr/client/MirrorError');

/**
 * A mirror or an outbox that cannot be opened, or a refused call. The message names the file or the entry and the remedy,
 * and no personal data.
 */
export class MirrorError extends Error {
  override readonly name = 'MirrorError';
  /** The reason; messages may change in any version. */
  readonly code: MirrorErrorCode;

  constructor(code: MirrorErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  get [marker](): true {
    return true;
  }
}

/**
 * Whether a caught value is a {@link MirrorError}, including one of another version of this package.
 *
 * @example
 * ```ts
 * if (isMirrorError(error) && error.code === 'sync-running') console.error('Wait for the other sync.');
 * ```
 */
export function isMirrorError(value: unknown): value is MirrorError {
  return typeof value === 'object' && value !== null && marker in value;
}
