import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAuthError } from '../src/index.ts';
import { BACKOFFS_MS, fakeTime } from './fake-time.ts';
import { NOWHERE, providerFor } from './provider.ts';
import { numberedToken, tokenServer } from './token-server.ts';

/** A token has ten seconds left, or a tenth of its lifetime if that is shorter. */
const marginOf = (lifetimeMs: number) => Math.min(10_000, lifetimeMs / 10);

test.each([
  ['an hour', 3600],
  ['two seconds', 2],
])('a token of %s is replaced as soon as it has less than its margin left', async (_, seconds) => {
  const time = fakeTime();
  await using server = await tokenServer(numberedToken({ expires_in: seconds }));
  const auth = providerFor(server);
  const old = await auth.getToken();
  time.pass(seconds * 1000 - marginOf(seconds * 1000));
  expect(await auth.getToken()).toBe(old);
  time.pass(1);

  expect((await auth.getToken()).value).toBe('token-2');
});

test('a token that expires before its response is complete is requested again', async () => {
  const time = fakeTime();
  const slow =
    (...delays: number[]) =>
    async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      time.pass(delays.shift() ?? 2000);
      return response;
    };
  await using server = await tokenServer(numberedToken({ expires_in: 2 }));
  const [token] = await Promise.all([providerFor(server, { fetch: slow(1801, 1800) }).getToken(), time.elapse(250)]);
  expect(token.value).toBe('token-2');

  const late = providerFor(server, { fetch: slow() }).getToken();
  await Promise.all([
    time.elapse(...BACKOFFS_MS),
    expect(late).rejects.toMatchObject({
      code: 'network',
      attempts: 4,
      message: expect.stringContaining('the token expired before the response was complete (expires_in 2)') as string,
    }),
  ]);
});

interface PlannedResponse {
  /** In seconds. */
  readonly lifetime: number;
  /** Between request and response, in milliseconds. */
  readonly delay: number;
  readonly status: number;
}

const plannedResponse: fc.Arbitrary<PlannedResponse> = fc.record({
  lifetime: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 7200 })),
  delay: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12_000 })),
  status: fc.constantFrom(200, 200, 200, 503),
});
/** Between two calls, in milliseconds. */
const gap = fc.oneof(fc.integer({ min: 0, max: 12_000 }), fc.integer({ min: 0, max: 8_000_000 }));

test('whatever the lifetimes, delays and call times, a token is valid for its margin', async () => {
  const time = fakeTime();
  /** What each token had left beyond its margin when a caller got it, in milliseconds. */
  const spare: number[] = [];

  async function run(planned: readonly PlannedResponse[], gaps: readonly number[]): Promise<void> {
    const issued: { readonly at: number; readonly lifetimeMs: number }[] = [];
    async function fetch(): Promise<Response> {
      const { lifetime, delay, status } = planned[issued.length % planned.length] as PlannedResponse;
      const index = issued.push({ at: Date.now(), lifetimeMs: lifetime * 1000 }) - 1;
      await setImmediate();
      time.pass(delay);
      return Response.json({ access_token: `${index}`, token_type: 'Bearer', expires_in: lifetime }, { status });
    }
    const auth = providerFor(NOWHERE, { fetch });
    async function call(): Promise<void> {
      try {
        const { value } = await auth.getToken();
        const { at, lifetimeMs } = issued[Number(value)] ?? { at: 0, lifetimeMs: 0 };
        spare.push(at + lifetimeMs - Date.now() - marginOf(lifetimeMs));
      } catch (error) {
        if (!isAuthError(error) || !/^(server-error|network|timeout)$/.test(error.code)) throw error;
      }
    }
    for (const milliseconds of gaps) {
      time.pass(milliseconds);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await time.skipBackoffs(Promise.all([call(), call()]));
    }
    expect(Math.min(0, ...spare)).toBe(0);
  }

  await fc.assert(fc.asyncProperty(fc.array(plannedResponse, { minLength: 1 }), fc.array(gap, { minLength: 1 }), run));
  expect(spare.length).toBeGreaterThan(100);
});
