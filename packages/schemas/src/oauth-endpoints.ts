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
