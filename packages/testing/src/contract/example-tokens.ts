/**
 * The bearer tokens in contracts. The verification replaces `valid` and `withoutScope` with real tokens. Every HR cloud
 * rejects `rejected`.
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
