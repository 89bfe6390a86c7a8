import { describe, expect, test, vi } from 'vitest';
import { BACKOFFS_MS, fakeTime } from './fake-time.ts';
import { NOWHERE, providerFor } from './provider.ts';
import { runProgram } from './run-program.ts';
import { held, json, numberedToken, reset, silent, status, tokenServer, type Respond } from './token-server.ts';

describe('a temporary failure', () => {
  test('is retried until there is a token', async () => {
    const time = fakeTime();
    await using server = await tokenServer(status(429), status(503), reset, numberedToken());
    const token = providerFor(server).getToken();
    await time.elapse(...BACKOFFS_MS);

    expect((await token).value).toBe('token-4');
  });

  test.each<[string, Respond, object]>([
    ['429', status(429), { code: 'rate-limited', status: 429 }],
    ['500', status(500), { code: 'server-error', status: 500 }],
    ['a reset', reset, { code: 'network', status: undefined }],
  ])('that lasts (%s) rejects after the fourth attempt', async (_, respond, data) => {
    const time = fakeTime();
    await using server = await tokenServer(respond);
    const token = providerFor(server).getToken();
    await Promise.all([time.elapse(...BACKOFFS_MS), expect(token).rejects.toMatchObject({ ...data, attempts: 4 })]);

    expect(server.requests).toHaveLength(4);
  });

  test('is that of a browser without a connection', async () => {
    const time = fakeTime();
    const unreachable = new TypeError('Failed to fetch');
    const token = providerFor(NOWHERE, { fetch: () => Promise.reject(unreachable) }).getToken();

    await Promise.all([
      time.elapse(...BACKOFFS_MS),
      expect(token).rejects.toMatchObject({ code: 'network', attempts: 4 }),
    ]);
  });

  test.each([[new Error('no')], [new TypeError('x is not a function')], ['no'], [null], [undefined]])(
    'is not what the option fetch throws: %s',
    async (thrown) => {
      const fetch = () => Promise.reject(thrown);
      await expect(providerFor(NOWHERE, { fetch }).getToken()).rejects.toMatchObject({
        code: 'fetch-failed',
        attempts: 1,
        message: expect.stringContaining('the option fetch threw an error that is none of the network.') as string,
      });
    },
  );

  test('waits longer by a random share', async () => {
    const time = fakeTime({ random: 0.1 });
    await using server = await tokenServer(status(503), status(503), status(503), numberedToken());
    const token = providerFor(server).getToken();
    await time.elapse(275, 550, 1100);

    expect((await token).value).toBe('token-4');
  });

  test.each([
    ['in seconds', '2', 0, 2000],
    ['as an HTTP date', 'Sat, 31 Oct 2026 08:00:05 GMT', 0, 5000],
    ['with jitter on top', '2', 0.1, 2025],
    ['that is shorter than the backoff', '0', 0, 250],
  ])('waits at least as long as Retry-After %s', async (_, header, random, wait) => {
    const time = fakeTime({ random });
    await using server = await tokenServer(status(429, { 'retry-after': header }), numberedToken());
    const token = providerFor(server).getToken();
    await time.elapse(wait);

    expect((await token).value).toBe('token-2');
  });

  test('rejects immediately if Retry-After exceeds the remaining time', async () => {
    fakeTime();
    await using server = await tokenServer(status(503, { 'retry-after': '30' }));

    await expect(providerFor(server).getToken()).rejects.toMatchObject({
      code: 'server-error',
      attempts: 1,
      retryAfterMs: 30_000,
    });
  });

  test('reads the secret once', async () => {
    const time = fakeTime();
    await using server = await tokenServer(status(503), numberedToken());
    const clientSecret = vi.fn<() => string>(() => 'from-the-vault');
    const token = providerFor(server, { clientSecret }).getToken();
    await time.elapse(250);
    await token;

    expect(clientSecret).toHaveBeenCalledTimes(1);
  });
});

test.each<[string, Respond]>([
  ['invalid_client', json({ error: 'invalid_client' }, 401)],
  ['invalid_scope', json({ error: 'invalid_scope' }, 400)],
  ['403', status(403)],
  ['404', status(404)],
  ['408', status(408)],
  ['a redirect', status(302, { location: '/' })],
  ['HTML', status(200)],
])('%s is not retried', async (_, respond) => {
  await using server = await tokenServer(respond);

  await expect(providerFor(server).getToken()).rejects.toMatchObject({ attempts: 1 });
  expect(server.requests).toHaveLength(1);
});

describe('a wait for the next attempt, when its last caller aborts,', () => {
  test('ends: no timer keeps the program alive, and no request is sent', async () => {
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

  test('is not joined by the next caller', async () => {
    const time = fakeTime();
    const gate = held(numberedToken());
    await using server = await tokenServer(status(429, { 'retry-after': '3600' }), gate.respond, numberedToken());
    const auth = providerFor(server, { timeout: 7_200_000 });
    const controller = new AbortController();
    const alone = auth.getToken({ signal: controller.signal });
    await time.timer(3_600_000);
    controller.abort();

    const next = alone.catch(() => auth.getToken());
    await gate.arrived;
    const joiner = auth.getToken();
    gate.release();
    expect((await next).value).toBe('token-2');
    expect(await joiner).toBe(await next);
    expect(server.requests).toHaveLength(2);
  });

  test('goes on for the other callers', async () => {
    const time = fakeTime();
    await using server = await tokenServer(status(429, { 'retry-after': '1' }), numberedToken());
    const auth = providerFor(server);
    const controller = new AbortController();
    const first = auth.getToken({ signal: controller.signal });
    const other = auth.getToken();
    await time.timer(1000);
    controller.abort('enough');
    time.pass(1000);

    await expect(first).rejects.toBe('enough');
    expect((await other).value).toBe('token-2');
  });
});

const never = () => new Promise<never>(() => undefined);

describe('the timeout', () => {
  const timeout = { code: 'timeout', status: undefined };

  test('ends a wait for a response, and closes the connection', async () => {
    const time = fakeTime();
    const closed = Promise.withResolvers<void>();
    const gate = held((response) => response.on('close', closed.resolve));
    await using server = await tokenServer(gate.respond);
    gate.release();
    const token = providerFor(server, { timeout: 400 }).getToken();
    await gate.arrived;
    time.pass(400);

    await expect(token).rejects.toMatchObject({ ...timeout, attempts: 1 });
    await closed.promise;
  });

  test('ends a body that drips', async () => {
    const time = fakeTime();
    const dripping = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    await using server = await tokenServer((response) => {
      response.on('close', closed.resolve);
      response.writeHead(200, { 'content-type': 'application/json' }).write('{', () => dripping.resolve());
    });
    const token = providerFor(server, { timeout: 400 }).getToken();
    await dripping.promise;
    time.pass(400);

    await expect(token).rejects.toMatchObject({ ...timeout, attempts: 1 });
    await closed.promise;
  });

  test('spans all attempts', async () => {
    const time = fakeTime();
    const gate = held(silent);
    await using server = await tokenServer(status(503), gate.respond);
    const token = providerFor(server, { timeout: 800 }).getToken();
    await time.elapse(250);
    await gate.arrived;
    time.pass(550);

    await expect(token).rejects.toMatchObject({ ...timeout, attempts: 2 });
  });

  test('ends a secret function and a fetch that never settle', async () => {
    const time = fakeTime();
    const noSecret = providerFor(NOWHERE, { timeout: 50, clientSecret: never }).getToken();
    const noResponse = providerFor(NOWHERE, { timeout: 50, fetch: never }).getToken();

    await Promise.all([
      time.elapse(50),
      expect(noSecret).rejects.toMatchObject({ ...timeout, attempts: 0 }),
      expect(noResponse).rejects.toMatchObject({ ...timeout, attempts: 1 }),
    ]);
  });

  test.each(['clientSecret', 'fetch'])('reaches a program that only waits for its %s', async (hanging) => {
    const program = `
      import { clientCredentials } from '@hr/auth';
      const options = { baseUrl: 'http://127.0.0.1:2', clientId: 'a', clientSecret: 'b', timeout: 50 };
      const auth = clientCredentials({ ...options, ${hanging}: () => new Promise(() => undefined) });
      await auth.getToken().catch(({ code }) => console.log(code));
    `;

    expect(await runProgram(program)).toBe('timeout\n');
  });

  test('does not affect the next call', async () => {
    const time = fakeTime();
    const gate = held(silent);
    await using server = await tokenServer(gate.respond, numberedToken());
    const auth = providerFor(server, { timeout: 800 });
    const token = auth.getToken();
    await gate.arrived;
    time.pass(800);

    await expect(token).rejects.toMatchObject(timeout);
    expect((await auth.getToken()).value).toBe('token-2');
  });
});
