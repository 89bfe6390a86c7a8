import { HrTestingError, startFakeHrCloud, type RunningFakeHrCloud } from '@hr/testing/fake';
import { fixtures } from '@hr/testing/fixtures';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { call } from './call.ts';

const { absence, employment, person, salaryHistoryEntry, timeBookingDay } = fixtures();
let now: number;
let fake: RunningFakeHrCloud;
beforeEach(async () => {
  now = Date.parse('2026-03-02T12:00:00Z');
  fake = await startFakeHrCloud({ clock: () => now });
  onTestFinished(() => fake.stop());
});

async function get(path: string): Promise<unknown> {
  return (await call(fake, `GET /api/v1/${path}`)).json;
}

const arrays = { groups: [], customFields: [], employments: [], payrollContractIds: [] };

describe('a person', () => {
  test('has exactly the given fields, and an id that is made up', async () => {
    const ada = fake.persons.add({ firstName: 'Ada' });
    const bob = fake.persons.add({ firstName: 'Bob' });
    expect(ada).toEqual({ id: 'person-1', firstName: 'Ada', middleName: '', ...arrays });
    expect(bob.id).toBe('person-2');
    expect(await get('persons')).toEqual([ada, bob]);
    expect(fake.persons.list()).toEqual([ada, bob]);
  });

  test('never gets the id of another', () => {
    fake.persons.add({ id: 'person-2' });
    expect(fake.persons.add({}).id).toBe('person-3');
    expect(fake.persons.add({ id: 'person-1' }).id).toBe('person-1');
    expect(fake.persons.list()).toHaveLength(3);
  });

  test('of the fixtures is stored as it is, with its contracts', async () => {
    const built = person.with('severalContracts').build();
    const stored = fake.persons.add(built);
    expect(stored).toEqual({
      groups: [],
      customFields: [],
      ...built,
      employments: expect.arrayContaining(built.employments ?? []) as unknown,
    });
    expect(fake.contracts.list()).toEqual(
      (built.employments ?? []).map((each) => ({ ...each, personId: built.id, salaries: [] })),
    );
    expect(await get('persons')).toEqual([stored]);
  });

  test('with a known id replaces it, and lists of changes say so', async () => {
    fake.persons.add({ id: 'a', firstName: 'Ada', keyNumber: '7' });
    fake.contracts.add({ personId: 'a', payrollContractId: 'c' });
    now += 24 * 3_600_000;
    expect(fake.persons.add({ id: 'a', keyNumber: '8' })).not.toHaveProperty('firstName');
    expect(await get('persons?changedSince=2026-03-03')).toMatchObject([{ firstName: null, keyNumber: '8' }]);
    expect(await get('persons')).toMatchObject([{ id: 'a', payrollContractIds: ['c'] }]);
  });

  test('shows what the API changed', async () => {
    fake.persons.add({ id: 'a' });
    await call(fake, 'PATCH /api/v1/persons/a', { body: { bankDetails: { iban: 'DE00X' } } });
    expect(fake.persons.list()).toMatchObject([{ id: 'a', bankDetails: { iban: 'DE00X' } }]);
  });
});

describe('a contract', () => {
  test('belongs to its person, and has paid its salaries', async () => {
    const { id: personId } = fake.persons.add({});
    const salaries = [salaryHistoryEntry.build({ year: 2026, month: 2 }), { year: 2026, month: 1, totalSalary: 3000 }];
    const contract = fake.contracts.add({ personId, fullTime: true, salaries });
    expect(contract).toMatchObject({ payrollContractId: 'contract-1', personId, fullTime: true });
    expect(await get('payrollContract/contract-1/salaries/history')).toEqual(contract.salaries.toReversed());
    expect(contract.salaries[1]).toEqual({ payrollContractId: 'contract-1', year: 2026, month: 1, totalSalary: 3000 });
    expect(fake.persons.list()).toMatchObject([
      { employments: [{ payrollContractId: 'contract-1', fullTime: true }], payrollContractIds: ['contract-1'] },
    ]);
    expect(fake.contracts.list()).toEqual([contract]);
  });

  test('of the fixtures is stored as it is', () => {
    const { id: personId } = fake.persons.add({});
    const built = employment.build();
    expect(fake.contracts.add({ ...built, personId })).toEqual({ ...built, personId, salaries: [] });
    expect(fake.contracts.add({ personId }).payrollContractId).toBe('contract-2');
  });

  test('that is added again replaces its payroll record, and keeps its salaries', () => {
    const { id: personId } = fake.persons.add({});
    const january = { year: 2026, month: 1 };
    fake.contracts.add({ personId, payrollContractId: 'c', fullTime: true, salaries: [january] });
    expect(fake.contracts.add({ personId, payrollContractId: 'c' })).toEqual({
      payrollContractId: 'c',
      personId,
      salaries: [{ ...january, payrollContractId: 'c' }],
    });
  });
});

test('a day of time bookings belongs to its person', async () => {
  const { id: personId } = fake.persons.add({});
  const day = fake.timeDays.add({ ...timeBookingDay.build({ date: '2026-03-02' }), personId });
  const { personId: _personId, ...stored } = day;
  expect(await get('time-bookings')).toEqual([{ personId, days: [stored] }]);
  expect(fake.timeDays.add({ personId, date: '2026-03-02' })).toEqual({ personId, date: '2026-03-02' });
  expect(fake.timeDays.list()).toEqual([{ personId, date: '2026-03-02' }]);
});

test('an absence belongs to its person', async () => {
  const { id: personId } = fake.persons.add({});
  const first = fake.absences.add({ personId, startDate: '2026-03-02' });
  const second = fake.absences.add({ ...absence.build(), personId });
  expect(first).toEqual({ id: 'person-1-1', personId, startDate: '2026-03-02' });
  expect(fake.absences.list()).toEqual([first, second]);
  expect(await get(`persons/${personId}/absences`)).toEqual(expect.arrayContaining([first, second]));
});

test('a payment waits for its approval, unless it has another state', async () => {
  fake.contracts.add({ personId: fake.persons.add({}).id, payrollContractId: 'c' });
  const payment = { payrollContractId: 'c', billingPeriod: '2026-01', compensationComponentId: 'BONUS', amount: 250 };
  const submitted = fake.payments.add(payment);
  expect(submitted).toEqual({ id: '1', state: 'submitted', correctionPeriod: '2026-01', ...payment });
  const approved = fake.payments.add({ ...payment, amount: 100, state: 'approved' });
  expect(await get('payrollContract/c/variable-payments')).toMatchObject([{ amount: 100 }]);
  fake.payments.approve(submitted.id);
  expect(await get('payrollContract/c/variable-payments')).toMatchObject([{ amount: 250 }, { amount: 100 }]);
  expect(fake.payments.list()).toEqual([
    { ...submitted, state: 'approved', decidedAt: '2026-03-02T12:00:00.000Z' },
    approved,
  ]);
});

test.each<[string, (records: RunningFakeHrCloud) => unknown]>([
  [
    'persons.add: /gender must be one of MALE, FEMALE, INTERSEX, UNSPECIFIED.',
    ({ persons }) => persons.add({ gender: 'X' as 'MALE' }),
  ],
  [
    'persons.add: /address/zipCode must have at most 10 characters; /address/postalCode is the former name of zipCode; write that.',
    ({ persons }) => persons.add({ address: { zipCode: '1'.repeat(11), postalCode: '1' } as object }),
  ],
  [
    'persons.add: /employments/0/payrollContractId is required.',
    ({ persons }) => persons.add({ employments: [{} as never] }),
  ],
  ['contracts.add: /personId is required.', ({ contracts }) => contracts.add({} as never)],
  [
    'contracts.add: /salaries/0/month must be at most 12.',
    ({ contracts }) => contracts.add({ personId: 'p', salaries: [{ year: 2026, month: 13 }] }),
  ],
  [
    'contracts.add: /personId is the id of no person. Add the person first.',
    ({ contracts }) => contracts.add({ personId: 'x' }),
  ],
  [
    'timeDays.add: /date must be a calendar date YYYY-MM-DD that exists.',
    ({ timeDays }) => timeDays.add({ personId: 'p', date: '2026-02-29' }),
  ],
  [
    'timeDays.add: /personId is the id of no person. Add the person first.',
    ({ timeDays }) => timeDays.add({ personId: 'x', date: '2026-02-28' }),
  ],
  ['absences.add: /startDate is required.', ({ absences }) => absences.add({ personId: 'p' } as never)],
  [
    'absences.add: /personId is the id of no person. Add the person first.',
    ({ absences }) => absences.add({ personId: 'x', startDate: '2026-02-28' }),
  ],
  [
    'payments.add: /billingPeriod must be a month YYYY-MM, 01 to 12.',
    ({ payments }) =>
      payments.add({ payrollContractId: 'c', billingPeriod: '2026-13', compensationComponentId: 'B', days: 1 }),
  ],
  [
    'payments.add: needs at least one of amount, hours, days, hourlyFactor, percentage.',
    ({ payments }) =>
      payments.add({ payrollContractId: 'c', billingPeriod: '2026-01', compensationComponentId: 'B' } as never),
  ],
  [
    'payments.add: /payrollContractId is the id of no contract. Add the contract first.',
    ({ payments }) =>
      payments.add({ payrollContractId: 'x', billingPeriod: '2026-01', compensationComponentId: 'B', days: 1 }),
  ],
])('%s', (message, add) => {
  fake.contracts.add({ personId: fake.persons.add({ id: 'p' }).id, payrollContractId: 'c' });
  expect(() => add(fake)).toThrow(new HrTestingError('invalid-option', message));
  const { persons, contracts, timeDays, absences, payments } = fake;
  expect([persons, contracts, timeDays, absences, payments].map((records) => records.list().length)).toEqual([
    1, 1, 0, 0, 0,
  ]);
});

test('a reset empties them, and ids start anew', () => {
  fake.contracts.add({ personId: fake.persons.add({}).id });
  fake.reset();
  expect([...fake.persons.list(), ...fake.contracts.list()]).toEqual([]);
  expect(fake.persons.add({}).id).toBe('person-1');
});

test('states and records meet', async () => {
  fake.persons.add({ id: 'a', lastName: 'Ek' });
  fake.state('a contract', { payrollContractId: 'c', personId: 'a' });
  expect(fake.contracts.list()).toMatchObject([{ payrollContractId: 'c', personId: 'a' }]);
  fake.state('an absence', { personId: 'a' });
  expect(fake.absences.add({ personId: 'a', startDate: '2026-01-01' }).id).toBe('a-2');
  expect(await get('persons')).toMatchObject([{ id: 'a', lastName: 'Ek', payrollContractIds: ['c'] }]);
});
