import { failureStatuses, operationStatuses } from './failure.ts';
import type { Failure } from './failure.ts';
import { fakeOperations } from './http/find-route.ts';
import type { FakeOperation } from './http/find-route.ts';

const wholeFailures: readonly unknown[] = ['lost-request', 'lost-answer', 'truncated-answer'] satisfies Failure[];

/** A timer of JavaScript takes no more. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** @throws {RangeError} where no request can fail so. */
export function checkFailure(operation: FakeOperation, failure: Failure): void {
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
