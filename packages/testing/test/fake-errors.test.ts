import { operations, problemKinds, problemType, type OperationId, type ProblemKind } from '@hr/schemas';
import { startFakeHrCloud, type RunningFakeHrCloud } from '@hr/testing/fake';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bearer } from './call.ts';

let fake: RunningFakeHrCloud;
beforeAll(async () => {
  fake = await startFakeHrCloud();
  fake.state('a contract', { payrollContractId: '1', personId: '1' });
  fake.state('a webhook endpoint', { id: '1' });
});
afterAll(() => fake.stop());

async function refusal(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(fake.url + path, { headers: bearer, ...init });
}

const json = { ...bearer, 'content-type': 'application/json' };

test.each<[string, string, RequestInit, ProblemKind, Record<string, string>]>([
  ['no token', '/api/v1/persons', { headers: {} }, 'unauthorized', { 'www-authenticate': 'Bearer realm="hr-cloud"' }],
  ['an unknown address', '/api/v1/nothing', {}, 'not-found', {}],
  ['an empty id', '/api/v1/persons//absences', {}, 'not-found', {}],
  ['an unknown person', '/api/v1/persons/2/absences', {}, 'not-found', {}],
  ['another method', '/api/v1/persons', { method: 'POST' }, 'method-not-allowed', { allow: 'GET' }],
  ['DELETE', '/api/v1/persons', { method: 'DELETE' }, 'method-not-allowed', { allow: 'GET' }],
  ['a reader of HTML', '/api/v1/persons', { headers: { ...bearer, accept: 'text/html' } }, 'not-acceptable', {}],
  ['text', '/api/v1/persons/1', { method: 'PATCH', body: '{}' }, 'unsupported-media-type', {}],
  [
    'a long body',
    '/api/v1/persons/1',
    { method: 'PATCH', headers: json, body: ' '.repeat(1024 * 1024 + 1) },
    'content-too-large',
    {},
  ],
  ['an address that is no UTF-8', '/api/v1/persons/%ff/absences', {}, 'invalid-request', {}],
])('%s', async (_, path, init, kind, headers) => {
  const response = await refusal(path, init);
  const { status, title } = problemKinds[kind];
  expect(response.status).toBe(status);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    ...headers,
    'content-type': 'application/problem+json',
  });
  const requestId = response.headers.get('x-request-id');
  const [instance] = path.split('?');
  expect(await response.json()).toMatchObject({ type: problemType(kind), status, title, instance, requestId });
});

test.each([
  ['application/*', 200],
  ['text/html, Application/JSON;q=0.1', 200],
  ['*/*; q=0', 406],
  ['*/*, application/json;q=0', 406],
  ['application/json;charset=utf-8', 200],
  ['application/problem+json', 406],
])('a request that accepts %s has the status %i', async (accept, status) => {
  expect((await refusal('/api/v1/persons', { headers: { ...bearer, accept } })).status).toBe(status);
});

test('the response to HEAD has no body', async () => {
  const response = await refusal('/api/v1/persons', { method: 'HEAD' });
  expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([405, 'GET', '']);
});

test.each<[string, RequestInit, string[]]>([
  ['/api/v1/persons?changedSince=2026-02-29', {}, ['/changedSince wrong-format']],
  ['/api/v1/persons?since=2026-02-01', {}, ['/since unknown-name']],
  ['/api/v1/time-bookings?startDate=2026-02-02&endDate=2026-02-01', {}, ['/startDate rule']],
  [
    '/api/v1/persons/1',
    { method: 'PATCH', body: '{"addresses":[{"zipCode":"12345678901"}]}' },
    ['/addresses/0/zipCode too-long'],
  ],
  [
    '/api/v1/persons/1',
    { method: 'PATCH', body: '{"addresses":[{"postalCode":"1"}],"x":1}' },
    ['/addresses/0/postalCode former-name', '/x unknown-name'],
  ],
  ['/api/v1/persons/1', { method: 'PATCH', body: '{"bankDetails":{},"bankDetails":{}}' }, ['/bankDetails rule']],
  ['/api/v1/persons/1', { method: 'PATCH', body: '{' }, [' wrong-format']],
  [
    '/api/v1/payrollContract/1/variable-payments',
    { method: 'POST', body: '{"compensationComponentId":"B"}' },
    ['/billingPeriod required', ' rule'],
  ],
])('the faults of %s have pointers', async (path, init, faults) => {
  const response = await refusal(path, { ...init, headers: json });
  expect(response.status).toBe(400);
  const { errors } = (await response.json()) as { errors: { pointer: string; code: string }[] };
  expect(errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(faults);
});

test('every operation of the table has a response', async () => {
  const responses: unknown[] = [];
  for (const id of Object.keys(operations) as OperationId[]) {
    const { method, path } = operations[id];
    const query = id === 'submitVariablePayment' ? '?billingPeriod=2026-01' : '';
    const body = {
      updatePerson: '{}',
      submitVariablePayment: '{"compensationComponentId":"B","days":1}',
      createWebhookEndpoint: '{"url":"https://127.0.0.1:9/"}',
    };
    const sent = id in body ? { body: body[id as keyof typeof body] } : {};
    // oxlint-disable no-await-in-loop -- the last one removes what others need
    const response = await refusal(path.replaceAll(/\{\w+\}/g, '1') + query, { method, headers: json, ...sent });
    responses.push([id, response.status, Array.isArray(await response.json())]);
    // oxlint-enable no-await-in-loop
  }
  const expected = Object.entries(operations).map(([id, { list }]) => [id, 200, list]);
  expect(responses).toEqual(expected);
});
