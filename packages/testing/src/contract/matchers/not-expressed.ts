/**
 * A rule of a model that Pact does not hold.
 *
 * @sealed
 */
export interface LostRule {
  /** JSON Pointer (RFC 6901) to the place in the example; the one element of a list stands for all. */
  readonly pointer: string;
  /** What the model says there besides, such as `at most 80 characters`. */
  readonly rule: string;
}

/**
 * A rule of a model that a contract does not hold.
 *
 * @sealed
 */
export interface NotExpressed extends LostRule {
  /** Whose body it is. */
  readonly of: 'request' | 'answer';
}

export function notExpressedOf(of: NotExpressed['of'], rules: readonly LostRule[]): NotExpressed[] {
  return rules.map((rule) => ({ of, ...rule }));
}
