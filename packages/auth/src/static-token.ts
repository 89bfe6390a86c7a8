import { HiddenAccessToken, type TokenProvider } from './access-token.ts';
import { AuthError } from './auth-error.ts';
import { isTokenValue } from './shared-rules.ts';

/**
 * A provider of one fixed token that does not expire, for tests and for programs that receive a token from elsewhere.
 * `invalidate` is a no-op.
 *
 * @throws {AuthError} `invalid-option` if the value cannot be a bearer token.
 * @example
 * const auth = staticToken('a-token-for-tests');
 */
export function staticToken(value: string): TokenProvider {
  if (!isTokenValue(value)) {
    throw new AuthError(
      'invalid-option',
      'staticToken: the token must be printable ASCII without spaces. Trim it if it comes from a file.',
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
