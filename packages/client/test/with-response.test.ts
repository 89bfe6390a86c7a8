import { expect, test } from 'vitest';
import type { HrClient, WithResponse } from '../src/index.ts';
import { clientOf, json, raw, service } from './service.ts';

const bonus = { billingPeriod: '2026-01', compensationComponentId: 'BONUS', amount: 1 };
const paid = { payrollContractId: '1-2', correctionPeriod: '2026-01', ...bonus };
const endpoint = { id: 'e1', url: 'https://a.example', createdAt: '', failures: 0, secret: 's' };
const delivery = { messageId: 'm', type: 'test', sentAt: '', attempt: 1, durationMs: 1 };

type Call = (hr: HrClient) => PromiseLike<unknown> & { withResponse(): Promise<WithResponse<unknown>> };

test.each<[string, Call, unknown]>([
  ['persons.list', (hr) => hr.persons.list(), [{ id: 'p1' }]],
  ['persons.update', (hr) => hr.persons.update('p1', {}), { id: 'p1' }],
  ['payroll.submitVariablePayment', (hr) => hr.payroll.submitVariablePayment('1-2', bonus), paid],
  ['changes.get', (hr) => hr.changes.get({ wait: 1 }), { cursor: 'c', changed: [] }],
  ['webhooks.create', (hr) => hr.webhooks.create({ url: 'https://a.example' }), endpoint],
  ['webhooks.list', (hr) => hr.webhooks.list(), [endpoint]],
  ['webhooks.test', (hr) => hr.webhooks.test('e1'), delivery],
  ['webhooks.rotate', (hr) => hr.webhooks.rotate('e1'), endpoint],
  ['webhooks.delete', (hr) => hr.webhooks.delete('e1'), endpoint],
])('%s has the head of its response, and sends one request', async (_, call, answer) => {
  await using api = await service(raw('', 401), json(answer, 201, { 'x-request-id': 'r-1', etag: '"1"' }));
  const result = call(clientOf(api));
  const [{ data, response }, awaited, again] = await Promise.all([
    result.withResponse(),
    result,
    result.withResponse(),
  ]);
  expect(data).toEqual(answer);
  expect(awaited).toBe(data);
  expect(again.response).toBe(response);
  expect({ ...response, headers: response.headers.get('etag') }).toEqual({
    status: 201,
    headers: '"1"',
    requestId: 'r-1',
  });
  expect(api.requests).toHaveLength(2);
});

test('a response without a body has a head', async () => {
  await using api = await service(raw('', 204));
  const { data, response } = await clientOf(api).persons.update('p1', {}).withResponse();
  expect([data, response.status, response.requestId]).toEqual([undefined, 204, undefined]);
});

test('a request id that is malformed is undefined', async () => {
  await using api = await service(json([], 200, { 'x-request-id': 'a b' }));
  const { response } = await clientOf(api).persons.list().withResponse();
  expect(response.requestId).toBeUndefined();
});

test('it rejects like the call, for a list and for one value', async () => {
  await using api = await service(raw('', 404));
  const { persons } = clientOf(api);
  for (const result of [persons.list(), persons.update('p1', {})]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const [one, other] = await Promise.allSettled([result.withResponse(), result]);
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'not-found' } });
    expect(other).toEqual(one);
  }
  expect(api.requests).toHaveLength(2);
});

test('a list sends nothing before, and iterations of it have other responses', async () => {
  await using api = await service(
    json([{ id: 'p1' }], 200, { 'x-request-id': 'r-1', 'hr-cursor': 'c1' }),
    json([{ id: 'p2' }], 200, { 'x-request-id': 'r-2', 'hr-cursor': 'c2' }),
  );
  const list = clientOf(api).persons.list();
  await new Promise((resolve) => setImmediate(resolve));
  expect(api.requests).toHaveLength(0);
  await list;
  for await (const { id } of list) expect(id).toBe('p2');
  const { data, response } = await list.withResponse();
  expect([data, response.requestId, list.cursor]).toEqual([[{ id: 'p1' }], 'r-1', 'c2']);
  expect(api.requests).toHaveLength(2);
});

test('a filtered list has the elements of the filter', async () => {
  const absence = { id: 'a1', personId: 'p1', startDate: '2025-01-01', endDate: '2025-01-02' };
  await using api = await service(json([absence]));
  const window = { from: '2026-01-01', to: '2026-01-31' };
  await expect(clientOf(api).time.absencesOverlapping('p1', window).withResponse()).resolves.toMatchObject({
    data: [],
  });
});
