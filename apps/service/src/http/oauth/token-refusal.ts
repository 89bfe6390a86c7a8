import type { TokenError } from '@hr/schemas';

/** The refusal of an OAuth endpoint (RFC 6749 section 5.2). */
export class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal';
  readonly code: TokenError['error'];

  constructor(code: TokenError['error'], description: string) {
    super(description);
    this.code = code;
  }
}
