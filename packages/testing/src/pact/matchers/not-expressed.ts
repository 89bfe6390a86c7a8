/** A rule of a model that a contract does not hold. */
export interface NotExpressed {
  /** JSON Pointer (RFC 6901) to the place in the example; the one element of a list stands for all. */
  readonly pointer: string;
  /** What the model says there besides, such as `at most 80 characters`. */
  readonly rule: string;
}
