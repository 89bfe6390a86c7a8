import type { TokenError } from '../token.ts';
import { HttpError } from './http-error.ts';

/**
 * An error response of an OAuth endpoint (RFC 6749 section 5.2).
 *
 * @example
 * throw new OAuthError('invalid_request', 'grant_type is missing.');
 */
export class OAuthError extends HttpError {
  override readonly name = 'OAuthError';
  readonly code: TokenError['error'];
  readonly contentType = 'application/json';

  constructor(code: TokenError['error'], description: string) {
    super(description);
    this.code = code;
  }

  get status(): number {
    return this.code === 'invalid_client' ? 401 : 400;
  }

  get headers(): Record<string, string> {
    return this.code === 'invalid_client' ? { 'www-authenticate': 'Basic realm="hr-cloud"' } : {};
  }

  body(): TokenError {
    return { error: this.code, error_description: this.message };
  }
}

/**
 * The client cannot be authenticated. The message is the same for every reason, so that an attacker learns nothing.
 *
 * @example
 * throw invalidClient();
 */
export function invalidClient(): OAuthError {
  return new OAuthError('invalid_client', 'The client id or its secret is wrong or missing.');
}
