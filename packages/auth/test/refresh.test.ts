import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { providerFor } from './provider.ts';
import { runProgram } from './run-program.ts';
import { held, numberedToken, reset, status, tokenServer } from './token-server.ts';

// Only what the clock says is made up; timers and sockets are real.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

describe('a token near its end', () => {
  test('is handed out at once while one request gets the next', async () => {
    const gate = held(numberedToken());
    await using server = await tokenServer(numberedToken(), gate.answer);
    const auth = providerFor(server);
    const old = await auth.getToken();

    pass(0.79 * 3600);
    expect(await auth.getToken()).toBe(old);
    expect(server.requests).toHaveLength(1);
    pass(0.02 * 3600);
    expect(await Promise.all([auth.getToken(), auth.getToken()])).toEqual([old, old]);
    await gate.arrived;
    expect(await auth.getToken()).toBe(old);
    gate.release();
    await vi.waitFor(async () => expect((await auth.getToken()).value).toBe('token-2'));
    expect(server.requests).toHaveLength(2);
  });

  test('stays in use when its background refresh fails, which is tried again only after a pause', async () => {
    await using server = await tokenServer(numberedToken(), reset, numberedToken());
    const auth = providerFor(server);
    const old = await auth.getToken();

    pass(3000);
    expect(await auth.getToken()).toBe(old);
    await vi.waitFor(() => expect(server.requests).toHaveLength(2));
    await new Promise((resolve) => setTimeout(resolve, 50));
    pass(9);
    expect(await auth.getToken()).toBe(old);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.requests).toHaveLength(2);
    pass(2);
    expect(await auth.getToken()).toBe(old);
    await vi.waitFor(async () => expect((await auth.getToken()).value).toBe('token-3'));
  });

  test('waits as long as the server asks before the next background refresh', async () => {
    await using server = await tokenServer(numberedToken(), status(429, { 'retry-after': '60' }), numberedToken());
    const auth = providerFor(server);
    const old = await auth.getToken();

    pass(3000);
    await auth.getToken();
    await vi.waitFor(() => expect(server.requests).toHaveLength(2));
    await new Promise((resolve) => setTimeout(resolve, 50));
    pass(59);
    expect(await auth.getToken()).toBe(old);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.requests).toHaveLength(2);
    pass(2);
    await auth.getToken();
    await vi.waitFor(() => expect(server.requests).toHaveLength(3));
  });

  test('that is invalidated meanwhile makes its callers wait for the refresh, which is now retried', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const gate = held(status(503));
    await using server = await tokenServer(numberedToken(), gate.answer, numberedToken());
    const auth = providerFor(server);
    const old = await auth.getToken();

    pass(3000);
    await auth.getToken();
    await gate.arrived;
    auth.invalidate(old);
    const waiting = auth.getToken();
    gate.release();
    expect((await waiting).value).toBe('token-3');
    expect(server.requests).toHaveLength(3);
  });

  test('that has ended is not handed out', async () => {
    await using server = await tokenServer(numberedToken());
    const auth = providerFor(server);
    await auth.getToken();
    pass(3600);

    expect((await auth.getToken()).value).toBe('token-2');
  });
});

test('the secret function is asked again for each new token', async () => {
  await using server = await tokenServer(numberedToken());
  const secrets = ['first', 'second'];
  const auth = providerFor(server, { clientSecret: async () => secrets.shift() ?? '' });
  auth.invalidate(await auth.getToken());
  await auth.getToken();

  expect(server.requests.map(({ form }) => form.get('client_secret'))).toEqual(['first', 'second']);
});

test('a program with a provider ends by itself', async () => {
  await using server = await tokenServer(numberedToken());
  const program = `
    import { clientCredentials } from '@hr/auth';
    const auth = clientCredentials({ baseUrl: '${server.url}', clientId: 'a', clientSecret: 'b', timeout: 2_147_483_647 });
    console.log((await auth.getToken()).value);
  `;

  expect(await runProgram(program)).toBe('token-1\n');
});
