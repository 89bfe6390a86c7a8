/**
 * A bearer token (specification, section 5). Any object of this shape works. The tokens of this package hide `value`
 * from `util.inspect`, `JSON.stringify` and spreads.
 *
 * @example
 * const headersFor = (token: AccessToken) => ({ authorization: `Bearer ${token.value}` });
 */
export interface AccessToken {
  /** The token itself: what follows `Bearer ` in the `Authorization` header. */
  readonly value: string;
  /** When the token expires, in milliseconds since the epoch; `Infinity` if it does not expire. */
  readonly expiresAt: number;
}

/**
 * Source of access tokens.
 *
 * @example
 * const auth: TokenProvider = staticToken('a-token-for-tests');
 */
export interface TokenProvider {
  /**
   * Resolves with the current token, or with a new one if there is none.
   *
   * @param options.signal - Ends the wait of this caller only, which rejects with `signal.reason`.
   * @throws {AuthError} If no token is available.
   */
  getToken(options?: { readonly signal?: AbortSignal | undefined }): Promise<AccessToken>;
  /**
   * Discards a token that the API rejected with 401. A no-op if it is not the current token, or if it replaced a rejected
   * one less than ten seconds ago: then the API rejects this client, and further tokens would not help.
   */
  invalidate(rejected: AccessToken): void;
}

export class HiddenAccessToken implements AccessToken {
  readonly #value: string;
  readonly expiresAt: number;

  constructor(value: string, expiresAt: number) {
    this.#value = value;
    this.expiresAt = expiresAt;
  }

  get value(): string {
    return this.#value;
  }
}
