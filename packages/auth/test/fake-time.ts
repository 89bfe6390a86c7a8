import { setImmediate } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/** Time that moves only when the test says so. Sockets are real. */
export interface FakeTime {
  /** Moves the clocks, and fires the timers that are due. */
  pass(milliseconds: number): void;
  /** Resolves when the program has set a timer of exactly this length. Not 499 or 3000: undici sets those. */
  timer(milliseconds: number): Promise<void>;
  /** Waits for timers of these lengths, one after the other, and lets each one fire. */
  elapse(...delays: readonly number[]): Promise<void>;
  /** Waits for a promise, and lets every wait of a provider between two attempts fire. */
  skipBackoffs(promise: Promise<unknown>): Promise<void>;
}

/** The waits of a provider before the second, third and fourth attempt, without jitter. */
export const BACKOFFS_MS = [250, 500, 1000];
const START = new Date('2026-10-31T08:00:00Z');

/** Stops clocks and timers at 2026-10-31T08:00:00Z for the rest of the test. `random` is the share of the jitter, from 0 to 1. */
export function fakeTime({ random = 0 } = {}): FakeTime {
  vi.useFakeTimers({ now: START, toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
  vi.spyOn(Math, 'random').mockReturnValue(random);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => {
    // All, so that vitest does not restore the fake timer again after the file.
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  const time: FakeTime = {
    pass: (milliseconds) => void vi.advanceTimersByTime(milliseconds),
    async timer(milliseconds) {
      // oxlint-disable-next-line no-await-in-loop -- as many turns as the sockets need
      while (!timers.mock.calls.some(([, delay]) => delay === milliseconds)) await setImmediate();
      timers.mockClear();
    },
    async elapse(...delays) {
      for (const delay of delays) {
        // oxlint-disable-next-line no-await-in-loop -- each is set when the one before has fired
        await time.timer(delay);
        time.pass(delay);
      }
    },
    async skipBackoffs(promise) {
      const settled = promise.then(() => true);
      // oxlint-disable-next-line no-await-in-loop -- as many turns as the responses need
      while (!(await Promise.race([settled, setImmediate(false)]))) {
        const [backoff] = timers.mock.calls
          .splice(0)
          .flatMap(([, delay = 0]) => BACKOFFS_MS.filter((ms) => ms === delay));
        if (backoff !== undefined) time.pass(backoff);
      }
    },
  };
  return time;
}
