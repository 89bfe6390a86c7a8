import { z } from 'zod';
import { HrTestingError } from '../hr-testing-error.ts';
import { fakeOperations } from './routes.ts';
import type { FakeOperation } from './routes.ts';

const failureStatuses = [401, 403, 409, 429, 500, 503] as const;

/** A status by which a valid request can fail. */
export type FailureStatus = (typeof failureStatuses)[number];

/** Statuses of operations of the API alone: the token endpoint does not answer them. */
const operationStatuses = [403, 409] as const satisfies readonly FailureStatus[];

/**
 * How a request fails, or is delayed:
 *
 * - a status: the fake answers it and does nothing else. 401 ends the token of the request, 409 says that its
 *   `Idempotency-Key` is in flight, 429 and 503 have a `Retry-After`
 * - `lost-request`: the connection breaks before the request is handled
 * - `lost-answer`: the request is handled, and the connection breaks before the response
 * - `truncated-answer`: the request is handled, and the connection breaks within the response
 * - `delayMs`: the request is handled so many milliseconds later, at most 2,147,483,647
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

/** The failures of requests to come. */
export type Failures = ReturnType<typeof createFailures>;

export function createFailures() {
  const pending = new Map<FakeOperation, Failure[]>();
  return {
    add(operation: FakeOperation, failure: Failure, times: number): void {
      checkFailure(operation, failure, times);
      pending.set(operation, [...(pending.get(operation) ?? []), ...Array.from({ length: times }, () => failure)]);
    },
    /** The failure of the next request of an operation. */
    take: (operation: FakeOperation): Failure | undefined => pending.get(operation)?.shift(),
    clear: (): void => pending.clear(),
  };
}

/** The longest delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;
const broken = ['lost-request', 'lost-answer', 'truncated-answer'] as const;

function checkFailure(operation: FakeOperation, failure: Failure, times: number): void {
  if (!Number.isSafeInteger(times) || times < 1) throw invalid('times must be a whole number, 1 or more');
  if (!fakeOperations.includes(operation)) throw invalid(`the operation must be one of ${fakeOperations.join(', ')}`);
  const others: readonly FailureStatus[] = operation === 'requestToken' ? operationStatuses : [];
  const statuses = failureStatuses.filter((each) => !others.includes(each));
  const status = z.literal(statuses);
  const model = z.union([
    status,
    z.strictObject({ status, retryAfterSeconds: z.int().gte(0).optional() }),
    z.enum(broken),
    z.strictObject({ delayMs: z.number().gte(0).lte(MAX_DELAY_MS) }),
  ]);
  if (model.safeParse(failure).success) return;
  throw invalid(
    `the failure of ${operation} must be one of ${statuses.join(', ')}, '${broken.join("', '")}', ` +
      `{ status, retryAfterSeconds } with whole seconds, or { delayMs } from 0 to ${MAX_DELAY_MS}`,
  );
}

function invalid(sentence: string): HrTestingError {
  return new HrTestingError('invalid-option', `failNext: ${sentence}.`);
}
