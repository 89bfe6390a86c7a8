import { Problem, problemKinds, problemType, type ProblemKind } from '@hr/schemas';
import {
  startFakeHrCloud,
  type FailureOf,
  type FailureStatus,
  type FakeOperation,
  type RunningFakeHrCloud,
} from '@hr/testing/fake';
import { scenarioOf } from '@hr/testing/states';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bearer, call, requestToken } from './call.ts';

let fake: RunningFakeHrCloud;
beforeAll(async () => {
  fake = await startFakeHrCloud();
});
beforeEach(() => {
  fake.reset();
  fake.state('a contract', { payrollContractId: 'c', personId: '1' });
});
afterAll(() => fake.stop());

const persons = 'GET /api/v1/persons';
const payments = 'POST /api/v1/payrollContract/c/variable-payments?billingPeriod=2026-01';
const payment = { compensationComponentId: 'BONUS', amount: 1 };

describe('a status', () => {
  test.each<[FailureStatus, ProblemKind, Record<string, string>]>([
    [401, 'unauthorized', { 'www-authenticate': 'Bearer realm="hr-cloud", error="invalid_token"' }],
    [403, 'forbidden', { 'www-authenticate': 'Bearer realm="hr-cloud", error="insufficient_scope", scope="api:use"' }],
    [409, 'idempotency-key-in-flight', { 'retry-after': '1' }],
    [429, 'too-many-requests', { 'retry-after': '1', ratelimit: '"client";r=0;t=1' }],
    [500, 'internal-error', {}],
    [503, 'unavailable', { 'retry-after': '5' }],
  ])('%i is the problem %s, and nothing is done', async (status, kind, headers) => {
    fake.failNext('submitVariablePayment', status);
    const response = await call(fake, payments, { body: payment });
    expect(response.status).toBe(status);
    expect(Problem.parse(response.json)).toMatchObject({ type: problemType(kind), ...problemKinds[kind] });
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
    expect(fake.payments.list()).toEqual([]);
  });

  test.each([409, 429, 503] as const)('%i has the given Retry-After', async (status) => {
    fake.failNext('submitVariablePayment', { status, retryAfterSeconds: 7 });
    expect((await call(fake, payments, { body: payment })).headers.get('retry-after')).toBe('7');
  });

  test('401 ends the token, and no other', async () => {
    const tokens = await Promise.all(
      [1, 2].map(async () => ((await (await requestToken(fake)).json()) as { access_token: string }).access_token),
    );
    const statuses: number[] = [];
    fake.failNext('listPersons', 401);
    for (const token of [tokens[0], tokens[0], tokens[1]]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { status } = await call(fake, persons, { headers: { authorization: `Bearer ${token}` } });
      statuses.push(status);
    }
    expect(statuses).toEqual([401, 401, 200]);
  });

  test('fails the next requests of the operation alone, in the order of the calls', async () => {
    fake.failNext('listPersons', 503, 2);
    fake.failNext('listPersons', 429);
    const statuses: number[] = [];
    for (const request of [persons, 'GET /api/v1/time-bookings', persons, persons, persons]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      statuses.push((await call(fake, request)).status);
    }
    expect(statuses).toEqual([503, 200, 503, 429, 200]);
  });

  test.each<[Exclude<FailureStatus, 403 | 409>, object]>([
    [401, { error: 'invalid_client' }],
    [429, { type: 'urn:hr-cloud:problem:too-many-requests' }],
    [503, { type: 'urn:hr-cloud:problem:unavailable' }],
  ])('%i fails a request for a token', async (status, body) => {
    fake.failNext('requestToken', status);
    const response = await requestToken(fake);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(body);
  });
});

describe('a connection that breaks', () => {
  test('before the request has come does nothing', async () => {
    fake.failNext('submitVariablePayment', 'lost-request');
    await expect(call(fake, payments, { body: payment })).rejects.toThrow('fetch failed');
    expect(fake.payments.list()).toEqual([]);
  });

  test('before the response handles the request', async () => {
    fake.failNext('submitVariablePayment', 'lost-response');
    await expect(call(fake, payments, { body: payment })).rejects.toThrow('fetch failed');
    expect(fake.payments.list()).toMatchObject([{ state: 'submitted', amount: 1 }]);
  });

  test('within the response handles it, and sends the first half', async () => {
    fake.failNext('submitVariablePayment', 'truncated-response');
    const response = await fetch(`${fake.url}${payments.slice('POST '.length)}`, {
      method: 'POST',
      headers: { ...bearer, 'content-type': 'application/json' },
      body: JSON.stringify(payment),
    });
    expect(response.status).toBe(200);
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toMatch(/^\{"payrollContractId":"c"/);
    await expect(response.body?.cancel() ?? Promise.reject(new Error('no body'))).rejects.toThrow(TypeError);
    expect(fake.payments.list()).toHaveLength(1);
  });

  test('within a list never gives a whole one', async () => {
    fake.failNext('listPersons', 'truncated-response', 2);
    await expect(call(fake, persons)).rejects.toThrow('terminated');
    fake.load(scenarioOf([]));
    await expect(call(fake, persons)).rejects.toThrow('terminated');
  });
});

test('a delay holds up its own response only', async () => {
  fake.failNext('listPersons', { delayMs: 2000 });
  const start = performance.now();
  const slow = call(fake, persons).then(() => performance.now() - start);
  await expect(Promise.race([slow, call(fake, 'GET /api/v1/time-bookings')])).resolves.toHaveProperty('status', 200);
  expect(await slow).toBeGreaterThan(1990);
});

test('a reset forgets failures that were not used', async () => {
  fake.failNext('listPersons', 503);
  fake.reset();
  expect((await call(fake, persons)).status).toBe(200);
});

test.each([0, -1, 1.5, Number.NaN])('%d times is refused', (times) => {
  expect(() => fake.failNext('listPersons', 503, times)).toThrow('failNext: times must be a whole number, 1 or more.');
});

test.each<[FakeOperation, unknown, string]>([
  ['listPeople' as 'listPersons', 503, 'the operation must be one of listPersons, updatePerson, '],
  [
    'listPersons',
    404,
    "the failure of listPersons must be one of 401, 403, 429, 500, 503, 'lost-request', 'lost-response', " +
      "'truncated-response', { status, retryAfterSeconds } with whole seconds, or { delayMs } from 0 to 2147483647.",
  ],
  ['listPersons', 409, 'the failure of listPersons must be one of 401, 403, 429, 500, 503, '],
  ['listPersons', { status: 200 }, 'the failure of listPersons must be one of '],
  ['listPersons', 'truncated', 'the failure of listPersons must be one of '],
  ['requestToken', 403, 'the failure of requestToken must be one of 401, 429, 500, 503, '],
  ['requestToken', { status: 409 }, 'the failure of requestToken must be one of 401, 429, 500, 503, '],
  ['listPersons', { delayMs: -1 }, 'the failure of listPersons must be one of '],
  ['listPersons', { delayMs: Number.NaN }, 'the failure of listPersons must be one of '],
  ['listPersons', { delayMs: 2 ** 31 }, 'the failure of listPersons must be one of '],
  ['listPersons', { status: 429, retryAfterSeconds: 1.5 }, 'the failure of listPersons must be one of '],
  ['listPersons', { status: 429, retryAfterSeconds: -1 }, 'the failure of listPersons must be one of '],
])('%s cannot fail by %j', async (operation, failure, sentence) => {
  const failNext = () => fake.failNext(operation, failure as FailureOf<FakeOperation>);
  expect(failNext).toThrow(
    expect.objectContaining({
      code: 'invalid-option',
      message: expect.stringContaining(`failNext: ${sentence}`) as string,
    }),
  );
  expect((await call(fake, persons)).status).toBe(200);
});
