/**
 * One deviation of an HR cloud from a rule. It contains no value of a person.
 *
 * @sealed
 */
export interface Deviation {
  /** The place, such as `[*].address.zipCode` or `status`. */
  readonly place: string;
  readonly expected: string;
  readonly got: string;
  /** The request as a curl command, with `$TOKEN` and other variables instead of values that must not be shown. */
  readonly request: string;
}

/** A check cannot be made here. The message is the reason. */
export class NotTried extends Error {}
