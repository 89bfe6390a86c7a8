import { problemKind } from './hr-problem.ts';

/**
 * What a failed call means for the service, over all its attempts:
 *
 * - `not-sent`: no request reached it: an argument was wrong, there was no token, or no connection came about
 * - `rejected`: it refused the request (4xx); nothing took effect
 * - `accepted`: it took the request (2xx), but its answer cannot be used
 * - `unknown`: the request may have taken effect or not
 */
export type Outcome = 'not-sent' | 'rejected' | 'accepted' | 'unknown';

const gravity: readonly Outcome[] = ['not-sent', 'rejected', 'unknown', 'accepted'];

/** The outcome of two attempts: the one that tells more about what may have happened. */
export function graverOutcome(one: Outcome, other: Outcome): Outcome {
  return gravity.indexOf(one) > gravity.indexOf(other) ? one : other;
}

const REQUEST_TIMEOUT = 408;
const CONFLICT = 409;

/** The outcome of an attempt that was answered, by the status, the type of the problem, and whether a key was sent. */
export function outcomeOfAnswer(status: number, type?: string, hasKey = false): Outcome {
  if (status >= 200 && status < 300) return 'accepted';
  // The request may have been read.
  if (status === REQUEST_TIMEOUT) return 'unknown';
  if (status === CONFLICT) {
    const kind = problemKind(type);
    // A key in flight belongs to an attempt that may yet succeed, and a conflict in other words may be about the key.
    if (kind === 'idempotency-key-in-flight' || (hasKey && !kind)) return 'unknown';
  }
  return status >= 400 && status < 500 ? 'rejected' : 'unknown';
}
