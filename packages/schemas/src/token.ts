import { z } from 'zod';

/** The form fields of a token request (section 5, RFC 6749 section 4.4.2). */
export const TokenRequest = z
  .object({
    grant_type: z.literal('client_credentials'),
    client_id: z.string(),
    client_secret: z.string().meta({ format: 'password' }),
    scope: z.string().optional(),
  })
  .meta({ id: 'TokenRequest' });
export type TokenRequest = z.output<typeof TokenRequest>;

/** The response to a token request (section 5, RFC 6749 section 5.1). */
export const TokenResponse = z
  .object({
    // Other characters cannot be sent as a bearer token (RFC 6750, section 2.1).
    access_token: z.string().regex(/^[\x21-\x7e]+$/),
    token_type: z.literal('Bearer'),
    expires_in: z.int().gte(0).describe('Lifetime of the token in seconds.'),
    scope: z.string().optional(),
  })
  .meta({ id: 'TokenResponse' });
export type TokenResponse = z.output<typeof TokenResponse>;

/** The error response of the token endpoint (RFC 6749 section 5.2). */
export const TokenError = z
  .object({
    error: z.enum([
      'invalid_request',
      'invalid_client',
      'invalid_grant',
      'unauthorized_client',
      'unsupported_grant_type',
      'invalid_scope',
    ]),
    error_description: z.string().optional(),
  })
  .meta({ id: 'TokenError' });
export type TokenError = z.output<typeof TokenError>;
