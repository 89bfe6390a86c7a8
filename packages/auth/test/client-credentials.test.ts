import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { clientCredentials } from '../src/index.ts';
import { BACKOFFS_MS, fakeTime } from './fake-time.ts';
import { NOWHERE, SECRET, providerFor } from './provider.ts';
import { held, json, numberedToken, tokenServer } from './token-server.ts';

const fifty = <T>(make: () => T): T[] => Array.from({ length: 50 }, make);

describe('the token request', () => {
  test('has the form of section 5 and nothing else', async () => {
    await using server = await tokenServer(numberedToken());
    const before = Date.now();
    const token = await providerFor(server).getToken();

    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/api/oauth2/token' });
    expect(request?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    expect(request?.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(request?.form ?? [])).toEqual({
      grant_type: 'client_credentials',
      client_id: 'payroll-sync',
      client_secret: SECRET,
      scope: 'api:use',
    });
    expect(token.value).toBe('token-1');
    expect(token.expiresAt).toBeGreaterThanOrEqual(before + 3_600_000);
    expect(token.expiresAt).toBeLessThanOrEqual(Date.now() + 3_600_000);
  });

  test('uses the options scope, tokenEndpoint and fetch', async () => {
    await using server = await tokenServer(numberedToken());
    const sent = vi.fn<typeof fetch>(fetch);
    const auth = clientCredentials({
      tokenEndpoint: `${server.url}/oauth/token?tenant=1`,
      clientId: 'console',
      clientSecret: 'special characters: & = + %',
      scope: 'api:use operator',
      fetch: sent,
    });
    await auth.getToken();

    expect(server.requests[0]?.path).toBe('/oauth/token?tenant=1');
    expect(server.requests[0]?.form.get('scope')).toBe('api:use operator');
    expect(server.requests[0]?.form.get('client_secret')).toBe('special characters: & = + %');
    expect(sent).toHaveBeenCalledTimes(1);
    expect(sent.mock.calls[0]?.[1]?.redirect).toBe('manual');
  });

  test('accepts expires_in as a string, and defaults to five minutes', async () => {
    await using server = await tokenServer(
      numberedToken({ expires_in: '60' }),
      numberedToken({ expires_in: undefined }),
    );
    const before = Date.now();
    const asText = await providerFor(server).getToken();
    const absent = await providerFor(server).getToken();

    expect(Math.round((asText.expiresAt - before) / 10_000)).toBe(6);
    expect(Math.round((absent.expiresAt - before) / 10_000)).toBe(30);
  });
});

describe('callers at the same time', () => {
  test('share one request, and later callers its token', async () => {
    await using server = await tokenServer(numberedToken());
    const auth = providerFor(server);
    const tokens = await Promise.all(fifty(() => auth.getToken()));

    expect(new Set(tokens).size).toBe(1);
    expect(await auth.getToken()).toBe(tokens[0]);
    expect(server.requests).toHaveLength(1);
  });

  test('share its failure, and the next caller sends a new request', async () => {
    await using server = await tokenServer(json({ error: 'invalid_scope' }, 400), numberedToken());
    const auth = providerFor(server);
    const outcomes = await Promise.allSettled(fifty(() => auth.getToken()));

    expect(new Set(outcomes.map((outcome) => outcome.status))).toEqual(new Set(['rejected']));
    expect(server.requests).toHaveLength(1);
    expect((await auth.getToken()).value).toBe('token-2');
  });
});

describe('invalidate', () => {
  test('of one token by many callers leads to one request', async () => {
    await using server = await tokenServer(numberedToken());
    const auth = providerFor(server);
    const rejected = await auth.getToken();
    const tokens = await Promise.all(
      fifty(() => {
        auth.invalidate(rejected);
        return auth.getToken();
      }),
    );

    expect(new Set(tokens.map(({ value }) => value))).toEqual(new Set(['token-2']));
    expect(server.requests).toHaveLength(2);
  });

  test('is a no-op for a token that is not current', async () => {
    await using server = await tokenServer(numberedToken());
    const auth = providerFor(server);
    const rejected = await auth.getToken();
    auth.invalidate(rejected);
    const current = await auth.getToken();
    auth.invalidate(rejected);

    expect(await auth.getToken()).toBe(current);
    expect(server.requests).toHaveLength(2);
  });

  test('compares tokens by value, so a plain object will do', async () => {
    await using server = await tokenServer(numberedToken());
    const auth = providerFor(server);
    const { value, expiresAt } = await auth.getToken();
    auth.invalidate({ value, expiresAt });

    expect((await auth.getToken()).value).toBe('token-2');
  });
});

describe('a caller that aborts', () => {
  test('beforehand rejects with the reason and sends nothing', async () => {
    await using server = await tokenServer(numberedToken());
    const auth = providerFor(server);
    const reason = new Error('changed my mind');

    await expect(auth.getToken({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.requests).toHaveLength(0);
    await auth.getToken();
    await expect(auth.getToken({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('while it waits rejects with the reason, and the others get their token', async () => {
    const gate = held(numberedToken());
    await using server = await tokenServer(gate.respond);
    const auth = providerFor(server);
    const [first, second] = [new AbortController(), new AbortController()];
    const starter = auth.getToken({ signal: first.signal });
    const joiner = auth.getToken({ signal: second.signal });
    const others = fifty(() => auth.getToken({ signal: new AbortController().signal }));

    await gate.arrived;
    first.abort(new Error('first'));
    second.abort('second');
    await expect(starter).rejects.toThrow('first');
    await expect(joiner).rejects.toBe('second');
    gate.release();
    const tokens = await Promise.all(others);
    expect(new Set(tokens.map(({ value }) => value))).toEqual(new Set(['token-1']));
    expect(server.requests).toHaveLength(1);
  });

  test('alone leaves the request to the next caller', async () => {
    const gate = held(numberedToken());
    await using server = await tokenServer(gate.respond);
    const auth = providerFor(server);
    const controller = new AbortController();
    const alone = auth.getToken({ signal: controller.signal });
    await gate.arrived;
    controller.abort();

    await expect(alone).rejects.toBe(controller.signal.reason);
    const next = auth.getToken();
    gate.release();
    expect((await next).value).toBe('token-1');
    expect(server.requests).toHaveLength(1);
  });

  test('alone causes no unhandled rejection and no retry', async () => {
    fakeTime();
    const unhandled = vi.fn<() => void>();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    const gate = Promise.withResolvers<Response>();
    const fetch = vi.fn<() => Promise<Response>>(() => gate.promise);
    const controller = new AbortController();
    const alone = providerFor(NOWHERE, { fetch }).getToken({ signal: controller.signal });
    await setImmediate();
    controller.abort();
    await expect(alone).rejects.toBe(controller.signal.reason);
    gate.resolve(new Response('', { status: 503 }));
    await setImmediate();

    expect(unhandled).not.toHaveBeenCalled();
    expect(vi.mocked(setTimeout).mock.calls.map(([, delay]) => delay)).not.toContain(BACKOFFS_MS[0]);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('has no listener on its signal once it has its token', async () => {
    await using server = await tokenServer(numberedToken());
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await providerFor(server).getToken({ signal });

    expect(removed.mock.calls.map(([type, listener]) => [type, listener])).toEqual(
      added.mock.calls.map(([type, listener]) => [type, listener]),
    );
  });
});
