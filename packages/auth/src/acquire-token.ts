import { abortable } from './abortable.ts';
import type { AccessToken } from './access-token.ts';
import { AuthError, isAuthError } from './auth-error.ts';
import type { AuthErrorCode } from './auth-error.ts';
import type { ClientCredentialsSettings } from './client-credentials-options.ts';
import { requestToken } from './token-request.ts';
import { isVschar } from './vschar.ts';

const MAX_ATTEMPTS = 4;
const FIRST_BACKOFF_MS = 250;
const RETRIED: ReadonlySet<AuthErrorCode> = new Set(['rate-limited', 'server-error', 'network']);

/**
 * Gets a token within `timeout`: asks for the secret, then requests, and again after a passing failure.
 *
 * @param pause - Waits before the next attempt, in milliseconds; `false` when nobody waits for the outcome any more.
 */
export async function acquireToken(
  settings: ClientCredentialsSettings,
  pause: (milliseconds: number) => Promise<boolean>,
): Promise<AccessToken> {
  const { clientSecret, timeout } = settings;
  const startedAt = performance.now();
  const controller = new AbortController();
  const { signal: deadline } = controller;
  // Not AbortSignal.timeout: Node ends while only that is left, and a caller would never hear of the deadline.
  const timer = setTimeout(() => controller.abort(), timeout);
  let attempts = 0;

  const attempt = async (secret: string): Promise<AccessToken> => {
    attempts += 1;
    try {
      return await abortable(requestToken(settings, secret, deadline, attempts), deadline);
    } catch (error) {
      if (!isAuthError(error) || !RETRIED.has(error.code) || attempts === MAX_ATTEMPTS) throw error;
      const wait = (error.retryAfterMs ?? 0) + Math.random() * FIRST_BACKOFF_MS * 2 ** (attempts - 1);
      // A wait that outlasts the deadline ends now, and with the reason for it.
      if (performance.now() - startedAt + wait >= timeout || !(await pause(wait))) throw error;
      return attempt(secret);
    }
  };

  try {
    return await attempt(await abortable(readSecret(clientSecret), deadline));
  } catch (error) {
    if (!deadline.aborted) throw error;
    throw new AuthError(
      'timeout',
      `No token within ${timeout} ms; see whether the token endpoint answers, or raise timeout.`,
      { attempts },
    );
  } finally {
    clearTimeout(timer);
  }
}

async function readSecret(clientSecret: ClientCredentialsSettings['clientSecret']): Promise<string> {
  if (typeof clientSecret === 'string') return clientSecret;
  let secret: unknown;
  try {
    secret = await clientSecret();
  } catch {
    throw new AuthError(
      'secret-unavailable',
      'The clientSecret function failed. Call it by itself to see why; its error may quote the secret and is not repeated.',
    );
  }
  if (isVschar(secret)) return secret;
  throw new AuthError(
    'secret-unavailable',
    'The clientSecret function must return printable ASCII, not empty, no line break; trim what you read from a file.',
  );
}
