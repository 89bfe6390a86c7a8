import { checkFailure } from './check-failure.ts';
import type { Failure } from './failure.ts';
import type { FakeOperation } from './http/find-route.ts';

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
