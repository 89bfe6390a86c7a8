/**
 * Why a mirror cannot be opened, or a sync was refused.
 *
 * - `invalid-option`: an option is invalid; the message names it
 * - `cannot-open`: the file cannot be created or opened
 * - `not-private`: others than the owner may read the file
 * - `not-a-mirror`: the file is another database, or is damaged
 * - `other-source`: the file is a copy of another source
 * - `newer-version`: a newer version of this package wrote the file
 * - `sync-running`: another sync writes to the file
 * - `no-persons`: absences are read for each person, and the mirror has not synced persons yet
 * - `list-too-short`: a full sync would delete more rows than `maxShrink` allows
 * - `in-use`: another program reads the file, so its data cannot be overwritten yet
 */
export type MirrorErrorCode =
  | 'invalid-option'
  | 'cannot-open'
  | 'not-private'
  | 'not-a-mirror'
  | 'other-source'
  | 'newer-version'
  | 'sync-running'
  | 'no-persons'
  | 'list-too-short'
  | 'in-use';

// A registered symbol is the same in every version of this package, unlike a class.
const marker = Symbol.for('@hr/client/MirrorError');

/** A mirror that cannot be opened, or a refused sync. The message names the file and the remedy, and no personal data. */
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
