import { within } from './within.ts';

/** How long a state handler, `reset` or a token option may take. */
const MOST_MS = 30_000;

/** Runs a function of the test, which must not hold the verification up for ever. */
export function runHook<Value>(hook: () => Value | Promise<Value>): Promise<Value> {
  return within(MOST_MS, `it did not end within ${MOST_MS / 1000} seconds.`, hook);
}
