import { operations, type VariablePayment } from '@hr/schemas';
import { startFakeHrCloud, type RunningFakeHrCloud } from '@hr/testing/fake';
import { readState, scenarioOf, type ProviderState } from '@hr/testing/states';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { call } from './call.ts';

const now = Date.parse('2026-03-02T12:00:00Z');

let fake: RunningFakeHrCloud;
beforeAll(async () => {
  fake = await startFakeHrCloud({ clock: () => now });
});
beforeEach(() => fake.reset());
afterAll(() => fake.stop());

const persons = 'GET /api/v1/persons';
const absences = 'GET /api/v1/persons/1/absences';
const salaries = 'GET /api/v1/payrollContract/c/salaries/history';
const payments = 'GET /api/v1/payrollContract/c/variable-payments';

async function list(request: string): Promise<Record<string, unknown>[]> {
  return (await call(fake, request)).json as Record<string, unknown>[];
}

describe('a state adds to what is there', () => {
  test('a contract leaves its person as the API has changed it', async () => {
    fake.state('a person', { id: '1', lastName: 'Ek' });
    await call(fake, 'PATCH /api/v1/persons/1', { body: { bankDetails: {} } });
    fake.state('a contract', { payrollContractId: 'c', personId: '1' });
    expect(await list(persons)).toMatchObject([{ lastName: 'Ek', bankDetails: {}, payrollContractIds: ['c'] }]);
  });

  test('what a contract pays leaves the contract and its person as they are', async () => {
    fake.state('a contract', { payrollContractId: 'c', personId: '1', personGroupCode: 'X' });
    fake.state('a salary', { payrollContractId: 'c', year: 2026, month: 1 });
    fake.state('an approved payment', { payrollContractId: 'c', billingPeriod: '2026-01' });
    const [person, ...others] = await list(persons);
    expect(others).toEqual([]);
    expect(person).toMatchObject({ id: '1', employments: [{ personGroupCode: 'X' }] });
    expect(await list(salaries)).toHaveLength(1);
    expect(await list(payments)).toHaveLength(1);
  });

  test('a person replaces what was said of the same person, and nothing of the contracts', async () => {
    fake.state('a contract', { payrollContractId: 'c', personId: '1' });
    fake.state('a person', { id: '1', lastName: 'Ek' });
    expect(await list(persons)).toMatchObject([{ lastName: 'Ek', payrollContractIds: ['c'] }]);
  });

  test('each payment is one more, and so is each absence that names no id', async () => {
    for (const amount of [1, 1])
      fake.state('an approved payment', { payrollContractId: 'c', billingPeriod: '2026-01', amount });
    for (const startDate of ['2026-01-01', '2026-02-01']) fake.state('an absence', { personId: '1', startDate });
    expect(await list(payments)).toHaveLength(2);
    expect((await list(absences)).map(({ id }) => id)).toEqual(['1-1', '1-2']);
  });

  test('states add to the generated company', async () => {
    await using company = await startFakeHrCloud({ persons: 30 });
    const before = (await call(company, persons)).json as { id: string; payrollContractIds: string[] }[];
    const [first] = before;
    const payrollContractId = first?.payrollContractIds[0] ?? '';
    company.state('a salary', { payrollContractId, year: 1999, month: 1, totalSalary: 1 });
    company.state('an absence', { personId: first?.id ?? '' });
    expect((await call(company, persons)).json).toEqual(before);
    const path = `GET /api/v1/payrollContract/${payrollContractId}/salaries/history?to=1999-12`;
    expect((await call(company, path)).json).toMatchObject([{ year: 1999 }]);
  });

  test('an erased person can return', async () => {
    fake.state('an erased person', { id: '1' });
    fake.state('a person', { id: '1' });
    expect(await list(`${persons}?changedSince=2026-01-01`)).toEqual([expect.not.objectContaining({ erased: true })]);
  });

  test('a contract of another person is a contradiction', () => {
    fake.state('a contract', { payrollContractId: 'c', personId: '1' });
    expect(() => fake.state('a contract', { payrollContractId: 'c', personId: '2' })).toThrow(
      'In these states the contract c belongs to two persons.',
    );
  });

  test('parameters are checked as those of contracts are', () => {
    expect(() => fake.state('a person', { id: '' })).toThrow(
      'provider state "a person": /id must have at least 1 characters.',
    );
    expect(() => fake.state('a person who is not there' as 'a person', { id: '1' })).toThrow(
      'provider state "a person who is not there": unknown.',
    );
  });
});

describe('every state comes true', () => {
  const shown: readonly (readonly [ProviderState, string, unknown])[] = [
    [['a person', { id: '1', keyNumber: '77' }], persons, [{ id: '1', keyNumber: '77' }]],
    [['a contract', { payrollContractId: 'c', end: null }], persons, [{ employments: [{ payrollContractId: 'c' }] }]],
    [['a salary', { payrollContractId: 'c', year: 2026, month: 2 }], salaries, [{ year: 2026, month: 2 }]],
    [
      ['an approved payment', { payrollContractId: 'c', billingPeriod: '2026-01', amount: 5 }],
      payments,
      [{ amount: 5 }],
    ],
    [
      ['a decided payment', { payrollContractId: 'c', billingPeriod: '2026-01', state: 'rejected', reason: 'Paid.' }],
      'GET /api/v1/variable-payment-decisions',
      [{ billingPeriod: '2026-01', state: 'rejected', reason: 'Paid.' }],
    ],
    [
      ['a day of time bookings', { personId: '1', date: '2026-03-02', targetTime: 7.3 }],
      'GET /api/v1/time-bookings',
      [{ personId: '1', days: [{ date: '2026-03-02', targetTime: 7.3 }] }],
    ],
    [['an absence', { personId: '1', id: 'a' }], absences, [{ id: 'a', personId: '1' }]],
    [
      ['a person who changed', { id: '1', systems: ['time'], since: '2026-02-01' }],
      `${persons}?changedSince=2026-02-02`,
      [],
    ],
    [['a deleted person', { id: '1' }], `${persons}?changedSince=2026-03-02`, [{ id: '1', deleted: true }]],
    [
      ['a deleted day of time bookings', { personId: '1', date: '2026-03-02' }],
      'GET /api/v1/time-bookings?changedSince=2026-03-02',
      [{ personId: '1', days: [{ date: '2026-03-02', deleted: true }] }],
    ],
    [
      ['a deleted absence', { personId: '1', id: 'a' }],
      `${absences}?changedSince=2026-03-02`,
      [{ id: 'a', deleted: true }],
    ],
    [['an erased person', { id: '1' }], `${persons}?changedSince=2026-03-02`, [{ id: '1', erased: true }]],
    [
      ['a client with grants', { operations: ['listPersons'] }],
      absences,
      { status: 403, detail: 'This client may not use listAbsences. Ask the operator to grant the operation.' },
    ],
    [
      ['a client with grants', { systems: ['master'] }],
      absences,
      { status: 403, detail: expect.stringContaining('whose data is of the system time') as string },
    ],
    [['an outdated time component', {}], absences, { status: 409, installed: '63.11.19', required: '63.11.20' }],
    [['an outdated time component', { version: '7' }], absences, { status: 409, installed: '7' }],
    [['a used-up rate limit', {}], persons, { status: 429 }],
    [['an unavailable service', {}], persons, { status: 503 }],
  ];

  test.each(shown)('%j at %s', async (state, request, expected) => {
    const requestId = crypto.randomUUID();
    const ask = (): ReturnType<typeof call> => call(fake, request, { headers: { 'x-request-id': requestId } });
    fake.state(...state);
    const beside = (await ask()).json;
    expect(beside).toMatchObject(expected as object);
    fake.load(scenarioOf([state]));
    expect((await ask()).json).toEqual(beside);
  });
});

test('the last grants count, until the fake is reset', async () => {
  fake.state('a person', { id: '1', keyNumber: '77', lastName: 'Ek' });
  fake.state('a client with grants', { operations: ['listAbsences'] });
  fake.state('a client with grants', { systems: ['time'] });
  expect(await list(persons)).toEqual([{ id: '1', keyNumber: '77' }]);
  fake.load(scenarioOf([['a person', { id: '2' }]]));
  expect(await list(persons)).toMatchObject([{ id: '2', firstName: expect.any(String) as string }]);
  fake.state('a client with grants', { operations: ['listAbsences'] });
  fake.reset();
  expect(await list(persons)).toEqual([]);
});

test('a list of changes has only the changed systems of a person', async () => {
  fake.state('a person', { id: '1', keyNumber: '77' });
  fake.state('a person who changed', { id: '1', systems: ['time'], since: '2026-02-01' });
  expect(await list(`${persons}?changedSince=2026-02-01`)).toEqual([{ id: '1', keyNumber: '77' }]);
});

test('a used-up rate limit has a Retry-After, and ends then', async () => {
  let time = now;
  await using limited = await startFakeHrCloud({ clock: () => time });
  limited.state('a used-up rate limit');
  time += 18_000;
  const response = await call(limited, persons);
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '42']);
  expect(response.headers.get('ratelimit')).toBe('"client";r=0;t=42');
  time += 42_000;
  expect((await call(limited, persons)).status).toBe(200);
});

test('a scenario replaces the data of states, requests and another scenario', async () => {
  const one = readState('a person', { id: '1' });
  const payment: ProviderState = ['an approved payment', { payrollContractId: 'c', billingPeriod: '2026-01' }];
  fake.state('an unavailable service');
  fake.load(scenarioOf([one, payment]));
  fake.load(scenarioOf([one, payment]));
  expect((await list(payments)) as unknown as VariablePayment[]).toHaveLength(1);
  fake.load(scenarioOf([['a person', { id: '2' }]]));
  expect(await list(persons)).toMatchObject([{ id: '2' }]);
  fake.reset();
  expect(await list(persons)).toEqual([]);
});

test('a scenario may move a contract of the company: it has one person', async () => {
  await using company = await startFakeHrCloud({ persons: 1 });
  const [member] = (await call(company, persons)).json as { payrollContractIds: string[] }[];
  const [payrollContractId = ''] = member?.payrollContractIds ?? [];
  company.load(scenarioOf([['a contract', { payrollContractId, personId: 'a' }]]));
  const shown = (await call(company, persons)).json as { id: string; payrollContractIds: string[] }[];
  expect(shown.filter((each) => each.payrollContractIds.includes(payrollContractId)).map(({ id }) => id)).toEqual([
    'a',
  ]);
});

test('all responses about a company match the models', async () => {
  await using company = await startFakeHrCloud({ persons: 60 });
  const all = (await call(company, persons)).json as { id: string; payrollContractIds: string[] }[];
  const lists: [keyof typeof operations, string][] = [
    ['listPersons', persons],
    ['listTimeBookings', 'GET /api/v1/time-bookings'],
    ...all.map(({ id }): [keyof typeof operations, string] => ['listAbsences', `GET /api/v1/persons/${id}/absences`]),
  ];
  const elements: number[] = [];
  for (const [operation, request] of lists) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { json } = await call(company, request);
    elements.push(z.array(operations[operation].response as z.ZodType).parse(json).length);
  }
  expect(elements[0]).toBe(60);
  expect(Math.max(...elements.slice(2))).toBeGreaterThan(0);
  const changed = await call(company, `${persons}?changedSince=2020-01-01`);
  expect(z.array(operations.listPersons.delta).parse(changed.json)).toHaveLength(60);
});
