import type { FakeOperation } from './http/find-route.ts';

/** A status by which a request can fail though nothing is wrong with it. */
export type FailureStatus = 401 | 403 | 409 | 429 | 500 | 503;

/**
 * How a request fails, or is held up:
 *
 * - a status: answered so, and nothing is done. 401 ends the token that the request brought, 409 says that its
 *   `Idempotency-Key` is in flight, 429 and 503 bring a `Retry-After`
 * - `lost-request`: the connection breaks, and nothing is done
 * - `lost-answer`: what was asked for is done, and the connection breaks before the answer
 * - `truncated-answer`: what was asked for is done, and the connection breaks within the answer
 * - `delayMs`: the answer comes that much later
 */
export type Failure =
  | FailureStatus
  | { readonly status: FailureStatus; readonly retryAfterSeconds?: number }
  | 'lost-request'
  | 'lost-answer'
  | 'truncated-answer'
  | { readonly delayMs: number };

/** The failures that wait for requests. */
export interface Failures {
  add(operation: FakeOperation, failure: Failure, times: number): void;
  /** The failure of the next request of an operation. */
  take(operation: FakeOperation): Failure | undefined;
  clear(): void;
}

export function createFailures(): Failures {
  const waiting = new Map<FakeOperation, Failure[]>();
  return {
    add(operation, failure, times) {
      if (!Number.isSafeInteger(times) || times < 1) throw new RangeError('failNext: times must be 1 or more.');
      const more = Array.from({ length: times }, () => failure);
      waiting.set(operation, [...(waiting.get(operation) ?? []), ...more]);
    },
    take: (operation) => waiting.get(operation)?.shift(),
    clear: () => waiting.clear(),
  };
}
