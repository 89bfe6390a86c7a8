import { inspect } from 'node:util';
import { clientCredentials } from '@hr/auth';
import { problemType } from '@hr/schemas';
import { expect, test } from 'vitest';
import type { TokenProvider } from '../src/index.ts';
import { countingTokens } from './counting-tokens.ts';
import { clientOf, json, problem, raw, reset, service, type Answer } from './service.ts';

const CALLERS = 50;

/** Takes every token but those revoked. */
const butRevoked =
  (...revoked: string[]): Answer =>
  (response, request, index) =>
    (revoked.includes(request.headers.authorization ?? '') ? raw('', 401) : json([]))(response, request, index);

test('fifty refused calls cost one new token', async () => {
  await using api = await service(butRevoked('Bearer token-1'));
  const auth = countingTokens();
  const { persons } = clientOf(api, { auth });
  await Promise.all(Array.from({ length: CALLERS }, () => persons.list()));

  expect(auth.made).toBe(2);
  expect(api.requests).toHaveLength(2 * CALLERS);
});

test('fifty refused calls cost one token request of @hr/auth', async () => {
  let issued = 0;
  await using api = await service((response, request, index) => {
    if (request.target !== '/api/oauth2/token') return butRevoked('Bearer issued-1')(response, request, index);
    issued++;
    const token = { access_token: `issued-${issued}`, token_type: 'Bearer', expires_in: 3600 };
    return json(token)(response, request, index);
  });
  const auth = clientCredentials({ baseUrl: api.url, clientId: 'id', clientSecret: 'secret' });
  const { persons } = clientOf(api, { auth });
  await Promise.all(Array.from({ length: CALLERS }, () => persons.list()));

  expect(issued).toBe(2);
});

test('a call is replayed once, and then the refusal counts', async () => {
  await using api = await service(raw('', 401));
  const auth = countingTokens();
  await expect(clientOf(api, { auth }).persons.list()).rejects.toMatchObject({
    code: 'unauthorized',
    status: 401,
    attempts: 2,
    outcome: 'rejected',
  });
  expect(api.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
});

test('the replay is not a retry: neither counts for the other', async () => {
  await using api = await service(raw('', 503), raw('', 401), raw('', 503), json([]));
  await expect(clientOf(api).persons.list()).resolves.toEqual([]);
  expect(api.requests).toHaveLength(4);
});

test('a refused payment is replayed with its body', async () => {
  const bonus = { compensationComponentId: 'BONUS', amount: 1 };
  const paid = { payrollContractId: '1-2', billingPeriod: '2026-01', correctionPeriod: '2026-01', ...bonus };
  await using api = await service(raw('', 401), json(paid));
  await clientOf(api).payroll.submitVariablePayment('1-2', { billingPeriod: '2026-01', ...bonus });
  expect(api.requests.map(({ body }) => JSON.parse(body))).toEqual([bonus, bonus]);
});

test('every attempt asks for the token of the moment', async () => {
  await using api = await service(reset, raw('', 503), json([]));
  let asked = 0;
  const auth: TokenProvider = {
    getToken: async () => ({ value: `moment-${++asked}` }),
    invalidate() {},
  };
  await clientOf(api, { auth }).persons.list();
  expect(api.requests.map(({ headers }) => headers.authorization)).toEqual([1, 2, 3].map((n) => `Bearer moment-${n}`));
});

test.each([
  [
    'rejects with a code',
    () => Promise.reject(Object.assign(new Error('x'), { code: 'invalid-client' })),
    'its error code is invalid-client. Check the client id, its secret and the token endpoint.',
  ],
  [
    'reaches nobody',
    () =>
      clientCredentials({ baseUrl: 'http://127.0.0.1:2', clientId: 'a', clientSecret: 'b', timeout: 1000 }).getToken(),
    'its error code is network. Check the address of the token endpoint, such as its baseUrl, and the connection.',
  ],
  [
    'rejects in time',
    () => Promise.reject(Object.assign(new Error('x'), { code: 'timeout' })),
    'its error code is timeout. Check that the token endpoint responds',
  ],
  [
    'rejects for its scope',
    () => Promise.reject(Object.assign(new Error('x'), { code: 'invalid-scope' })),
    'its error code is invalid-scope. Check the scope of the token provider, and that the operator granted it',
  ],
  [
    'rejects with anything',
    () => Promise.reject(new Error('x')),
    'the token provider threw. Call its getToken by itself to see why.',
  ],
  ['rejects with nothing', () => Promise.reject(undefined), 'threw. Call its getToken by itself to see why.'],
  ['rejects with null', () => Promise.reject(null), 'threw'],
  [
    'throws',
    () => {
      throw new Error('x');
    },
    'threw',
  ],
  ['gives nothing', async () => undefined, 'getToken of auth returned the value undefined; it must return'],
  ['gives a token without a value', async () => ({}), 'returned the value undefined'],
  ['gives an empty token', async () => ({ value: '' }), 'returned the value an unusable string'],
  ['gives a token with a line break', async () => ({ value: 'a\r\nx-b: c' }), 'an unusable string'],
])('a provider that %s', async (_, getToken, message) => {
  await using api = await service(json([]));
  const auth = { getToken, invalidate() {} } as unknown as TokenProvider;
  const error = await clientOf(api, { auth })
    .persons.list()
    .then(undefined, (reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'token-unavailable', outcome: 'not-sent', attempts: 0 });
  expect((error as Error).message).toContain(message);
  expect(api.requests).toHaveLength(0);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('token-1');
    },
  ],
  ['rejects', () => Promise.reject(new Error('token-1'))],
])('a provider that cannot drop a refused token: %s', async (_, invalidate) => {
  await using api = await service(raw('', 401));
  const auth: TokenProvider = Object.assign(countingTokens(), { invalidate });
  const error: unknown = await clientOf(api, { auth })
    .persons.list()
    .then(undefined, (reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'HrError', code: 'token-unavailable', outcome: 'rejected', attempts: 1 });
  expect(inspect(error)).not.toContain('token-1');
});

test('a provider that fails after an answer is not asked again', async () => {
  await using api = await service(raw('', 503));
  let asked = 0;
  const auth: TokenProvider = {
    async getToken() {
      if (++asked > 1) throw new Error('x');
      return { value: 'only-once' };
    },
    invalidate() {},
  };
  await expect(clientOf(api, { auth }).persons.list()).rejects.toMatchObject({
    code: 'token-unavailable',
    status: undefined,
    attempts: 1,
    outcome: 'unknown',
  });
  expect(asked).toBe(2);
});

test('the code of the token error and its Retry-After are data', async () => {
  const failure = Object.assign(new Error('x'), { code: 'rate-limited', retryAfterMs: 7000 });
  const auth = { getToken: () => Promise.reject(failure), invalidate() {} };
  await expect(clientOf({ url: 'https://hr.example.com' }, { auth }).persons.list()).rejects.toMatchObject({
    code: 'token-unavailable',
    tokenErrorCode: 'rate-limited',
    retryAfterMs: 7000,
  });
});

test('a function that returns a token is called for each attempt, and again for a rejected token', async () => {
  await using api = await service(raw('', 503), raw('', 401), json([]));
  let count = 0;
  const signals: unknown[] = [];
  const auth = async ({ signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    return `function-${++count}`;
  };
  await clientOf(api, { auth }).persons.list();
  expect(api.requests.map(({ headers }) => headers.authorization)).toEqual(
    [1, 2, 3].map((n) => `Bearer function-${n}`),
  );
  expect(signals).toEqual([1, 2, 3].map(() => expect.any(AbortSignal) as unknown));
});

test('a rejected token that cannot be replaced is not sent again', async () => {
  await using api = await service(problem(401, problemType('unauthorized')));
  await expect(clientOf(api, { auth: () => 'always-the-same' }).persons.list()).rejects.toMatchObject({
    code: 'unauthorized',
    attempts: 1,
    outcome: 'rejected',
    problem: { kind: 'unauthorized' },
    message: expect.stringContaining('or check that auth returns a current token.') as string,
  });
  expect(api.requests).toHaveLength(1);
});

const mustReturn = 'it must return the token as text, without "Bearer " and line breaks.';
test.each<[string, () => unknown, string]>([
  ['nothing', () => undefined, `auth returned undefined; ${mustReturn}`],
  ['an empty text', () => '', `auth returned an unusable string; ${mustReturn}`],
  ['a header', () => 'Bearer secret', `auth returned an unusable string; ${mustReturn}`],
  ['a number', () => 5, `auth returned an unusable number; ${mustReturn}`],
  ['a response', async () => ({ access_token: 'secret' }), `auth returned an unusable object; ${mustReturn}`],
])('a function that returns %s', async (_, auth, message) => {
  const call = clientOf({ url: 'https://hr.example.com' }, { auth: auth as never }).persons.list();
  await expect(call).rejects.toMatchObject({
    code: 'token-unavailable',
    outcome: 'not-sent',
    message: `listPersons: ${message}`,
  });
});

test('the error of a function is the cause', async () => {
  const cause = new Error('the database of tokens is down');
  const auth = () => Promise.reject(cause);
  await expect(clientOf({ url: 'https://hr.example.com' }, { auth }).persons.list()).rejects.toMatchObject({
    code: 'token-unavailable',
    message: 'listPersons: auth threw. See cause for its error.',
    cause,
  });
});

test('a function that never returns is what the call waited for', async () => {
  const options = { auth: () => new Promise<string>(() => undefined), timeout: 50 };
  const call = clientOf({ url: 'https://hr.example.com' }, options).persons.list();
  await expect(call).rejects.toMatchObject({
    code: 'timeout',
    outcome: 'not-sent',
    message: expect.stringContaining('timed out while it waited for the token') as string,
  });
});
