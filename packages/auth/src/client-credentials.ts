import { abortable } from './abortable.ts';
import type { AccessToken } from './access-token.ts';
import { acquireToken } from './acquire-token.ts';
import { isAuthError } from './auth-error.ts';
import { clientCredentialsSettings } from './client-credentials-options.ts';
import type { ClientCredentialsOptions } from './client-credentials-options.ts';
import type { TokenProvider } from './token-provider.ts';

/** Share of its life after which a token is replaced in the background. */
const REFRESH_SHARE = 0.8;
/** Least time from a failed background refresh to the next. */
const REFRESH_PAUSE_MS = 10_000;

/**
 * Gets tokens with the OAuth 2.0 client-credentials grant (specification, section 5; RFC 6749, section 4.4) and keeps
 * the current one. Callers that wait at the same time share one token request. A token near its end is replaced in the
 * background, when somebody asks for it; there is no timer. 429, 5xx and network errors are retried, with a
 * growing random wait or the server's `Retry-After`.
 *
 * @throws {AuthError} `invalid-option` or `insecure-url`, at once. The other codes reject `getToken`.
 * @example
 * ```ts
 * const auth = clientCredentials({ baseUrl: 'https://hr.example.com', clientId: 'payroll-sync', clientSecret: '…' });
 * const { value } = await auth.getToken();
 * ```
 */
export function clientCredentials(options: ClientCredentialsOptions): TokenProvider {
  const settings = clientCredentialsSettings(options);
  let current: AccessToken | undefined;
  let refreshAt = 0;
  let pending: Promise<AccessToken> | undefined;
  let waiting = 0;
  let endPause: (() => void) | undefined;

  const pause = async (milliseconds: number) => {
    if (waiting === 0) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => {
      endPause = undefined;
      resolve(true);
    }, milliseconds);
    endPause = () => {
      endPause = undefined;
      clearTimeout(timer);
      // At once, so that whoever comes next does not join what is given up.
      pending = undefined;
      resolve(false);
    };
    return promise;
  };

  const acquire = () => {
    if (pending) return pending;
    const acquisition = acquireToken(settings, pause)
      .then((token) => {
        current = token;
        refreshAt = Date.now() + (token.expiresAt - Date.now()) * REFRESH_SHARE;
        return token;
      })
      .finally(() => {
        if (pending === acquisition) pending = undefined;
      });
    pending = acquisition;
    return acquisition;
  };

  // The token at hand is still good, so the failure is nobody's yet.
  const postponeRefresh = (error: unknown) => {
    const asked = isAuthError(error) ? (error.retryAfterMs ?? 0) : 0;
    refreshAt = Date.now() + Math.max(REFRESH_PAUSE_MS, asked);
  };

  return {
    async getToken({ signal } = {}) {
      signal?.throwIfAborted();
      if (current && Date.now() < current.expiresAt) {
        if (Date.now() >= refreshAt) acquire().catch(postponeRefresh);
        return current;
      }
      waiting += 1;
      try {
        return await (signal ? abortable(acquire(), signal) : acquire());
      } finally {
        waiting -= 1;
        if (waiting === 0) endPause?.();
      }
    },
    invalidate(rejected) {
      if (current?.value === rejected.value) current = undefined;
    },
  };
}
