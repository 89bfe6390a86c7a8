import { isDeepStrictEqual } from 'node:util';

/** Ends the rehearsal with a message if a value is not the expected one. */
export function ensureEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what} must be ${JSON.stringify(expected)}, and is ${JSON.stringify(actual)}.`);
}
