import { randomBytes } from 'node:crypto';

const COUNTER_VALUES = 2 ** 24;

export const UUID_V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** Tells processes apart. */
const processPart = randomBytes(6).toString('hex');
let counter = 0;

/**
 * A UUID of version 7 (RFC 9562), which begins with a moment. Those of a process and a moment are in the order of the
 * calls.
 *
 * @param milliseconds since the epoch, from 1970 on
 */
export function uuidV7(milliseconds = Date.now()): string {
  counter = (counter + 1) % COUNTER_VALUES;
  const time = milliseconds.toString(16).padStart(12, '0');
  const count = counter.toString(16).padStart(6, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.slice(0, 3)}-8${count.slice(3)}-${processPart}`;
}

/** The moment with which a UUID of version 7 begins, in milliseconds since the epoch. */
export function momentOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
