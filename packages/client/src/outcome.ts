import { problemType } from '@hr/schemas';

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

/** The outcome of an attempt that was answered, by the status and the type of the problem. */
export function outcomeOfAnswer(status: number, type?: string): Outcome {
  if (status >= 200 && status < 300) return 'accepted';
  // With 408 the request may have been read, and a key in flight belongs to an attempt that may yet succeed.
  if (status === REQUEST_TIMEOUT || (status === CONFLICT && type === problemType('idempotency-key-in-flight'))) {
    return 'unknown';
  }
  return status >= 400 && status < 500 ? 'rejected' : 'unknown';
}
