import { INTROSPECTION_PATH, REVOCATION_PATH, TOKEN_PATH } from '@hr/schemas';
import { scopes } from '../../database/clients.ts';

const authMethods = ['client_secret_basic', 'client_secret_post'];

/**
 * What programs find the endpoints by (RFC 8414 section 2).
 *
 * @param issuer the base address that callers use
 */
export function authorizationServerMetadata(issuer: string) {
  return {
    issuer,
    token_endpoint: issuer + TOKEN_PATH,
    token_endpoint_auth_methods_supported: authMethods,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    scopes_supported: scopes,
    revocation_endpoint: issuer + REVOCATION_PATH,
    revocation_endpoint_auth_methods_supported: authMethods,
    introspection_endpoint: issuer + INTROSPECTION_PATH,
    introspection_endpoint_auth_methods_supported: authMethods,
    service_documentation: `${issuer}/docs`,
  };
}
