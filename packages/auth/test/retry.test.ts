import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { providerFor } from './provider.ts';
import { runProgram } from './run-program.ts';
import { held, json, numberedToken, reset, silent, status, tokenServer } from './token-server.ts';
import type { Answer } from './token-server.ts';

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('a passing failure', () => {
  test('is retried until there is a token', async () => {
    await using server = await tokenServer(status(429), status(503), reset, numberedToken());

    expect((await providerFor(server).getToken()).value).toBe('token-4');
  });

  test.each<[string, Answer, object]>([
    ['429', status(429), { code: 'rate-limited', status: 429 }],
    ['500', status(500), { code: 'server-error', status: 500 }],
    ['a reset', reset, { code: 'network', status: undefined }],
  ])('that stays (%s) is reported after the fourth attempt', async (_, answer, facts) => {
    await using server = await tokenServer(answer);

    await expect(providerFor(server).getToken()).rejects.toMatchObject({ ...facts, attempts: 4 });
    expect(server.requests).toHaveLength(4);
  });

  test('waits twice as long each time, by a random share', async () => {
    vi.mocked(Math.random).mockReturnValue(0.1);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await using server = await tokenServer(status(503));
    await expect(providerFor(server).getToken()).rejects.toThrow('503');

    expect(timers.mock.calls.map(([, delay]) => delay)).toEqual(expect.arrayContaining([25, 50, 100]));
  });

  test.each([
    ['seconds', () => '1'],
    ['an HTTP date', () => new Date(Date.now() + 1500).toUTCString()],
  ])('waits at least what Retry-After asks in %s', async (_, header) => {
    const asked = header();
    await using server = await tokenServer(status(429, { 'retry-after': asked }), numberedToken());
    await providerFor(server).getToken();

    const [first, second] = server.requests.map(({ receivedAt }) => receivedAt) as [number, number];
    // Node's timers may fire one millisecond early.
    expect(second + 1).toBeGreaterThanOrEqual(asked === '1' ? first + 1000 : Date.parse(asked));
  });

  test('does not wait beyond the deadline, and says how long the server asked for', async () => {
    await using server = await tokenServer(status(503, { 'retry-after': '86400' }));

    await expect(providerFor(server).getToken()).rejects.toMatchObject({
      code: 'server-error',
      attempts: 1,
      retryAfterMs: 86_400_000,
    });
  });

  test('asks for the secret once', async () => {
    await using server = await tokenServer(status(503), numberedToken());
    const clientSecret = vi.fn<() => string>(() => 'from-the-vault');
    await providerFor(server, { clientSecret }).getToken();

    expect(clientSecret).toHaveBeenCalledTimes(1);
  });
});

test.each<[string, Answer]>([
  ['invalid_client', json({ error: 'invalid_client' }, 401)],
  ['invalid_scope', json({ error: 'invalid_scope' }, 400)],
  ['403', status(403)],
  ['404', status(404)],
  ['408', status(408)],
  ['a redirect', status(302, { location: '/' })],
  ['HTML', status(200)],
])('%s is final', async (_, answer) => {
  await using server = await tokenServer(answer);

  await expect(providerFor(server).getToken()).rejects.toMatchObject({ attempts: 1 });
  expect(server.requests).toHaveLength(1);
});

describe('a wait for the next attempt, when its last caller aborts,', () => {
  test('ends, so that nothing holds the program and nothing is sent', async () => {
    await using server = await tokenServer(status(429, { 'retry-after': '2' }), numberedToken());
    const program = `
      import { clientCredentials } from '@hr/auth';
      const controller = new AbortController();
      const auth = clientCredentials({
        baseUrl: '${server.url}',
        clientId: 'a',
        clientSecret: 'b',
        async fetch(url, init) {
          const response = await fetch(url, init);
          setTimeout(() => controller.abort('enough'), 100);
          return response;
        },
      });
      await auth.getToken({ signal: controller.signal }).catch((reason) => console.log(reason));
      await new Promise(setImmediate);
      console.log(process.getActiveResourcesInfo().includes('Timeout'));
    `;

    expect(await runProgram(program)).toBe('enough\nfalse\n');
    expect(server.requests).toHaveLength(1);
  });

  test('is not what the next caller joins', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const gate = held(numberedToken());
    await using server = await tokenServer(status(429, { 'retry-after': '3600' }), gate.answer, numberedToken());
    const auth = providerFor(server, { timeout: 7_200_000 });
    const controller = new AbortController();
    const alone = auth.getToken({ signal: controller.signal });
    await vi.waitFor(() => expect(timers.mock.calls.map(([, delay]) => delay)).toContain(3_600_000));
    controller.abort();

    const next = alone.catch(() => auth.getToken());
    await gate.arrived;
    const joiner = auth.getToken();
    gate.release();
    expect((await next).value).toBe('token-2');
    expect(await joiner).toBe(await next);
    expect(server.requests).toHaveLength(2);
  });

  test('goes on for the others', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await using server = await tokenServer(status(429, { 'retry-after': '1' }), numberedToken());
    const auth = providerFor(server);
    const controller = new AbortController();
    const first = auth.getToken({ signal: controller.signal });
    const other = auth.getToken();
    await vi.waitFor(() => expect(timers.mock.calls.map(([, delay]) => delay)).toContain(1000));
    controller.abort('enough');

    await expect(first).rejects.toBe('enough');
    expect((await other).value).toBe('token-2');
  });
});

const never = () => new Promise<never>(() => undefined);

describe('the deadline', () => {
  const timeout = { code: 'timeout', status: undefined };

  test('ends a wait for an answer, and the connection', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await tokenServer((response) => response.on('close', closed.resolve));

    await expect(providerFor(server, { timeout: 400 }).getToken()).rejects.toMatchObject({ ...timeout, attempts: 1 });
    await closed.promise;
  });

  test('ends a body that drips', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await tokenServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      const drip = setInterval(() => response.write(' '), 10);
      response.on('close', () => {
        clearInterval(drip);
        closed.resolve();
      });
    });

    await expect(providerFor(server, { timeout: 400 }).getToken()).rejects.toMatchObject({ ...timeout, attempts: 1 });
    await closed.promise;
  });

  test('counts from the first attempt to the last', async () => {
    await using server = await tokenServer(status(503), silent);

    await expect(providerFor(server, { timeout: 800 }).getToken()).rejects.toMatchObject({ ...timeout, attempts: 2 });
  });

  test('ends a secret function and a fetch that never come back', async () => {
    await using server = await tokenServer(numberedToken());
    await expect(providerFor(server, { timeout: 50, clientSecret: never }).getToken()).rejects.toMatchObject({
      ...timeout,
      attempts: 0,
    });
    await expect(providerFor(server, { timeout: 50, fetch: never }).getToken()).rejects.toMatchObject({
      ...timeout,
      attempts: 1,
    });
  });

  test.each(['clientSecret', 'fetch'])('reaches a program that only waits for its %s', async (hanging) => {
    const program = `
      import { clientCredentials } from '@hr/auth';
      const options = { baseUrl: 'http://127.0.0.1:1', clientId: 'a', clientSecret: 'b', timeout: 50 };
      const auth = clientCredentials({ ...options, ${hanging}: () => new Promise(() => undefined) });
      await auth.getToken().catch(({ code }) => console.log(code));
    `;

    expect(await runProgram(program)).toBe('timeout\n');
  });

  test('passed once does not spoil the next call', async () => {
    await using server = await tokenServer(silent, numberedToken());
    const auth = providerFor(server, { timeout: 800 });

    await expect(auth.getToken()).rejects.toMatchObject(timeout);
    expect((await auth.getToken()).value).toBe('token-2');
  });
});
