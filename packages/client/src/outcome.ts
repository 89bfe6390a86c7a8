import type { HrProblem } from './hr-problem.ts';
import type { NetworkFault } from './network-fault.ts';

/**
 * The effect of a failed call on the service, over all attempts:
 *
 * - `not-sent`: no request reached it, because of an invalid argument, a missing token or no connection
 * - `rejected`: it rejected the request (4xx); nothing took effect
 * - `accepted`: it accepted the request (2xx), but the response is unusable
 * - `unknown`: the request may have taken effect
 */
export type Outcome = 'not-sent' | 'rejected' | 'accepted' | 'unknown';

const severity: readonly Outcome[] = ['not-sent', 'rejected', 'unknown', 'accepted'];

/** The combined outcome of two attempts: the more severe one. */
export function worstOutcome(one: Outcome, other: Outcome): Outcome {
  return severity.indexOf(one) > severity.indexOf(other) ? one : other;
}

const REQUEST_TIMEOUT = 408;
const CONFLICT = 409;
const UNPROCESSABLE_CONTENT = 422;

/** The outcome of an attempt, by the status, the kind of the problem, and whether the request had a key. */
export function outcomeOfResponse(status: number, kind?: HrProblem['kind'], hasKey = false): Outcome {
  if (status >= 200 && status < 300) return 'accepted';
  // The service may have read the request.
  if (status === REQUEST_TIMEOUT) return 'unknown';
  // The key belongs to a request that succeeds or has succeeded.
  if (kind === 'idempotency-key-in-flight' || kind === 'idempotency-key-reused') return 'unknown';
  // Without a known kind, these may be about the key.
  if (hasKey && !kind && (status === CONFLICT || status === UNPROCESSABLE_CONTENT)) return 'unknown';
  return status >= 400 && status < 500 ? 'rejected' : 'unknown';
}

/** Without a connection nothing was sent. Browsers never report this. */
const withoutConnection = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/** System calls before there is a connection. */
const callsBeforeConnection = new Set<unknown>(['connect', 'getaddrinfo']);
/** Certificate errors of OpenSSL and Node.js, before anything is sent. */
const untrustedPattern =
  /^(?:CERT_\w+|UNABLE_TO_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|ERR_TLS_CERT_ALTNAME_INVALID)$/;

/**
 * The outcome of an attempt without a response, and whether the platform does not trust the service's certificate.
 *
 * @param isPlatform - Whether the platform's own `fetch` threw the error.
 */
export function outcomeOfFault({ error, code, words, isOfNetwork }: NetworkFault, isPlatform: boolean) {
  if (code === undefined) {
    // Deno has no codes. It sends a request again if a kept connection closes, so it may say that there is no connection
    // after the service received the request.
    const outcome: Outcome = isPlatform && !isOfNetwork ? 'not-sent' : 'unknown';
    return { outcome, isUntrusted: words.includes('client error (Connect)') && words.includes('certificate') };
  }
  const isUntrusted = untrustedPattern.test(code);
  const isUnsent =
    !isOfNetwork || isUntrusted || withoutConnection.has(code) || callsBeforeConnection.has(systemCall(error));
  const outcome: Outcome = isUnsent ? 'not-sent' : 'unknown';
  return { outcome, isUntrusted };
}

/** If several addresses failed, use the error of the first. */
function systemCall(error: unknown): unknown {
  const [one]: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return (one as { readonly syscall?: unknown } | undefined)?.syscall;
}
