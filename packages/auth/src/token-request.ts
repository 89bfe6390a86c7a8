import {
  allowInsecureRequests,
  clientCredentialsGrantRequest,
  customFetch,
  processClientCredentialsResponse,
  type ClientAuth,
} from 'oauth4webapi';
import { HiddenAccessToken, type AccessToken } from './access-token.ts';
import { AuthError, isAuthError, type AuthErrorInit } from './auth-error.ts';
import type { ClientCredentialsSettings } from './client-credentials-options.ts';
import { elapsedSince, now, type Moment } from './moment.ts';
import { isTokenValue, retryAfterMs } from './shared-rules.ts';
import { bodyFailure, fetchFailure, responseFailure, statusFailure, type TokenFailure } from './token-failure.ts';

/** A new token, and when to replace it. */
export interface IssuedToken {
  readonly token: AccessToken;
  readonly sentAt: Moment;
  /** Milliseconds after which the provider starts to request a new token in the background. */
  readonly refreshAfter: number;
  /** Milliseconds after which the provider stops to return this token. */
  readonly usableFor: number;
}

const MAX_BODY_BYTES = 65_536;
// `expires_in` is only recommended (RFC 6749, section 5.1). If this is too long, the API responds with 401 and the
// caller invalidates the token.
const DEFAULT_LIFETIME_SECONDS = 300;
const REFRESH_SHARE = 0.8;
/** Minimum remaining lifetime of a returned token, so that it does not expire on the way to the API. */
const EXPIRY_MARGIN_MS = 10_000;
/** The same for tokens of a short lifetime, as a share of it. */
const EXPIRY_MARGIN_SHARE = 0.1;

/** Sends one token request (RFC 6749, section 4.4.2; specification, section 5). Every failure is an {@link AuthError}. */
export async function requestToken(
  settings: ClientCredentialsSettings,
  authenticate: ClientAuth,
  signal: AbortSignal,
  attempts: number,
): Promise<IssuedToken> {
  const { tokenEndpoint, audience, clientId, scope, fetch } = settings;
  const fail = ([code, problem, oauthError]: TokenFailure, init?: AuthErrorInit) =>
    new AuthError(code, `Token request to ${tokenEndpoint.origin}${tokenEndpoint.pathname}: ${problem}.`, {
      ...init,
      attempts,
      oauthError,
    });
  const server = { issuer: audience, token_endpoint: tokenEndpoint.href };
  const client = { client_id: clientId };

  const sentAt = now();
  const response = await clientCredentialsGrantRequest(
    server,
    client,
    authenticate,
    { scope },
    {
      signal,
      // oxlint-disable-next-line typescript/no-deprecated -- deprecated to stand out; the check of the options decides about http
      [allowInsecureRequests]: true,
      ...(fetch && { [customFetch]: fetch }),
    },
  ).catch((error: unknown) => {
    throw fail(fetchFailure(error, !fetch));
  });

  const status = response.status || undefined;
  const failure = statusFailure(response);
  if (failure) {
    response.body?.cancel().catch(() => undefined);
    throw fail(failure, { status, retryAfterMs: retryAfterMs(response.headers.get('retry-after')) });
  }

  const invalid = (problem: string) => fail(['invalid-response', problem], { status });
  const tooLong = invalid(`the response is longer than ${MAX_BODY_BYTES} bytes. Check the address`);
  const text = await boundedText(response, tooLong).catch((error: unknown) => {
    throw isAuthError(error) ? error : fail(bodyFailure(error), { status });
  });

  // Other headers, such as a challenge, must not decide which error this is.
  const headers = { 'content-type': response.headers.get('content-type') ?? '' };
  const tokenResponse = await processClientCredentialsResponse(
    server,
    client,
    new Response(text, { status: response.status, headers }),
  ).catch((error: unknown) => {
    throw fail(responseFailure(response.status, error), { status });
  });

  const { access_token: value, token_type: type, expires_in: seconds = DEFAULT_LIFETIME_SECONDS } = tokenResponse;
  if (type !== 'bearer') throw invalid('token_type is not Bearer. Check the address');
  if (!isTokenValue(value))
    throw invalid('access_token contains characters that are invalid in a bearer token. Check the address');
  if (seconds <= 0) throw invalid('expires_in is not positive. Check the address');

  const lifetime = seconds * 1000;
  // The lifetime may have started when the request was sent.
  const usableFor = lifetime - Math.min(EXPIRY_MARGIN_MS, lifetime * EXPIRY_MARGIN_SHARE);
  if (elapsedSince(sentAt) > usableFor) {
    const problem = `the token expired before the response was complete (expires_in ${seconds}). Check the connection`;
    throw fail(['network', problem], { status });
  }
  const token = new HiddenAccessToken(value, sentAt.wall + lifetime);
  return { token, sentAt, refreshAfter: lifetime * REFRESH_SHARE, usableFor };
}

/** The response body as text. Throws `tooLong`, and cancels the rest, if it is longer than the maximum. */
async function boundedText(response: Response, tooLong: AuthError): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  // Not `Response.text()` of a bounded stream: browsers turn any error of the stream into a network error.
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BODY_BYTES) throw tooLong;
      text += decoder.decode(chunk, { stream: true });
    },
  });
  await response.body?.pipeTo(sink);
  return text + decoder.decode();
}
