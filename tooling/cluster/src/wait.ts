import { setTimeout as sleep } from 'node:timers/promises';

const TURN_MS = 250;

/**
 * Asks again and again until the answer is neither `undefined` nor `false`.
 *
 * @throws Error after `seconds`, with what was waited for and the last failure.
 */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value | undefined | false>,
  seconds = 120,
): Promise<Value> {
  const end = performance.now() + seconds * 1000;
  let last: unknown;
  // oxlint-disable no-await-in-loop -- again and again
  while (performance.now() < end) {
    try {
      const value = await ask();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      last = error;
    }
    await sleep(TURN_MS);
  }
  // oxlint-enable no-await-in-loop
  throw new Error(`${what} was waited for ${seconds} seconds.`, { cause: last });
}
