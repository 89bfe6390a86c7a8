import type { AccessToken } from './access-token.ts';

/** Where a program gets its access tokens from. */
export interface TokenProvider {
  /**
   * The current token, a new one when there is none.
   *
   * @param options.signal - Ends the wait of this caller alone, who gets `signal.reason`.
   * @throws {AuthError} When no token can be had.
   */
  getToken(options?: { readonly signal?: AbortSignal }): Promise<AccessToken>;
  /** Tells that the API answered 401 to this token. Nothing happens when another one has taken its place already. */
  invalidate(rejected: AccessToken): void;
}
