import { setImmediate } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { fakeTime } from './fake-time.ts';
import { NOWHERE, providerFor } from './provider.ts';
import { runProgram } from './run-program.ts';
import { held, numberedToken, status, tokenServer } from './token-server.ts';

const HOUR_MS = 3_600_000;
const tokenOf = (value: string) => Response.json({ access_token: value, token_type: 'Bearer', expires_in: 3600 });

describe('after 80 % of its lifetime a token', () => {
  test('is still returned immediately, while one request gets the next one', async () => {
    const time = fakeTime();
    const gate = held(numberedToken());
    await using server = await tokenServer(numberedToken(), gate.respond);
    const auth = providerFor(server);
    const old = await auth.getToken();

    time.pass(0.79 * HOUR_MS);
    expect(await auth.getToken()).toBe(old);
    expect(server.requests).toHaveLength(1);
    time.pass(0.02 * HOUR_MS);
    expect(await Promise.all([auth.getToken(), auth.getToken()])).toEqual([old, old]);
    await gate.arrived;
    expect(await auth.getToken()).toBe(old);
    gate.release();
    // oxlint-disable-next-line no-await-in-loop -- as many turns as the response needs
    while ((await auth.getToken()) === old) await setImmediate();
    expect((await auth.getToken()).value).toBe('token-2');
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ['ten seconds later', () => Promise.reject(new Error('reset')), 10_000],
    [
      'as late as the server asks',
      async () => new Response('', { status: 429, headers: { 'retry-after': '60' } }),
      60_000,
    ],
  ])('stays in use if its refresh fails, and the next refresh starts %s', async (_, failure, pause) => {
    const time = fakeTime();
    const fetch = vi.fn<() => Promise<Response>>(failure).mockResolvedValueOnce(tokenOf('old'));
    const auth = providerFor(NOWHERE, { fetch });
    const old = await auth.getToken();

    time.pass(0.81 * HOUR_MS);
    expect(await auth.getToken()).toBe(old);
    await setImmediate();
    expect(fetch).toHaveBeenCalledTimes(2);
    fetch.mockResolvedValue(tokenOf('new'));
    time.pass(pause - 1);
    expect(await auth.getToken()).toBe(old);
    await setImmediate();
    expect(fetch).toHaveBeenCalledTimes(2);
    time.pass(1);
    expect(await auth.getToken()).toBe(old);
    // oxlint-disable-next-line no-await-in-loop -- as many turns as the response needs
    while ((await auth.getToken()) === old) await setImmediate();
    expect((await auth.getToken()).value).toBe('new');
  });

  test('makes its callers wait for the pending refresh once it is invalidated, and that is then retried', async () => {
    const time = fakeTime();
    const gate = held(status(503));
    await using server = await tokenServer(numberedToken(), gate.respond, numberedToken());
    const auth = providerFor(server);
    const old = await auth.getToken();

    time.pass(0.81 * HOUR_MS);
    await auth.getToken();
    await gate.arrived;
    auth.invalidate(old);
    const waiting = auth.getToken();
    gate.release();
    await time.elapse(250);
    expect((await waiting).value).toBe('token-3');
    expect(server.requests).toHaveLength(3);
  });
});

test('the secret function is called for each new token', async () => {
  await using server = await tokenServer(numberedToken());
  const secrets = ['first', 'second'];
  const auth = providerFor(server, { clientSecret: async () => secrets.shift() ?? '' });
  auth.invalidate(await auth.getToken());
  await auth.getToken();

  expect(server.requests.map(({ form }) => form.get('client_secret'))).toEqual(['first', 'second']);
});

test('a provider does not keep a program alive', async () => {
  await using server = await tokenServer(numberedToken());
  const program = `
    import { clientCredentials } from '@hr/auth';
    const auth = clientCredentials({ baseUrl: '${server.url}', clientId: 'a', clientSecret: 'b', timeout: 2_147_483_647 });
    console.log((await auth.getToken()).value);
  `;

  expect(await runProgram(program)).toBe('token-1\n');
});

test('a clock that is set back keeps no expired token', async () => {
  const time = fakeTime();
  await using server = await tokenServer(numberedToken());
  const auth = providerFor(server);
  await auth.getToken();
  time.pass(HOUR_MS);
  vi.setSystemTime(Date.now() - 2 * HOUR_MS);
  expect((await auth.getToken()).value).toBe('token-2');
});

test('while the API rejects every token, a new one is requested every ten seconds', async () => {
  const time = fakeTime();
  await using server = await tokenServer(numberedToken());
  const auth = providerFor(server);
  const rejectFifty = async () => {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (let call = 0; call < 50; call++) auth.invalidate(await auth.getToken());
  };
  await rejectFifty();
  expect(server.requests).toHaveLength(2);
  time.pass(10_000);
  await rejectFifty();
  expect(server.requests).toHaveLength(3);
});
