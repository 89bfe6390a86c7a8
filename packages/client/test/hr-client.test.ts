import { operations, type OperationId } from '@hr/schemas';
import { describe, expect, test } from 'vitest';
import type { HrClient } from '../src/index.ts';
import { clientOf, json, raw, service } from './service.ts';

const person = { id: 'p1', firstName: 'Zoë' };
const payment = {
  payrollContractId: '1-2',
  billingPeriod: '2026-01',
  correctionPeriod: '2025-12',
  compensationComponentId: 'BONUS',
  amount: -250.5,
};
const booking = { personId: 'p1', days: [{ date: '2026-01-31', bookedTime: 1.3 }] };
const salary = { payrollContractId: '1-2', year: 2026, month: 1, totalSalary: 1, baseSalary: 1, values: [] };
const absence = { id: 'a1', personId: 'p1', startDate: '2026-01-31' };

interface Case {
  readonly call: (hr: HrClient) => PromiseLike<unknown>;
  readonly target: string;
  readonly body?: unknown;
  readonly answer: unknown;
}

const endpoint = {
  id: 'e/1',
  url: 'https://hooks.example.com/hr',
  createdAt: '2026-02-03T09:15:00.000Z',
  failures: 0,
};
const delivery = { messageId: 'm', type: 'test', sentAt: endpoint.createdAt, attempt: 1, status: 204, durationMs: 8 };
const bodyOfPayment = { correctionPeriod: '2025-12', compensationComponentId: 'BONUS', amount: -250.5 };

// One for each operation of the table: the compiler asks for those of a new one.
const cases: Record<OperationId, Case> = {
  listPersons: {
    call: (hr) => hr.persons.list({ changedSince: '2026-01-31' }),
    target: '/api/v1/persons?changedSince=2026-01-31',
    answer: [person],
  },
  updatePerson: {
    call: (hr) => hr.persons.update('p/1', { addresses: [{ street: ' As sent ', city: 'Köln' }] }),
    target: '/api/v1/persons/p%2F1',
    body: { addresses: [{ street: ' As sent ', city: 'Köln' }] },
    answer: person,
  },
  submitVariablePayment: {
    call: (hr) => hr.payroll.submitVariablePayment('1-2', { billingPeriod: '2026-01', ...bodyOfPayment }),
    target: '/api/v1/payrollContract/1-2/variable-payments?billingPeriod=2026-01',
    body: bodyOfPayment,
    answer: payment,
  },
  listVariablePayments: {
    call: (hr) => hr.payroll.variablePayments('1-2', { billingPeriod: '2026-01' }),
    target: '/api/v1/payrollContract/1-2/variable-payments?billingPeriod=2026-01',
    answer: [payment],
  },
  listVariablePaymentDecisions: {
    call: (hr) => hr.payroll.decisions({ after: 'c1.x' }),
    target: '/api/v1/variable-payment-decisions?after=c1.x',
    answer: [{ ...payment, state: 'rejected', decidedAt: '2026-02-03T09:15:00.000Z' }],
  },
  listTimeBookings: {
    call: (hr) => hr.time.bookings({ from: '2026-01-01', to: '2026-01-31', changedSince: '2026-01-15' }),
    target: '/api/v1/time-bookings?startDate=2026-01-01&endDate=2026-01-31&changedSince=2026-01-15',
    answer: [booking],
  },
  listSalaryHistory: {
    call: (hr) => hr.payroll.salaryHistory('1-2', { from: '2025-01', to: '2025-12' }),
    target: '/api/v1/payrollContract/1-2/salaries/history?from=2025-01&to=2025-12',
    answer: [salary],
  },
  listAllSalaries: {
    call: (hr) => hr.payroll.allSalaries({ from: '2025-01', to: '2025-12' }),
    target: '/api/v1/salaries/history?from=2025-01&to=2025-12',
    answer: [salary],
  },
  listAbsences: {
    call: (hr) => hr.time.absences('p1', { from: '2026-01-01', to: '2026-01-31' }),
    target: '/api/v1/persons/p1/absences?from=2026-01-01&to=2026-01-31',
    answer: [absence],
  },
  listAllAbsences: {
    call: (hr) => hr.time.allAbsences({ from: '2026-01-01', after: 'c1.x' }),
    target: '/api/v1/absences?from=2026-01-01&after=c1.x',
    answer: [{ ...absence, startDate: null, deleted: true }],
  },
  getChanges: {
    call: (hr) => hr.changes.get({ after: 'c1.x', wait: 50 }),
    target: '/api/v1/changes?after=c1.x&wait=50',
    answer: { cursor: 'c2.x', changed: ['persons', 'something new'] },
  },
  createWebhookEndpoint: {
    call: (hr) => hr.webhooks.create({ url: endpoint.url }),
    target: '/api/v1/webhook-endpoints',
    body: { url: endpoint.url },
    answer: { ...endpoint, secret: 'whsec_x' },
  },
  listWebhookEndpoints: {
    call: (hr) => hr.webhooks.list(),
    target: '/api/v1/webhook-endpoints',
    answer: [{ ...endpoint, failures: 2, failingSince: endpoint.createdAt }],
  },
  listWebhookDeliveries: {
    call: (hr) => hr.webhooks.deliveries('e/1'),
    target: '/api/v1/webhook-endpoints/e%2F1/deliveries',
    answer: [delivery, { ...delivery, type: 'something new', status: null, failure: 'something new' }],
  },
  testWebhookEndpoint: {
    call: (hr) => hr.webhooks.test('e/1'),
    target: '/api/v1/webhook-endpoints/e%2F1/test',
    answer: delivery,
  },
  rotateWebhookSecret: {
    call: (hr) => hr.webhooks.rotate('e/1'),
    target: '/api/v1/webhook-endpoints/e%2F1/rotate',
    answer: { ...endpoint, secret: 'whsec_x' },
  },
  deleteWebhookEndpoint: {
    call: (hr) => hr.webhooks.delete('e/1'),
    target: '/api/v1/webhook-endpoints/e%2F1',
    answer: endpoint,
  },
};

test.each(Object.entries(cases) as [OperationId, Case][])('%s', async (id, { call, target, body, answer }) => {
  await using api = await service(json(answer));
  await expect(call(clientOf(api))).resolves.toEqual(answer);

  expect(api.requests).toEqual([
    {
      method: operations[id].method,
      target,
      headers: expect.objectContaining({ authorization: 'Bearer token-1', accept: 'application/json' }),
      body: body === undefined ? '' : JSON.stringify(body),
    },
  ]);
  expect(api.requests[0]?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
});

test('without a filter no query is sent', async () => {
  await using api = await service(json([]));
  const hr = clientOf(api);
  await hr.persons.list();
  await hr.persons.list({ changedSince: undefined, after: undefined });
  expect(api.requests.map(({ target }) => target)).toEqual(['/api/v1/persons', '/api/v1/persons']);
});

test('the path of baseUrl stays', async () => {
  await using api = await service(json([]));
  await clientOf({ url: `${api.url}/hr//` }).persons.list();
  expect(api.requests[0]?.target).toBe('/hr/api/v1/persons');
});

test('a deployment may name query parameters otherwise', async () => {
  await using api = await service(json([]));
  const hr = clientOf(api, { wireNames: { listTimeBookings: { from: 'dateFrom' } } });
  await hr.time.bookings({ from: '2026-01-01', to: '2026-01-31' });
  expect(api.requests[0]?.target).toBe('/api/v1/time-bookings?dateFrom=2026-01-01&endDate=2026-01-31');
});

test.each([
  ['1-2', '1-2'],
  ['a/b?c#d%2F', 'a%2Fb%3Fc%23d%252F'],
  ['...', '...'],
  ['ä b', '%C3%A4%20b'],
])('the contract id %j is sent as %s', async (contractId, encoded) => {
  await using api = await service(json([]));
  await clientOf(api).payroll.salaryHistory(contractId);
  expect(api.requests[0]?.target).toBe(`/api/v1/payrollContract/${encoded}/salaries/history`);
});

test('a byte order mark before one answer is no part of it', async () => {
  await using api = await service(raw('\u{FEFF}{"id":"p1"}'));
  await expect(clientOf(api).persons.update('p1', { addresses: [] })).resolves.toEqual({ id: 'p1' });
});

test('the idempotency key is a header', async () => {
  await using api = await service(json(payment));
  const submission = { billingPeriod: '2026-01', ...bodyOfPayment, idempotencyKey: 'run-7/42' };
  await clientOf(api).payroll.submitVariablePayment('1-2', submission);
  expect(api.requests[0]?.headers['idempotency-key']).toBe('run-7/42');
  expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual(bodyOfPayment);
});

test.each([
  ['200 and no body', raw('', 200)],
  ['200 and white space', raw(' \n', 200)],
  ['204', raw('', 204)],
])('an update may be answered by nothing: %s', async (_, answer) => {
  await using api = await service(answer);
  await expect(clientOf(api).persons.update('p1', {})).resolves.toBeUndefined();
});

test('former and unknown names of an answer are kept', async () => {
  const old = { id: 'p1', shoeSize: 43, address: { postalCode: '10115' }, groups: [{ id: 'g', type: 'TEAM' }] };
  await using api = await service(json([old]));
  await expect(clientOf(api).persons.list()).resolves.toEqual([old]);
});

describe('absencesOverlapping', () => {
  const absences = [
    { id: 'over before', personId: 'p1', startDate: '2026-01-01', endDate: '2026-01-09' },
    { id: 'ends on the first day', personId: 'p1', startDate: '2026-01-01', endDate: '2026-01-10' },
    { id: 'within', personId: 'p1', startDate: '2026-01-12', endDate: '2026-01-13' },
    { id: 'goes on', personId: 'p1', startDate: '2026-01-20', endDate: null },
    { id: 'starts after', personId: 'p1', startDate: '2026-01-21', endDate: '2026-01-22' },
  ];

  test('asks with `to` alone and filters the rest itself', async () => {
    await using api = await service(json(absences));
    const found = await clientOf(api).time.absencesOverlapping('p1', { from: '2026-01-10', to: '2026-01-20' });
    expect(api.requests[0]?.target).toBe('/api/v1/persons/p1/absences?to=2026-01-20');
    expect(found.map(({ id }) => id)).toEqual(['ends on the first day', 'within', 'goes on']);
  });

  test.each([
    [{ from: '2026-01-10' }, '/to'],
    [{ to: '2026-01-10' }, '/from'],
    [{ from: '2026-01-11', to: '2026-01-10' }, '/from'],
    [{ from: '2026-02-29', to: '2026-03-10' }, '/from'],
  ])('refuses the window %j', async (window, pointer) => {
    await using api = await service(json(absences));
    await expect(clientOf(api).time.absencesOverlapping('p1', window as never)).rejects.toMatchObject({
      code: 'invalid-request',
      problem: { errors: [expect.objectContaining({ pointer })] },
    });
    expect(api.requests).toHaveLength(0);
  });
});
