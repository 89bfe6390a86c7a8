import { ResponseBodyError } from 'oauth4webapi';
import type { AuthErrorCode } from './auth-error.ts';

/** What went wrong with a token request, in words that quote neither the request nor the answer. */
export type TokenFailure = readonly [code: AuthErrorCode, problem: string];

// The error codes of RFC 6749, section 5.2. Others are not repeated: a server may write anything there.
const oauthFailures = new Map<string, TokenFailure>([
  ['invalid_client', ['invalid-client', 'the client id or secret is not accepted; check clientId and clientSecret']],
  ['invalid_scope', ['invalid-scope', 'the scope is unknown or not granted to this client; check scope']],
  ...['invalid_request', 'unauthorized_client', 'invalid_grant', 'unsupported_grant_type'].map(
    (error): [string, TokenFailure] => [error, ['rejected', `the server refuses it as ${error}`]],
  ),
]);

/** The request or its answer broke off. */
export function networkFailure(error: unknown): TokenFailure {
  const code = (error as { cause?: { code?: unknown } } | undefined)?.cause?.code;
  const reason = typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code) ? ` (${code})` : '';
  return ['network', `no complete answer${reason}; check the address and the connection`];
}

/** What the status alone tells; 200 and the 400s need their body. */
export function statusFailure({ status, type }: Response): TokenFailure | undefined {
  // A browser hides the status of a redirect.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return ['redirected', 'the server redirects, which would send the secret elsewhere; set its final address'];
  }
  if (status === 429) return ['rate-limited', 'too many requests (429); let the program share one provider'];
  if (status >= 500) return ['server-error', `the server cannot answer now (${status})`];
  if (status !== 200 && status < 400) return ['invalid-response', `status ${status} instead of 200`];
  return undefined;
}

/** The answer was read, and is no token response. */
export function answerFailure(status: number, error: unknown): TokenFailure {
  if (status === 200) return ['invalid-response', `not a token response; ${(error as Error).message}`];
  const known = error instanceof ResponseBodyError ? oauthFailures.get(error.error) : undefined;
  return known ?? ['rejected', `status ${status} without an error of RFC 6749; check the address`];
}
