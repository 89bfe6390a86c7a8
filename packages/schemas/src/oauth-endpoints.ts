/** The scope of the API (section 5). */
export const API_SCOPE = 'api:use';

/** Path of the token endpoint, below the base address (section 5). */
export const TOKEN_PATH = '/api/oauth2/token';

/** Path of the endpoint that ends a token (RFC 7009), below the base address. */
export const REVOCATION_PATH = '/api/oauth2/revoke';

/** Path of the endpoint that tells whether a token is valid (RFC 7662), below the base address. */
export const INTROSPECTION_PATH = '/api/oauth2/introspect';

/** Path of what programs find these endpoints by (RFC 8414), below the base address. */
export const METADATA_PATH = '/.well-known/oauth-authorization-server';
