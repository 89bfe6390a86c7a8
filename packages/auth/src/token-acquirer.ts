import { abortable } from './abortable.ts';
import { AuthError, isAuthError, type AuthErrorCode } from './auth-error.ts';
import type { ClientCredentialsSettings } from './client-credentials-options.ts';
import type { ReadProof } from './client-proof.ts';
import { requestToken, type IssuedToken } from './token-request.ts';

/** Waits before the next attempt, in milliseconds. Resolves to `false` if no caller waits for the token any more. */
type Pause = (milliseconds: number) => Promise<boolean>;

const MAX_ATTEMPTS = 4;
const FIRST_BACKOFF_MS = 250;
const RETRIED: ReadonlySet<AuthErrorCode> = new Set(['rate-limited', 'server-error', 'network']);
/** How long the provider waits before it sends a rejected secret or key again. */
const REJECTION_CACHE_MS = 5000;

/** Makes the function that gets a new token within `timeout`: reads the secret or key, sends the request, retries temporary failures. */
export function tokenAcquirer(settings: ClientCredentialsSettings): (pause: Pause) => Promise<IssuedToken> {
  const { readProof, timeout } = settings;
  let rejection: { readonly id: unknown; readonly error: AuthError; readonly until: number } | undefined;

  function throwCachedRejection({ id }: ReadProof): void {
    if (!rejection || rejection.id !== id || performance.now() >= rejection.until) return;
    const { code, message, status, oauthError } = rejection.error;
    const hint = `Not sent again, because the server rejected this less than ${REJECTION_CACHE_MS / 1000} s ago.`;
    throw new AuthError(code, `${message} ${hint}`, { status, oauthError });
  }

  return async (pause) => {
    const endsAt = performance.now() + timeout;
    const controller = new AbortController();
    const { signal: deadline } = controller;
    // Not AbortSignal.timeout: Node.js exits while only its timer is pending, and no caller would see the error.
    const timer = setTimeout(() => controller.abort(), timeout);
    let attempts = 0;

    const attempt = async (proof: ReadProof): Promise<IssuedToken> => {
      attempts += 1;
      try {
        return await abortable(requestToken(settings, proof.authenticate, deadline, attempts), deadline);
      } catch (error) {
        if (!isAuthError(error)) throw error;
        if (error.code === 'invalid-client') {
          rejection = { id: proof.id, error, until: performance.now() + REJECTION_CACHE_MS };
        }
        if (!RETRIED.has(error.code) || attempts === MAX_ATTEMPTS) throw error;
        const backoff = FIRST_BACKOFF_MS * 2 ** (attempts - 1);
        const wait = Math.max(backoff, error.retryAfterMs ?? 0) + Math.random() * backoff;
        // A wait beyond the deadline is pointless: fail immediately, and with the actual reason.
        if (performance.now() + wait >= endsAt || !(await pause(wait))) throw error;
        return attempt(proof);
      }
    };

    try {
      const proof = await abortable(readProof(), deadline);
      throwCachedRejection(proof);
      return await attempt(proof);
    } catch (error) {
      if (!deadline.aborted) throw error;
      throw new AuthError(
        'timeout',
        `No token within ${timeout} ms. Increase "timeout" or check that the token endpoint is reachable.`,
        { attempts },
      );
    } finally {
      clearTimeout(timer);
    }
  };
}
