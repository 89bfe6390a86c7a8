/**
 * The bearer tokens that contracts are written with. Whoever verifies a contract puts real ones in their place;
 * `rejected-token` is none that any HR cloud knows.
 */
export const exampleTokens = {
  /** Valid, and of the scope of the API. */
  valid: 'contract-token',
  /** Unknown or expired: answered 401. */
  rejected: 'rejected-token',
  /** Valid, but not for the API: answered 403. */
  withoutScope: 'token-without-scope',
} as const;

/** One of {@link exampleTokens}. */
export type ExampleToken = (typeof exampleTokens)[keyof typeof exampleTokens];
