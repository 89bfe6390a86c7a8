import { startFakeHrCloud, type RunningFakeHrCloud } from '@hr/testing/fake';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { call, requestToken } from './call.ts';

let fake: RunningFakeHrCloud;
beforeAll(async () => {
  fake = await startFakeHrCloud({ clientSecret: 's3cret' });
});
beforeEach(() => fake.reset());
afterAll(() => fake.stop());

test('a request is recorded with its parts and the status of its response', async () => {
  fake.state('a contract', { payrollContractId: 'c/1' });
  const path = '/api/v1/payrollContract/c%2F1/variable-payments';
  const body = { compensationComponentId: 'BONUS', amount: 1 };
  await call(fake, `POST ${path}?billingPeriod=2026-01`, { body, headers: { 'idempotency-key': 'k' } });
  expect(fake.requests).toEqual([
    {
      operation: 'submitVariablePayment',
      method: 'POST',
      path,
      query: { billingPeriod: '2026-01' },
      headers: expect.objectContaining({ 'content-type': 'application/json', 'idempotency-key': 'k' }),
      body,
      status: 200,
    },
  ]);
});

test('no token, no secret and no cookie is recorded', async () => {
  await requestToken(fake, { client_secret: 's3cret' });
  const basic = { authorization: `Basic ${btoa('fake-client:s3cret')}`, cookie: 'a=s3cret' };
  await fetch(`${fake.url}/api/oauth2/token`, {
    method: 'POST',
    headers: basic,
    body: 'grant_type=client_credentials',
  });
  await call(fake, 'GET /api/v1/persons', { headers: { authorization: 'Bearer t0ken' } });
  const recorded = JSON.stringify(fake.requests);
  expect(fake.requests.map(({ operation }) => operation)).toEqual(['requestToken', 'requestToken', 'listPersons']);
  expect(recorded).not.toMatch(/s3cret|t0ken|authorization|cookie/i);
  expect(recorded).not.toContain(btoa('fake-client:s3cret'));
  expect(fake.requests[0]?.body).toEqual({ grant_type: 'client_credentials', client_id: 'fake-client' });
});

test.each([
  ['GET /api/v1/nothing', undefined, 404],
  ['DELETE /api/v1/persons', undefined, 405],
  ['GET /api/v1/persons?x=1', 'listPersons', 400],
])('%s is recorded, too', async (request, operation, status) => {
  await call(fake, request);
  expect(fake.requests).toMatchObject([{ operation, status }]);
});

test('one waits for requests that are still to come', async () => {
  const waited = fake.requestsOf('listPersons', 2);
  await call(fake, 'GET /api/v1/persons');
  await call(fake, 'GET /api/v1/time-bookings');
  await call(fake, 'GET /api/v1/persons?changedSince=2026-01-01');
  expect((await waited).map(({ query }) => query)).toEqual([{}, { changedSince: '2026-01-01' }]);
  expect(await fake.requestsOf('listPersons')).toHaveLength(2);
});

test('missing requests reject after five seconds', async () => {
  await call(fake, 'GET /api/v1/persons');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const waited = fake.requestsOf('listPersons', 2);
  vi.advanceTimersByTime(5000);
  await expect(waited).rejects.toMatchObject({
    code: 'requests-missing',
    message: 'requestsOf: 1 of 2 requests of listPersons arrived within 5 seconds. Check that your code sends them.',
  });
  await fake.requestsOf('listPersons');
  expect(vi.getTimerCount()).toBe(0);
});

test('recorded requests do not change, and clearRequests deletes them', async () => {
  await call(fake, 'GET /api/v1/persons');
  const before = fake.requests;
  await call(fake, 'GET /api/v1/persons');
  expect(before).toHaveLength(1);
  expect(fake.requests).toHaveLength(2);
  fake.clearRequests();
  expect(fake.requests).toEqual([]);
});

test('a body that is no JSON is recorded as its text', async () => {
  const headers = { authorization: 'Bearer contract-token', 'content-type': 'application/json' };
  await fetch(`${fake.url}/api/v1/persons/1`, { method: 'PATCH', headers, body: '{' });
  expect(fake.requests).toMatchObject([{ body: '{', status: 400 }]);
});
