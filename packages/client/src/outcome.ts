import type { HrProblem } from './hr-problem.ts';

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
