import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  bulk,
  HrError,
  type BulkOptions,
  type BulkProgress,
  type CallOptions,
  type HrErrorInit,
} from '../src/index.ts';

const MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }));
afterEach(() => vi.useRealTimers());

/** Waits until a promise is settled, in the time of the test. */
async function settled<Result>(promise: Promise<Result>): Promise<Result> {
  const state = { isSettled: false };
  promise.finally(() => (state.isSettled = true)).catch(() => undefined);
  // oxlint-disable-next-line no-await-in-loop -- time passes step by step
  while (!state.isSettled) await vi.advanceTimersByTimeAsync(100);
  return promise;
}

async function all<Result>(results: AsyncIterable<Result>): Promise<Result[]> {
  const list: Result[] = [];
  for await (const result of results) list.push(result);
  return list;
}

function failure(code: HrError['code'], init: HrErrorInit = {}): HrError {
  return new HrError(code, 'failed', { operation: 'listAbsences', ...init });
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** A service with a limit of requests a minute, for all its callers. */
function limitedService(quota: number, hasHeaders: boolean) {
  const service = { refused: 0, used: 0 };
  const call = async (input: number, { onEvent }: CallOptions): Promise<number> => {
    const resetMs = MINUTE_MS - (performance.now() % MINUTE_MS);
    if (resetMs === MINUTE_MS || windowAt !== Math.floor(performance.now() / MINUTE_MS)) service.used = 0;
    windowAt = Math.floor(performance.now() / MINUTE_MS);
    if (service.used >= quota) {
      service.refused++;
      throw failure('rate-limited', { retryAfterMs: Math.ceil(resetMs / 1000) * 1000, outcome: 'rejected' });
    }
    service.used++;
    const rateLimit = { remaining: quota - service.used, resetMs: Math.ceil(resetMs / 1000) * 1000 };
    await pause(50);
    const response = { type: 'response', attempt: 1, status: 200, requestId: undefined, date: undefined } as const;
    if (hasHeaders) onEvent?.({ call: 1, operation: 'listAbsences', ...response, rateLimit });
    return input;
  };
  let windowAt = -1;
  return { service, call };
}

test('work beyond a limit of requests ends by itself, in order, and says how long it takes', async () => {
  const setting = fc.record({
    inputs: fc.array(fc.nat(), { maxLength: 400 }),
    quota: fc.integer({ min: 5, max: 100 }),
    concurrency: fc.integer({ min: 1, max: 10 }),
    hasHeaders: fc.boolean(),
    rivals: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(setting, async ({ inputs, quota, concurrency, hasHeaders, rivals }) => {
      const { service, call } = limitedService(quota, hasHeaders);
      const startedAt = performance.now();
      const progress: BulkProgress[] = [];
      const options = { concurrency, onProgress: (each: BulkProgress) => progress.push(each) };
      const runs = Array.from({ length: rivals }, () => all(bulk(inputs, call, options)));
      for (const result of await settled(Promise.all(runs))) expect(result).toEqual(inputs);

      const minutes = (performance.now() - startedAt) / MINUTE_MS;
      const needed = (rivals * inputs.length) / quota;
      // The limit is not used up where a window ends early for the calls in flight.
      expect(minutes).toBeLessThanOrEqual(2 + (needed * quota) / Math.max(1, quota - rivals * concurrency) + needed);
      const isPaced = hasHeaders && rivals === 1 && quota > concurrency;
      expect(isPaced ? service.refused : 0).toBe(0);
      for (const { done, total, msLeft } of progress) {
        expect(total).toBe(inputs.length);
        expect(done === inputs.length ? msLeft : 0).toBe(0);
      }
    }),
    { numRuns: 30 },
  );
});

test('a pause is reported once, with its reason and the time left', async () => {
  const { call } = limitedService(60, false);
  const pauses: BulkProgress[] = [];
  const onProgress: BulkOptions['onProgress'] = (progress) => progress.pause && pauses.push(progress);
  await settled(
    all(
      bulk(
        Array.from({ length: 386 }, (_, index) => index),
        call,
        { onProgress },
      ),
    ),
  );
  expect(pauses).toHaveLength(6);
  const [first] = pauses as [BulkProgress];
  expect(first).toMatchObject({ done: 60, total: 386, pause: { error: { code: 'rate-limited' } } });
  expect(first.pause?.ms).toBeGreaterThan(50_000);
  expect(first.msLeft).toBeGreaterThan(4 * MINUTE_MS);
  expect(first.msLeft).toBeLessThan(7 * MINUTE_MS);
});

test.each<[string, HrError, number]>([
  ['a read whose connection broke is made again', failure('network', { outcome: 'unknown' }), 2],
  ['a payment that may have arrived is not made again', payment('network', 'unknown'), 1],
  ['a payment that was refused for the rate is made again', payment('rate-limited', 'rejected'), 2],
  ['a payment that was not sent is made again', payment('network', 'not-sent'), 2],
  ['a refusal for another reason ends it', failure('forbidden', { outcome: 'rejected' }), 1],
  ['a longer wait than maxWait ends it', failure('rate-limited', { outcome: 'rejected', retryAfterMs: 3_600_000 }), 1],
])('%s', async (_, error, calls) => {
  const run = vi.fn<() => Promise<string>>().mockResolvedValueOnce('done').mockRejectedValueOnce(error);
  const results = all(bulk([1, 2], run.mockResolvedValue('done'), { concurrency: 1 }));
  const end = await settled(results.catch((thrown: unknown) => thrown));
  expect(end).toEqual(calls === 1 ? error : ['done', 'done']);
  expect(run).toHaveBeenCalledTimes(1 + calls);
});

function payment(code: HrError['code'], outcome: HrErrorInit['outcome']): HrError {
  return failure(code, { operation: 'submitVariablePayment', outcome });
}

test('an outage that lasts longer than maxWait ends it, and a shorter one does not', async () => {
  const outage = async (ms: number): Promise<string[]> => {
    const endsAt = performance.now() + ms;
    let calls = 0;
    const run = async (): Promise<string> => {
      if (++calls > 1 && performance.now() < endsAt) throw failure('network', { outcome: 'not-sent' });
      return 'done';
    };
    return settled(all(bulk([1, 2, 3], run, { maxWait: 5 * MINUTE_MS })));
  };
  await expect(outage(3 * MINUTE_MS)).resolves.toEqual(['done', 'done', 'done']);
  await expect(outage(6 * MINUTE_MS)).rejects.toMatchObject({ code: 'network' });
});

test('a first call without a connection fails at once', async () => {
  const run = vi.fn<() => Promise<string>>().mockRejectedValue(failure('network', { outcome: 'not-sent' }));
  await expect(all(bulk([1, 2, 3], run, { concurrency: 1 }))).rejects.toMatchObject({ code: 'network' });
  expect(run).toHaveBeenCalledTimes(1);
});

test('leaving the loop starts no further call, and awaits those in flight', async () => {
  const started: number[] = [];
  const ended: number[] = [];
  const results = bulk(
    [0, 1, 2, 3, 4, 5, 6, 7],
    async (input) => {
      started.push(input);
      await pause(1000 * (1 + input));
      ended.push(input);
      return input;
    },
    { concurrency: 3 },
  );
  await settled(
    (async () => {
      for await (const result of results) if (result === 0) return;
    })(),
  );
  expect(started).toEqual([0, 1, 2]);
  expect(ended).toEqual([0, 1, 2]);
});

test('an abort ends a pause at once', async () => {
  const controller = new AbortController();
  const run = vi.fn<() => Promise<string>>().mockRejectedValue(failure('rate-limited', { retryAfterMs: 50_000 }));
  const result = all(bulk([1], run, { signal: controller.signal }));
  await vi.advanceTimersByTimeAsync(1000);
  controller.abort(new Error('mine'));
  await expect(result).rejects.toMatchObject({ code: 'aborted', cause: { message: 'mine' } });
  expect(run).toHaveBeenCalledTimes(1);
});

test.each<BulkOptions>([{ concurrency: 0 }, { concurrency: 1.5 }, { maxWait: -1 }])(
  'a wrong option is named: %o',
  async (options) => {
    const [name] = Object.keys(options);
    await expect(all(bulk([1], async () => 1, options))).rejects.toThrow(`bulk: ${name} must be`);
  },
);
