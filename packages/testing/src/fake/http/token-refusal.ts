import type { TokenError } from '@hr/schemas';

/** The refusal of the token endpoint (RFC 6749 section 5.2). */
export class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal';
  readonly code: TokenError['error'];

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

  /** The body of the answer. */
  body(): TokenError {
    return { error: this.code, error_description: this.message };
  }
}

/** Says the same whatever is wrong: who has proved nothing learns nothing. */
export function invalidClient(): TokenRefusal {
  return new TokenRefusal('invalid_client', 'The client id or its secret is wrong or missing.');
}
