import type { FakeOperation } from './http/find-route.ts';

export const failureStatuses = [401, 403, 409, 429, 500, 503] as const;

/** A status by which a request can fail though nothing is wrong with it. */
export type FailureStatus = (typeof failureStatuses)[number];

/** Statuses that belong to operations of the API: no request for a token is answered so. */
export const operationStatuses = [403, 409] as const satisfies readonly FailureStatus[];

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
export type Failure<Status extends FailureStatus = FailureStatus> =
  | Status
  | { readonly status: Status; readonly retryAfterSeconds?: number }
  | 'lost-request'
  | 'lost-answer'
  | 'truncated-answer'
  | { readonly delayMs: number };

/** How a request of an operation can fail. */
export type FailureOf<Operation extends FakeOperation> = Failure<
  Operation extends 'requestToken' ? Exclude<FailureStatus, (typeof operationStatuses)[number]> : FailureStatus
>;
