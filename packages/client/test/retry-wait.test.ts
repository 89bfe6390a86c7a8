import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clientOf } from './service.ts';

// No server here: the platform's own timers would be among those looked at.
const DEADLINE = 60_000;
const noOtherTimeouts = { attemptTimeout: false, idleTimeout: false } as const;
/** The wait for the body of a problem. */
const PROBLEM_WAIT = 5000;
const waits: number[] = [];

beforeEach(() => {
  // Waits are looked at, not waited for.
  const { setTimeout } = globalThis;
  waits.length = 0;
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, ms: number) => {
    if (ms > DEADLINE / 2 || ms === PROBLEM_WAIT) return setTimeout(callback, ms);
    waits.push(ms);
    return setTimeout(callback, 0);
  }) as typeof setTimeout);
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function waitsAfter(...headers: Record<string, string>[]): Promise<number[]> {
  const answers = [...headers.map((fields) => new Response('', { status: 503, headers: fields })), Response.json([])];
  const fetch = async () => answers.shift() ?? Response.error();
  await clientOf(
    { url: 'https://hr.example.com' },
    { fetch, retry: {}, timeout: DEADLINE, ...noOtherTimeouts },
  ).persons.list();
  return waits;
}

test('the wait is random and doubles', async () => {
  await expect(waitsAfter({}, {})).resolves.toEqual([150, 300]);
});

test('the wait is what Retry-After asks in seconds, and up to a quarter more', async () => {
  await expect(waitsAfter({ 'retry-after': '7' }, {})).resolves.toEqual([7875, 300]);
});

test('the wait is what Retry-After asks by a date', async () => {
  const [wait = 0] = await waitsAfter({ 'retry-after': new Date(Date.now() + 20_000).toUTCString() });
  expect(wait).toBeGreaterThan(15_000);
  expect(wait).toBeLessThanOrEqual(22_500);
});

test('the wait is never longer than maxDelay', async () => {
  await expect(waitsAfter({ 'retry-after': '30' })).resolves.toEqual([30_000]);
});

test.each(['tomorrow', '-1', '1.5', ''])(
  'the wait is the usual one when Retry-After cannot be read: %j',
  async (value) => {
    await expect(waitsAfter({ 'retry-after': value })).resolves.toEqual([150]);
  },
);

test('a wait that Retry-After asked for does not outlive its answer', async () => {
  const answers = [new Response('', { status: 503, headers: { 'retry-after': '7' } })];
  const fetch = async () => answers.shift() ?? Promise.reject(new TypeError('fetch failed'));
  const call = clientOf(
    { url: 'https://hr.example.com' },
    { fetch, retry: {}, timeout: DEADLINE, ...noOtherTimeouts },
  ).persons.list();
  await expect(call).rejects.toMatchObject({ code: 'network', attempts: 3 });
  expect(waits).toEqual([7875, 300]);
});
