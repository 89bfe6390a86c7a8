import { ResponseBodyError } from 'oauth4webapi';
import type { AuthErrorCode, OAuthErrorCode } from './auth-error.ts';
import { networkFault } from './network-fault.ts';

/** Why a token request failed, in words that quote neither the request nor the response. */
export type TokenFailure = readonly [code: AuthErrorCode, problem: string, oauthError?: OAuthErrorCode];

const oauthFailures = {
  invalid_client: [
    'invalid-client',
    'the client id or secret is wrong. Check clientId and clientSecret, or that privateKey is registered and the clock right',
  ],
  invalid_scope: ['invalid-scope', 'the scope is unknown or not granted to this client. Check scope'],
  unauthorized_client: ['rejected', 'this client may not use client credentials. Ask the operator'],
  invalid_request: ['rejected', 'the server rejects the request as invalid_request. Check the address'],
  invalid_grant: ['rejected', 'the server rejects the request as invalid_grant. Check the address'],
  unsupported_grant_type: ['rejected', 'the server does not support client credentials. Check the address'],
} as const satisfies Partial<Record<OAuthErrorCode, TokenFailure>>;

/** The request failed. */
export function fetchFailure(error: unknown, isPlatform: boolean): TokenFailure {
  const { reason, isOfNetwork } = networkFault(error, isPlatform);
  const because = reason === undefined ? '' : ` (${reason})`;
  if (isOfNetwork) return ['network', `no complete response${because}. Check the address and the connection`];
  return isPlatform
    ? ['fetch-failed', `the platform refuses the request${because}. Check the address`]
    : ['fetch-failed', 'the option fetch threw an error that is none of the network. Call it by itself to see why'];
}

/** The connection broke before the response was complete. */
export function bodyFailure(error: unknown): TokenFailure {
  const { reason } = networkFault(error, false);
  return ['network', `no complete response${reason === undefined ? '' : ` (${reason})`}. Check the connection`];
}

/** The status alone is a failure; 200 and 4xx need their body. */
export function statusFailure({ status, type }: Response): TokenFailure | undefined {
  // A browser hides the status of a redirect.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return ['redirected', 'the server redirects, which would send the secret elsewhere. Set the final address'];
  }
  if (status === 429) return ['rate-limited', 'too many requests (429). Share one provider in the whole program'];
  if (status >= 500) return ['server-error', `the server failed (${status}). Try again later`];
  if (status !== 200 && status < 400) return ['invalid-response', `status ${status}, not 200. Check the address`];
  return undefined;
}

/** The body is complete, but is no token response. */
export function responseFailure(status: number, error: unknown): TokenFailure {
  if (status === 200)
    return ['invalid-response', `not a token response, ${(error as Error).message}. Check the address`];
  // An unknown error code is not repeated: a server may write anything there.
  return error instanceof ResponseBodyError && isOAuthErrorCode(error.error)
    ? [...oauthFailures[error.error], error.error]
    : ['rejected', `status ${status} without an error code of RFC 6749. Check the address`];
}

function isOAuthErrorCode(code: string): code is keyof typeof oauthFailures {
  return Object.hasOwn(oauthFailures, code);
}
