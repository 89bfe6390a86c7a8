import { z } from 'zod';

/** The form fields to introspect or revoke a token (RFC 7662 section 2.1, RFC 7009 section 2.1). */
export const TokenQuery = z
  .object({
    token: z.string().meta({ format: 'password' }),
    token_type_hint: z.string().optional(),
    client_id: z.string(),
    client_secret: z.string().meta({ format: 'password' }),
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
