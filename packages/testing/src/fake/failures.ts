import { fakeOperations } from './routes.ts';
import type { FakeOperation } from './routes.ts';

const failureStatuses = [401, 403, 409, 429, 500, 503] as const;

/** A status by which a request can fail though nothing is wrong with it. */
export type FailureStatus = (typeof failureStatuses)[number];

/** Statuses that belong to operations of the API: no request for a token is answered so. */
const operationStatuses = [403, 409] as const satisfies readonly FailureStatus[];

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
      checkFailure(operation, failure);
      const more = Array.from({ length: times }, () => failure);
      waiting.set(operation, [...(waiting.get(operation) ?? []), ...more]);
    },
    take: (operation) => waiting.get(operation)?.shift(),
    clear: () => waiting.clear(),
  };
}

const wholeFailures: readonly unknown[] = ['lost-request', 'lost-answer', 'truncated-answer'] satisfies Failure[];

/** A timer of JavaScript takes no more. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** @throws {RangeError} where no request can fail so. */
function checkFailure(operation: FakeOperation, failure: Failure): void {
  if (!fakeOperations.includes(operation)) throw wrong(`the operation must be one of ${fakeOperations.join(', ')}`);
  if (wholeFailures.includes(failure)) return;
  if (typeof failure === 'object' && 'delayMs' in failure) {
    const { delayMs } = failure;
    if (!(delayMs >= 0 && delayMs <= LONGEST_DELAY_MS))
      throw wrong(`delayMs must be a number from 0 to ${LONGEST_DELAY_MS}`);
    return;
  }
  const { status, retryAfterSeconds = 0 } = typeof failure === 'object' ? failure : { status: failure };
  const others: readonly unknown[] = operation === 'requestToken' ? operationStatuses : [];
  const statuses: readonly unknown[] = failureStatuses.filter((each) => !others.includes(each));
  if (!statuses.includes(status)) {
    const whole = wholeFailures.map((each) => `'${String(each)}'`).join(', ');
    throw wrong(`a failure of ${operation} must be one of ${statuses.join(', ')}, ${whole}, or { delayMs }`);
  }
  if (!Number.isSafeInteger(retryAfterSeconds) || retryAfterSeconds < 0)
    throw wrong('retryAfterSeconds must be a whole number, 0 or more');
}

function wrong(sentence: string): RangeError {
  return new RangeError(`failNext: ${sentence}.`);
}
