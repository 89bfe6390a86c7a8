import ky from 'ky';
import { abortable } from './abortable.ts';
import type { Call } from './call.ts';
import type { CheckedRequest } from './checked-request.ts';
import { errorFromResponse } from './error-from-response.ts';
import type { HrClientSettings } from './hr-client-options.ts';
import { HrError } from './hr-error.ts';
import { networkFault } from './network-fault.ts';
import type { AccessToken } from './token-provider.ts';

const transientStatuses = new Set([408, 429, 500, 502, 503, 504]);
const FIRST_DELAY_MS = 300;
/** The share of a `Retry-After` that clients add at random, so that they do not all return at once. */
const MAX_JITTER_SHARE = 0.25;

/**
 * Sends a request until it succeeds, as the rules for retries allow. The body of the response is still to be read.
 *
 * ky paces the retries and does nothing else: it sees no token, no body and no response but a success, so none of its own
 * errors can contain them.
 */
export async function send(settings: HrClientSettings, request: CheckedRequest, call: Call): Promise<Response> {
  let delay = 0;
  const response = await ky(request.url, {
    method: request.method,
    signal: call.signal,
    fetch: attempts(settings, request, call),
    timeout: false,
    retry: {
      limit: settings.retry.limit,
      methods: ['get', 'patch', 'post'],
      shouldRetry({ error, retryCount }) {
        if (!(error instanceof HrError) || !mayRetry(settings, request, error)) return false;
        const wait = retryDelay(settings, call, retryCount);
        if (wait === undefined) return false;
        delay = wait;
        call.retrying(error.code);
        return true;
      },
      delay: () => delay,
    },
  });
  call.conclude('accepted');
  return response;
}

/**
 * A patch replaces whole properties, so sending it twice is sending it once. A payment is another one each time, unless
 * its key makes it the same.
 */
function mayRetry(settings: HrClientSettings, request: CheckedRequest, error: HrError): boolean {
  const isRepeatable =
    request.method !== 'POST' ||
    (settings.idempotency === 'provider-supports' && request.headers['idempotency-key'] !== undefined);
  if (!isRepeatable) return error.code === 'network' && error.outcome === 'not-sent';
  return (
    error.code === 'network' ||
    transientStatuses.has(error.status ?? 0) ||
    error.problem?.kind === 'idempotency-key-in-flight'
  );
}

/** The delay before a retry; undefined where the service asks for more than `maxDelay` or the timeout allow. */
function retryDelay(
  { retry }: HrClientSettings,
  { retryAfterMs, deadline }: Call,
  retryCount: number,
): number | undefined {
  const most = Math.min(retry.maxDelay, deadline.remaining);
  if (retryAfterMs === undefined) {
    const delay = Math.min(retry.maxDelay, Math.random() * FIRST_DELAY_MS * 2 ** (retryCount - 1));
    return delay < deadline.remaining ? delay : undefined;
  }
  if (retryAfterMs > most) return undefined;
  return retryAfterMs + Math.random() * Math.min(MAX_JITTER_SHARE * retryAfterMs, most - retryAfterMs);
}

const UNAUTHORIZED = 401;
// Any other value could not be a header, and the platform's own error about it would quote it.
const tokenPattern = /^[\x21-\x7e]+$/;
const codePattern = /^[\w.-]{1,64}$/;
/** By the code of the token provider's error, where the client id and secret are not at fault. */
const tokenRemedies: Readonly<Record<string, string>> = {
  network: 'Check the address of the token endpoint, such as its baseUrl, and the connection.',
  timeout: 'Check that the token endpoint responds, or increase the timeout of the token provider.',
};

/**
 * Returns the function that makes an attempt: it resolves with a success or throws. Each attempt uses the provider's
 * current token. Once per call, a rejected token is replaced and the request sent again.
 */
function attempts(
  { auth, fetch, trace }: HrClientSettings,
  request: CheckedRequest,
  call: Call,
): () => Promise<Response> {
  const { signal } = call;
  let mayReplay = true;

  async function attempt(replacement?: AccessToken): Promise<Response> {
    call.begin();
    const token = replacement ?? (await currentToken());
    const requestTrace = call.sending();
    let response = Response.error();
    // It returns nothing, as tracing would publish what it returns.
    await trace('request', requestTrace, async () => {
      response = await respond(token);
      call.received(response, requestTrace);
    });
    if (response.status === UNAUTHORIZED && mayReplay) {
      mayReplay = false;
      const error = await errorFromResponse(request, call, response);
      await evict(token);
      const other = await currentToken();
      if (other.value === token.value) throw error;
      call.retrying('unauthorized');
      return attempt(other);
    }
    // A redirected payment would be sent on as a read, and the response to that would look like a success.
    if (
      response.type === 'opaqueredirect' ||
      response.redirected ||
      (response.status >= 300 && response.status < 400)
    ) {
      response.body?.cancel().catch(() => undefined);
      throw call.error('redirected', 'the service redirects to another address');
    }
    if (!response.ok) throw await errorFromResponse(request, call, response);
    return response;
  }

  async function evict(token: AccessToken): Promise<void> {
    try {
      await abortable(Promise.resolve(auth.invalidate(token)), signal);
    } catch {
      signal.throwIfAborted();
      throw call.error('token-unavailable', 'the token provider failed to evict a rejected token');
    }
  }

  async function currentToken(): Promise<AccessToken> {
    let reason = 'its value cannot be a token';
    let remedy: string | undefined;
    let tokenErrorCode: string | undefined;
    let retryAfterMs: number | undefined;
    try {
      const token = await abortable(Promise.resolve(auth.getToken({ signal })), signal);
      if (typeof token.value === 'string' && tokenPattern.test(token.value)) return token;
    } catch (error) {
      signal.throwIfAborted();
      const { code, retryAfterMs: asked } = (error ?? {}) as {
        readonly code?: unknown;
        readonly retryAfterMs?: unknown;
      };
      tokenErrorCode = typeof code === 'string' && codePattern.test(code) ? code : undefined;
      retryAfterMs = typeof asked === 'number' ? asked : undefined;
      reason = tokenErrorCode === undefined ? 'it threw' : `its error code is ${tokenErrorCode}`;
      remedy = tokenErrorCode === undefined ? 'Call its getToken by itself to see why.' : tokenRemedies[tokenErrorCode];
    }
    throw call.error('token-unavailable', `the token provider returned no token: ${reason}`, {
      remedy,
      tokenErrorCode,
      retryAfterMs,
    });
  }

  async function respond({ value }: AccessToken): Promise<Response> {
    const { url, ...init } = request;
    const headers = { ...init.headers, authorization: `Bearer ${value}` };
    try {
      // A browser would store responses on its disk, and return a stored one where no header forbids it.
      return await abortable(fetch(url, { ...init, headers, signal, redirect: 'manual', cache: 'no-store' }), signal);
    } catch (error) {
      signal.throwIfAborted();
      const { outcome, systemCode, isUntrusted } = networkFault(error);
      call.conclude(outcome);
      if (isUntrusted) throw call.error('untrusted-certificate', `the certificate is not trusted, ${systemCode}`);
      const what = outcome === 'not-sent' ? 'no connection' : 'the connection failed before a response';
      throw call.error('network', systemCode === undefined ? what : `${what}, ${systemCode}`);
    }
  }

  return () => attempt();
}
