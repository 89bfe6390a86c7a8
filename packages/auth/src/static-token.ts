import { HiddenAccessToken, isTokenValue } from './access-token.ts';
import { AuthError } from './auth-error.ts';
import type { TokenProvider } from './token-provider.ts';

/**
 * Always the same token, for tests and for programs that are handed one. `invalidate` changes nothing.
 *
 * @throws {AuthError} `invalid-option` when the value cannot be an access token.
 * @example
 * ```ts
 * const auth = staticToken('a-token-for-tests');
 * ```
 */
export function staticToken(value: string): TokenProvider {
  if (!isTokenValue(value)) {
    throw new AuthError(
      'invalid-option',
      'staticToken needs a token of printable ASCII without spaces; trim what you read from a file.',
    );
  }
  const token = new HiddenAccessToken(value, Number.POSITIVE_INFINITY);
  return {
    async getToken({ signal } = {}) {
      signal?.throwIfAborted();
      return token;
    },
    invalidate() {},
  };
}
