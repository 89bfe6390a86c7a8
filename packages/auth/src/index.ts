/**
 * Access tokens for the HR Cloud API. Where it says specification, it is the HR Cloud API specification.
 *
 * @packageDocumentation
 */
export type { AccessToken, TokenProvider } from './access-token.ts';
export { AuthError, isAuthError } from './auth-error.ts';
export type { AuthErrorCode, AuthErrorInit, OAuthErrorCode } from './auth-error.ts';
export { clientCredentials } from './client-credentials.ts';
export type { ClientCredentialsOptions } from './client-credentials-options.ts';
export type { ClientProof, PrivateJwk, PrivateKey } from './client-proof.ts';
export { staticToken } from './static-token.ts';
export type { TokenEndpointOptions } from './token-endpoint.ts';
