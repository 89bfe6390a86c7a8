import type { Outcome } from './outcome.ts';

/** What can be told of a `fetch` that rejected. */
export interface NetworkFault {
  readonly outcome: Extract<Outcome, 'not-sent' | 'unknown'>;
  /** Such as `ECONNREFUSED`, where the platform tells. */
  readonly systemCode: string | undefined;
}

/** With these there was no connection, so nothing can have been sent on it. A browser never tells. */
const withoutConnection = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
const systemCodePattern = /^[A-Z][A-Z0-9_]{1,63}$/;
const DEEPEST_CAUSE = 5;

/** Reads the system's error code out of what `fetch` threw, and nothing else: the rest may quote the request. */
export function networkFault(thrown: unknown): NetworkFault {
  let error = thrown;
  for (let depth = 0; depth < DEEPEST_CAUSE && error instanceof Error; depth++) {
    const code = 'code' in error ? error.code : undefined;
    if (typeof code === 'string' && systemCodePattern.test(code)) {
      return { outcome: withoutConnection.has(code) ? 'not-sent' : 'unknown', systemCode: code };
    }
    error = error.cause;
  }
  return { outcome: 'unknown', systemCode: undefined };
}
