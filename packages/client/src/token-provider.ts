/** A bearer token of the API (specification, section 5). */
export interface AccessToken {
  /** The token itself: what follows `Bearer ` in the `Authorization` header. */
  readonly value: string;
}

/** Source of access tokens, such as `clientCredentials(…)` of `@hr/auth`. */
export interface TokenProvider {
  /**
   * Returns a valid token.
   *
   * @param options.signal - Aborts if the call ends before there is a token.
   */
  getToken(options?: { readonly signal?: AbortSignal | undefined }): Promise<AccessToken>;
  /** Evicts a token that the API rejected with 401, so that the next `getToken` returns another one. */
  invalidate(rejected: AccessToken): void;
}

/** A function that returns a valid access token. It runs once per attempt, and again when the API rejects its token. */
export type TokenFunction = (options: { readonly signal: AbortSignal }) => string | Promise<string>;

/** The option `auth`, as a provider. */
export interface TokenSource extends TokenProvider {
  readonly isFunction?: true;
}

/** Reads the option `auth`; undefined if it is neither a provider nor a function. */
export function tokenSource(auth: TokenProvider | TokenFunction): TokenSource | undefined {
  if (typeof auth === 'function') {
    return {
      isFunction: true,
      async getToken({ signal = new AbortController().signal } = {}) {
        return { value: await auth({ signal }) };
      },
      invalidate() {},
    };
  }
  return typeof auth?.getToken === 'function' && typeof auth.invalidate === 'function' ? auth : undefined;
}
