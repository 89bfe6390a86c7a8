import { readFile } from 'node:fs/promises';
import { staticToken } from '@hr/auth';
import { expect, test, vi } from 'vitest';
import { createHrClient, type HrClientOptions } from '../src/index.ts';
import { clientOf, json, raw, service } from './service.ts';

const auth = staticToken('a-token');
const good: HrClientOptions = { baseUrl: 'https://hr.example.com', auth };

test.each<[string, object]>([
  ['baseUrl', { baseUrl: undefined }],
  ['baseUrl', { baseUrl: '/hr' }],
  ['baseUrl', { baseUrl: 'hr.example.com' }],
  ['baseUrl', { baseUrl: 'ftp://hr.example.com' }],
  ['baseUrl', { baseUrl: 'https://user:pa55@hr.example.com' }],
  ['baseUrl', { baseUrl: 'https://hr.example.com/?a=b' }],
  ['baseUrl', { baseUrl: 'https://hr.example.com/#a' }],
  ['baseUrl', { baseUrl: 'https://hr.example.com/tenant/api/v1/' }],
  ['createHrClient', { timeOut: 1 }],
  ['retry', { retry: { maxRetries: 1 } }],
  ['auth', { auth: undefined }],
  ['auth', { auth: 'a-token' }],
  ['auth', { auth: { getToken: () => undefined } }],
  ['timeout', { timeout: 0 }],
  ['timeout', { timeout: 1.5 }],
  ['timeout', { timeout: Number.POSITIVE_INFINITY }],
  ['timeout', { timeout: 2 ** 31 }],
  ['timeout', { timeout: '1000' }],
  ['retry.limit', { retry: { limit: -1 } }],
  ['retry.limit', { retry: { limit: 0.5 } }],
  ['retry.maxDelay', { retry: { maxDelay: 0 } }],
  ['retry', { retry: null }],
  ['appInfo', { appInfo: 'payroll-batch' }],
  ['appInfo', { appInfo: { name: 'payroll batch' } }],
  ['appInfo', { appInfo: { name: 'payroll-batch', version: '1\r\nx: y' } }],
  ['idempotency', { idempotency: true }],
  ['onInvalid', { onInvalid: 'ignore' }],
  ['fetch', { fetch: 'node-fetch' }],
  ['onEvent', { onEvent: {} }],
  ['wireNames', { wireNames: null }],
  ['wireNames', { wireNames: 'from' }],
  ['wireNames', { wireNames: { listBookings: { from: 'd' } } }],
  ['wireNames', { wireNames: { constructor: {} } }],
  ['wireNames.listAbsences', { wireNames: { listAbsences: 'd' } }],
  ['wireNames.listAbsences', { wireNames: { listAbsences: { until: 'd' } } }],
  ['wireNames.listAbsences.from', { wireNames: { listAbsences: { from: '' } } }],
  ['wireNames.listAbsences.from', { wireNames: { listAbsences: { from: 1 } } }],
  ['wireNames.listAbsences', { wireNames: { listAbsences: { from: 'd', to: 'd' } } }],
  ['wireNames.listAbsences', { wireNames: { listAbsences: { from: 'to' } } }],
])('a wrong %s is named: %j', (option, wrong) => {
  const create = () => createHrClient({ ...good, ...wrong });
  expect(create).toThrow(expect.objectContaining({ name: 'HrError', code: 'invalid-option', operation: undefined }));
  expect(create).toThrow(new RegExp(`^${option} (?:must|has an unknown) `));
  expect(create).not.toThrow(/pa55/);
});

test('an unknown option is named, with the known ones', () => {
  const retry = { maxRetries: 1 } as never;
  expect(() => createHrClient({ ...good, retry })).toThrow(
    'retry has an unknown option, maxRetries. The options are limit, maxDelay.',
  );
});

test('without Promise.withResolvers, the needed platform is named', () => {
  const platform = Object.getOwnPropertyDescriptors(Promise).withResolvers;
  Object.assign(Promise, { withResolvers: undefined });
  try {
    expect(() => createHrClient(good)).toThrow(
      expect.objectContaining({
        code: 'invalid-option',
        message: 'createHrClient needs Node.js 22 or newer, or a current browser.',
      }),
    );
  } finally {
    Object.defineProperty(Promise, 'withResolvers', platform);
  }
});

test.each([[], [undefined], [null], ['https://hr.example.com']])(
  'options that are missing are named: %j',
  (...given) => {
    expect(() => createHrClient(...(given as unknown as [HrClientOptions]))).toThrow(
      expect.objectContaining({
        code: 'invalid-option',
        message: 'createHrClient needs its options, { baseUrl, auth }.',
      }),
    );
  },
);

test('an option that is undefined is as if it were missing', async () => {
  await using api = await service(raw('', 503), json([]));
  const retry = { limit: undefined, maxDelay: undefined };
  const hr = createHrClient({
    baseUrl: api.url,
    auth: () => 'token',
    timeout: undefined,
    attemptTimeout: undefined,
    idleTimeout: undefined,
    retry,
    idempotency: undefined,
    onInvalid: undefined,
    wireNames: undefined,
    appInfo: undefined,
    fetch: undefined,
    onEvent: undefined,
    allowInsecureHttp: undefined,
  });
  const options = { signal: undefined, timeout: undefined, retry, headers: undefined, onEvent: undefined };
  await expect(hr.persons.list({ changedSince: undefined }, options)).resolves.toEqual([]);
  expect(api.requests).toHaveLength(2);
});

test('names of query parameters may change places, or be left out', () => {
  const wireNames = { listAbsences: { from: 'to', to: 'from', changedSince: undefined }, listPersons: undefined };
  expect(createHrClient({ ...good, wireNames: wireNames as never })).toBeDefined();
});

test('plain http is for loopback, unless allowed', () => {
  for (const baseUrl of ['http://localhost:4010', 'http://127.0.0.1', 'http://127.1/', 'http://[::1]:80']) {
    expect(createHrClient({ ...good, baseUrl })).toBeDefined();
  }
  const baseUrl = 'http://hr.example.com';
  expect(() => createHrClient({ ...good, baseUrl })).toThrow(expect.objectContaining({ code: 'insecure-url' }));
  expect(createHrClient({ ...good, baseUrl, allowInsecureHttp: true })).toBeDefined();
});

test('an address is read without URL.parse, which Node.js has from 22.1 on', () => {
  vi.spyOn(URL, 'parse').mockImplementation(() => {
    throw new TypeError('URL.parse is not a function');
  });
  expect(createHrClient(good)).toBeDefined();
  vi.restoreAllMocks();
});

test('a URL object will do', async () => {
  const fetch = vi.fn<NonNullable<HrClientOptions['fetch']>>(async () => Response.json([]));
  await createHrClient({ auth, fetch, baseUrl: new URL('https://hr.example.com/hr/') }).persons.list();
  expect(fetch.mock.lastCall?.[0]).toBe('https://hr.example.com/hr/api/v1/persons');
});

test('a fetch of one’s own gets an address and what the platform knows, nothing of ky', async () => {
  const fetch = vi.fn<NonNullable<HrClientOptions['fetch']>>(async () => Response.json({ id: 'p1' }));
  await clientOf({ url: 'https://hr.example.com' }, { fetch }).persons.update('p1', { addresses: [] });
  expect(fetch).toHaveBeenCalledExactlyOnceWith('https://hr.example.com/api/v1/persons/p1', {
    method: 'PATCH',
    headers: {
      accept: 'application/json',
      authorization: 'Bearer token-1',
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^hr-client\/\d+\.\d+\.\d+ node\/\d+/) as string,
    },
    body: '{"addresses":[]}',
    cache: 'no-store',
    redirect: 'manual',
    signal: expect.any(AbortSignal),
  });
});

test('the global fetch is looked up at each call', async () => {
  const hr = createHrClient(good);
  vi.stubGlobal('fetch', async () => Response.json([]));
  try {
    await expect(hr.persons.list()).resolves.toEqual([]);
  } finally {
    vi.unstubAllGlobals();
  }
});

test('the User-Agent names the program first, and browsers get none', async () => {
  const agents: unknown[] = [];
  const fetch = async (_: string, { headers }: RequestInit) => {
    agents.push((headers as Record<string, string>)['user-agent']);
    return Response.json([]);
  };
  const url = 'https://hr.example.com';
  await clientOf({ url }, { fetch, appInfo: { name: 'payroll-batch', version: '2.1.0' } }).persons.list();
  await clientOf({ url }, { fetch, appInfo: { name: 'payroll-batch' } }).persons.list();
  vi.stubGlobal('process', undefined);
  try {
    await clientOf({ url }, { fetch, appInfo: { name: 'payroll-batch' } }).persons.list();
  } finally {
    vi.unstubAllGlobals();
  }
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const own = `hr-client/${version} node/${process.versions.node}`;
  expect(agents).toEqual([`payroll-batch/2.1.0 ${own}`, `payroll-batch ${own}`, undefined]);
});

test('a call has its own headers, timeout and retries', async () => {
  await using api = await service(raw('', 503), json([]));
  const headers = { 'X-Correlation': 'run-7' };
  const hr = clientOf(api);
  await expect(hr.persons.list({}, { headers, retry: { limit: 0 } })).rejects.toMatchObject({ attempts: 1 });
  await expect(hr.persons.list({}, { timeout: false })).resolves.toEqual([]);
  expect(api.requests.map((request) => request.headers['x-correlation'])).toEqual(['run-7', undefined]);
});

test.each<[string, object]>([
  ['authorization', { headers: { Authorization: 'Bearer secret' } }],
  ['idempotency-key', { headers: { 'Idempotency-Key': 'secret' } }],
  ['content-type', { headers: { 'content-type': 'secret' } }],
  ['header names', { headers: { 'a b': 'secret' } }],
  ['strings', { headers: { a: 'secret\r\nb: c' } }],
  ['strings', { headers: { a: 5 } }],
  ['object', { headers: 'secret' }],
  ['retry.limit', { retry: { limit: -1 } }],
  ['timeout', { timeout: true }],
  ['onEvent', { onEvent: 'secret' }],
  [
    'unknown option, abort. The options are signal, timeout, attemptTimeout, idleTimeout, retry, headers, onEvent.',
    { abort: 'secret' },
  ],
])('a wrong option of a call is named, without its value: %s', async (named, options) => {
  await using api = await service(json([]));
  const error: unknown = await clientOf(api)
    .persons.list({}, options)
    .then(undefined, (thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'invalid-option', message: expect.stringContaining(named) });
  expect(String(error)).not.toContain('secret');
  expect(api.requests).toHaveLength(0);
});
