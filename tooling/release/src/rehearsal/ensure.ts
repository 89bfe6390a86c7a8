import { isDeepStrictEqual } from 'node:util';

/** Ends the rehearsal with a sentence when something is not as it must be. */
export function ensureEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what} must be ${JSON.stringify(expected)}, and is ${JSON.stringify(actual)}.`);
}
