import {
  ClientSecretPost,
  allowInsecureRequests,
  clientCredentialsGrantRequest,
  customFetch,
  processClientCredentialsResponse,
} from 'oauth4webapi';
import { HiddenAccessToken, isTokenValue } from './access-token.ts';
import type { AccessToken } from './access-token.ts';
import { AuthError, isAuthError } from './auth-error.ts';
import type { AuthErrorFacts } from './auth-error.ts';
import { boundedText } from './bounded-text.ts';
import type { ClientCredentialsSettings } from './client-credentials-options.ts';
import { retryAfter } from './retry-after.ts';
import { answerFailure, networkFailure, statusFailure } from './token-failure.ts';
import type { TokenFailure } from './token-failure.ts';

const MAX_BODY_BYTES = 65_536;
// `expires_in` is only recommended (RFC 6749, section 5.1). A guess that is too long costs a 401 and a new token.
const ASSUMED_LIFETIME_SECONDS = 300;

/** Makes one token request (RFC 6749, section 4.4.2; specification, section 5). Every failure is an {@link AuthError}. */
export async function requestToken(
  settings: ClientCredentialsSettings,
  clientSecret: string,
  signal: AbortSignal,
  attempts: number,
): Promise<AccessToken> {
  const { tokenEndpoint, clientId, scope, fetch } = settings;
  const fail = ([code, problem]: TokenFailure, facts?: AuthErrorFacts) =>
    new AuthError(code, `Token request to ${tokenEndpoint.origin}${tokenEndpoint.pathname}: ${problem}.`, {
      ...facts,
      attempts,
    });
  const server = { issuer: tokenEndpoint.origin, token_endpoint: tokenEndpoint.href };
  const client = { client_id: clientId };

  const sentAt = Date.now();
  const response = await clientCredentialsGrantRequest(
    server,
    client,
    ClientSecretPost(clientSecret),
    { scope },
    {
      signal,
      // oxlint-disable-next-line typescript/no-deprecated -- deprecated to stand out; the options' check has decided about http
      [allowInsecureRequests]: true,
      ...(fetch && { [customFetch]: fetch }),
    },
  ).catch((error: unknown) => {
    throw fail(networkFailure(error));
  });

  const status = response.status || undefined;
  const unreadable = statusFailure(response);
  if (unreadable) {
    response.body?.cancel().catch(() => undefined);
    throw fail(unreadable, { status, retryAfterMs: retryAfter(response.headers.get('retry-after')) });
  }

  const tooLong = fail(['invalid-response', `the answer is longer than ${MAX_BODY_BYTES} bytes`], { status });
  const text = await boundedText(response, MAX_BODY_BYTES, tooLong).catch((error: unknown) => {
    throw isAuthError(error) ? error : fail(networkFailure(error), { status });
  });

  // A copy, as the original's other headers (a challenge, a cookie) are nothing that should decide.
  const headers = { 'content-type': response.headers.get('content-type') ?? '' };
  const answer = await processClientCredentialsResponse(
    server,
    client,
    new Response(text, { status: response.status, headers }),
  ).catch((error: unknown) => {
    throw fail(answerFailure(response.status, error), { status });
  });

  const { access_token: value, token_type: type, expires_in: seconds = ASSUMED_LIFETIME_SECONDS } = answer;
  const flaw =
    (type !== 'bearer' && 'token_type is not Bearer') ||
    (!isTokenValue(value) && 'access_token has characters that no bearer token has') ||
    (seconds <= 0 && 'expires_in is not positive');
  if (flaw) throw fail(['invalid-response', flaw], { status });
  return new HiddenAccessToken(value, sentAt + seconds * 1000);
}
