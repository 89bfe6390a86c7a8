/**
 * The bearer tokens in contracts. The verification sends real ones in place of `valid` and `withoutScope`; `rejected` is
 * unknown to every HR cloud.
 */
export const exampleTokens = {
  /** Valid, with the scope of the API. */
  valid: 'contract-token',
  /** Unknown or expired: the response is 401. */
  rejected: 'rejected-token',
  /** Valid, without the scope of the API: the response is 403. */
  withoutScope: 'token-without-scope',
} as const;

/** One of {@link exampleTokens}. */
export type ExampleToken = (typeof exampleTokens)[keyof typeof exampleTokens];
