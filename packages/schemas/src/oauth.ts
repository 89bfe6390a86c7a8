import { z } from 'zod';

/** The scope of the API (section 5). */
export const API_SCOPE = 'api:use';

/** Path of the token endpoint, below the base URL (section 5). */
export const TOKEN_PATH = '/api/oauth2/token';

/** Path of the revocation endpoint (RFC 7009), below the base URL. */
export const REVOCATION_PATH = '/api/oauth2/revoke';

/** Path of the introspection endpoint (RFC 7662), below the base URL. */
export const INTROSPECTION_PATH = '/api/oauth2/introspect';

/** Path of the metadata document that lists these endpoints (RFC 8414), below the base URL. */
export const METADATA_PATH = '/.well-known/oauth-authorization-server';

/** The `client_assertion_type` of a JWT by which a client proves who it is (RFC 7523 section 2.2). */
export const CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** A secret or an assertion, unless the client sends its secret as HTTP Basic. */
const credentials = {
  client_id: z.string().optional(),
  client_secret: z.string().meta({ format: 'password' }).optional(),
  client_assertion_type: z.literal(CLIENT_ASSERTION_TYPE).optional(),
  client_assertion: z.string().meta({ format: 'password' }).optional(),
};

/** The form fields of a token request (section 5, RFC 6749 section 4.4.2). */
export const TokenRequest = z
  .object({
    grant_type: z.literal('client_credentials'),
    ...credentials,
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

/** The form fields to introspect or revoke a token (RFC 7662 section 2.1, RFC 7009 section 2.1). */
export const TokenQuery = z
  .object({
    token: z.string().meta({ format: 'password' }),
    token_type_hint: z.string().optional(),
    ...credentials,
  })
  .meta({ id: 'TokenQuery' });
export type TokenQuery = z.output<typeof TokenQuery>;

/** The introspection response (RFC 7662 section 2.2). For an inactive token it has no other member. */
export const IntrospectionResponse = z
  .object({
    active: z.boolean(),
    scope: z.string().optional(),
    client_id: z.string().optional(),
    token_type: z.literal('Bearer').optional(),
    exp: z.int().describe('When it expires, in seconds since 1970-01-01T00:00Z.').optional(),
    iat: z.int().describe('When it was issued, in seconds since 1970-01-01T00:00Z.').optional(),
  })
  .meta({ id: 'IntrospectionResponse' });
export type IntrospectionResponse = z.output<typeof IntrospectionResponse>;
