import { abortable } from './abortable.ts';
import type { TokenProvider } from './access-token.ts';
import { isAuthError } from './auth-error.ts';
import { clientCredentialsSettings, type ClientCredentialsOptions } from './client-credentials-options.ts';
import { elapsedSince, now, type Moment } from './moment.ts';
import { tokenAcquirer } from './token-acquirer.ts';
import type { IssuedToken } from './token-request.ts';

/** Minimum time between two background refreshes, if the first one fails. */
const REFRESH_PAUSE_MS = 10_000;
/** Minimum time between two replacements of rejected tokens. */
const REPLACEMENT_PAUSE_MS = 10_000;

/**
 * A provider that gets tokens with the OAuth 2.0 client-credentials grant (specification, section 5; RFC 6749,
 * section 4.4) and caches the current one. Callers that wait at the same time share one token request. `getToken`
 * replaces a token in the background before it expires; the provider sets no timer. The provider retries 429, 5xx and network
 * errors, and caches `invalid-client` for 5 seconds.
 *
 * @throws {AuthError} `invalid-option` or `insecure-url`. With other codes `getToken` rejects.
 * @example
 * const auth = clientCredentials({ baseUrl: 'https://hr.example.com', clientId: 'payroll-sync', clientSecret: '…' });
 * const { value } = await auth.getToken();
 */
export function clientCredentials(options: ClientCredentialsOptions): TokenProvider {
  const acquireToken = tokenAcquirer(clientCredentialsSettings(options));
  let current: IssuedToken | undefined;
  /** When the current token was requested, or its refresh failed, and how long after that to refresh it. */
  let refresh = { since: now(), after: 0 };
  let replacedAt: Moment | undefined;
  let pending: Promise<IssuedToken> | undefined;
  let waiting = 0;
  let cancelPause: (() => void) | undefined;

  const pause = async (milliseconds: number) => {
    if (waiting === 0) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => {
      cancelPause = undefined;
      resolve(true);
    }, milliseconds);
    cancelPause = () => {
      cancelPause = undefined;
      clearTimeout(timer);
      // Immediately, so that the next caller does not join a request that is given up.
      pending = undefined;
      resolve(false);
    };
    return promise;
  };

  const acquire = () => {
    if (pending) return pending;
    const acquisition = acquireToken(pause)
      .then((issued) => {
        current = issued;
        refresh = { since: issued.sentAt, after: issued.refreshAfter };
        return issued;
      })
      .finally(() => {
        if (pending === acquisition) pending = undefined;
      });
    pending = acquisition;
    return acquisition;
  };

  // The current token is still usable, so no caller sees this error.
  const postponeRefresh = (error: unknown) => {
    const retryAfterMs = isAuthError(error) ? (error.retryAfterMs ?? 0) : 0;
    refresh = { since: now(), after: Math.max(REFRESH_PAUSE_MS, retryAfterMs) };
  };

  return {
    async getToken({ signal } = {}) {
      signal?.throwIfAborted();
      const at = now();
      if (current && elapsedSince(current.sentAt, at) <= current.usableFor) {
        if (elapsedSince(refresh.since, at) >= refresh.after) acquire().catch(postponeRefresh);
        return current.token;
      }
      waiting += 1;
      try {
        const issued = await (signal ? abortable(acquire(), signal) : acquire());
        return issued.token;
      } finally {
        waiting -= 1;
        if (waiting === 0) cancelPause?.();
      }
    },
    invalidate(rejected) {
      if (current?.token.value !== rejected.value) return;
      if (replacedAt && elapsedSince(replacedAt) < REPLACEMENT_PAUSE_MS) return;
      replacedAt = now();
      current = undefined;
    },
  };
}
