import { randomUUID } from 'node:crypto';
import type { Collection } from '@hr/client/mirror';
import { problemType } from '@hr/schemas';
import type { System } from '@hr/schemas/rules';
import { consumer } from '@hr/testing/pact';
import type { ProviderState } from '@hr/testing/states';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { EditScreen } from '../../src/edit/stored-value.ts';
import type { BatchPage } from '../../src/payments/payment-inbox.ts';
import type { SyncAction, SyncCounts } from '../../src/system/sync-jobs.ts';
import type { SyncSection } from '../../src/system/system-routes.ts';
import type { BffCaller } from '../start-test-console.ts';
import { idempotencyKey, startContractConsole, type ContractConsole } from './front.ts';

/** The contract of the console: the requests of its backend, and the fields that its screens show. */
const contract = consumer({ name: 'hr-console' });

const personId = '4711';
const contractId = '1-77';
const address = { street: 'Hauptstr.', houseNumber: '5a', zipCode: '10115', city: 'Berlin', country: 'DE' };
const bankDetails = { iban: 'DE06990860203354498609', bic: 'ZZSBDE8LXXX', payee: 'Erika Meier' };
const person = {
  id: personId,
  academicTitle: 'Dr.',
  firstName: 'Zoë',
  lastName: 'Kaya',
  dateOfBirth: '1990-01-02',
  businessEmail: 'zoe.kaya@example.com',
  employeeNumber: '20010',
  jobTitle: 'Bäckerin',
  status: 'ACTIVE',
  groupEntryDate: '2021-07-01',
  groups: [{ id: 'produktion', type: 'COMPANY' }],
  address,
  bankDetails,
  keyNumber: '815',
  employments: [
    {
      payrollContractId: contractId,
      fullTime: true,
      permanent: true,
      start: '2021-07-01',
      workingHours: { weekly: 40 },
    },
  ],
} as const;
const aContract = [
  ['a person', { id: personId }],
  ['a contract', { payrollContractId: contractId, personId }],
] as const;
const since = '2026-01-20';

let running: ContractConsole;

beforeAll(async () => {
  running = await startContractConsole([person]);
});
afterAll(() => running[Symbol.asyncDispose]());

function changed(system: System): ProviderState {
  return ['a person who changed', { id: personId, systems: [system], since }];
}

async function json(response: Response): Promise<unknown> {
  return await response.json();
}

/** What a sync that an operator begins changes, or the code of its error. */
async function synced(bff: BffCaller, collection: Collection, action: SyncAction): Promise<SyncCounts | string> {
  expect((await bff('/bff/system/sync', { collection, action, anyShrink: true })).status).toBe(202);
  return await vi.waitUntil(async () => {
    const { jobs } = (await json(await bff('/bff/system/sync'))) as SyncSection;
    return jobs[collection]?.result ?? jobs[collection]?.error;
  });
}

test('a full sync reads all persons', async () => {
  const interaction = contract.interaction('listPersons', { given: aContract, example: [person] });
  const result = await running.run('listPersons', interaction, (bff) => synced(bff, 'persons', 'full'));
  expect(result).toMatchObject({ unchanged: 1 });
  expect(await json(await running.bff('/bff/people'))).toMatchObject({
    rows: [{ id: personId, fullName: 'Dr. Zoë Kaya' }],
  });
});

test.each([
  {
    change: 'another job',
    given: [['a person', { id: personId }], changed('master')],
    delta: { id: personId, firstName: 'Zoë', lastName: 'Kaya', jobTitle: 'Konditorin', address },
    counted: { changed: 1 },
  },
  {
    change: 'no bank details',
    given: [['a person', { id: personId, bankDetails: null }], changed('payroll')],
    delta: { id: personId, bankDetails: null },
    counted: { changed: 1 },
  },
  {
    change: 'a deletion',
    given: [['a deleted person', { id: '4712' }]],
    delta: { id: '4712', deleted: true },
    counted: { deleted: 0 },
  },
  {
    change: 'an erasure',
    given: [['an erased person', { id: '4712' }]],
    delta: { id: '4712', erased: true },
    counted: { deleted: 0 },
  },
] as const)('a sync reads changes of persons: $change', async ({ change: what, given, delta, counted }) => {
  const interaction = contract.interaction('listPersons', {
    description: `listPersons: 200 with a change: ${what}`,
    given,
    request: { query: { changedSince: since } },
    example: [delta],
  });
  const result = await running.run('listPersons', interaction, (bff) => synced(bff, 'persons', 'changes'));
  expect(result).toMatchObject(counted);
});

async function change(bff: BffCaller, path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  const { stored } = (await json(await bff(path))) as EditScreen;
  return await bff(path, { version: stored.version, fields, keepsIban: false });
}

test.each([
  {
    what: 'address',
    path: 'address',
    fields: { ...address, city: 'Potsdam' },
    patch: { addresses: [{ ...address, city: 'Potsdam' }] },
  },
  { what: 'bank details', path: 'bank-details', fields: bankDetails, patch: { bankDetails } },
])('a change of the $what', async ({ what, path, fields, patch }) => {
  const interaction = contract.interaction('updatePerson', {
    description: `updatePerson: 200 by a change of the ${what}`,
    given: ['a person', { id: personId }],
    request: { path: { id: personId }, body: patch },
    example: { id: personId },
  });
  const saved = await running.run('updatePerson', interaction, (bff) =>
    change(bff, `/bff/people/${personId}/${path}`, fields),
  );
  expect(await json(saved)).toEqual({ outcome: 'saved' });
});

test('a change of a person that was deleted meanwhile', async () => {
  const interaction = contract.interaction('updatePerson', {
    status: 404,
    request: { path: { id: personId }, body: { addresses: [{ ...address, city: 'Ulm' }] } },
    example: { type: problemType('not-found') },
  });
  const failed = await running.run('updatePerson', interaction, (bff) =>
    change(bff, `/bff/people/${personId}/address`, { ...address, city: 'Ulm' }),
  );
  expect(await json(failed)).toMatchObject({ code: 'not-found' });
});

const payment = { compensationComponentId: 'BONUS', amount: 250 };
const billingPeriod = '2026-01';

async function submit(bff: BffCaller): Promise<unknown> {
  const batch = randomUUID();
  const rows = [{ contractId, payment: { billingPeriod, ...payment } }];
  await bff('/bff/payments/batches', { batch, name: 'One', rows, allowEqual: true });
  return await vi.waitFor(async () => {
    const submission = (await json(await bff(`/bff/payments/batches/${batch}`))) as BatchPage;
    expect(submission.isRunning).toBe(false);
    return submission;
  });
}

test('a payment is submitted with a key', async () => {
  const interaction = contract.interaction('submitVariablePayment', {
    given: ['a contract', { payrollContractId: contractId }],
    request: { path: { contractId }, query: { billingPeriod }, body: payment, idempotencyKey },
    example: {},
  });
  const submission = await running.run('submitVariablePayment', interaction, submit);
  expect(JSON.stringify(submission)).toContain('"state":"submitted"');
});

test.each([
  { status: 404, kind: 'not-found' },
  { status: 403, kind: 'forbidden' },
] as const)('a payment that the service refuses with $status', async ({ status, kind }) => {
  const interaction = contract.interaction('submitVariablePayment', {
    status,
    request: { path: { contractId }, query: { billingPeriod }, body: payment, idempotencyKey },
    example: { type: problemType(kind) },
  });
  const submission = await running.run('submitVariablePayment', interaction, submit);
  expect(JSON.stringify(submission)).toContain('"state":"refused"');
});

const approved = { payrollContractId: contractId, billingPeriod, correctionPeriod: billingPeriod, ...payment } as const;
const salary = {
  payrollContractId: contractId,
  year: 2026,
  month: 1,
  totalSalary: 3356.59,
  baseSalary: 3330,
  values: [{ compensationComponentId: '2000', value: 3330 }],
} as const;

test('a contract with its salary', async () => {
  const interaction = contract.interaction('listSalaryHistory', {
    given: ['a salary', { payrollContractId: contractId, year: 2026, month: 1 }],
    request: { path: { contractId } },
    example: [salary],
  });
  const response = await running.run('listSalaryHistory', interaction, (bff) => bff(`/bff/contracts/${contractId}`));
  expect(await json(response)).toMatchObject({ contractId, payments: [] });
});

test('a contract with its approved payments', async () => {
  const interaction = contract.interaction('listVariablePayments', {
    given: ['an approved payment', { payrollContractId: contractId, billingPeriod, ...payment }],
    request: { path: { contractId } },
    example: [approved],
  });
  const response = await running.run('listVariablePayments', interaction, (bff) => bff(`/bff/contracts/${contractId}`));
  expect(await json(response)).toMatchObject({ payments: [approved] });
});

test('a contract that the service does not have', async () => {
  const interaction = contract.interaction('listSalaryHistory', {
    status: 404,
    request: { path: { contractId } },
    example: { type: problemType('not-found') },
  });
  const response = await running.run('listSalaryHistory', interaction, (bff) => bff(`/bff/contracts/${contractId}`));
  expect(response.status).toBe(404);
});

test('a contract whose payments the client may not list', async () => {
  const interaction = contract.interaction('listVariablePayments', {
    status: 403,
    request: { path: { contractId } },
    example: { type: problemType('forbidden') },
  });
  const response = await running.run('listVariablePayments', interaction, (bff) => bff(`/bff/contracts/${contractId}`));
  expect(await json(response)).not.toHaveProperty('payments');
});

const date = '2026-01-15';

test('a full sync reads all bookings', async () => {
  const day = {
    date,
    targetTime: 7.42,
    bookedTime: 8,
    chargeableTime: 7.55,
    bookings: [{ time: '2026-01-15T07:27:00', key: '1' }],
  } as const;
  const interaction = contract.interaction('listTimeBookings', {
    given: ['a day of time bookings', { personId, date }],
    example: [{ personId, days: [day] }],
  });
  const result = await running.run('listTimeBookings', interaction, (bff) => synced(bff, 'bookings', 'full'));
  expect(result).toMatchObject({ added: 1 });
});

test('a sync reads a deleted day', async () => {
  const interaction = contract.interaction('listTimeBookings', {
    description: 'listTimeBookings: 200 with a deleted day',
    given: ['a deleted day of time bookings', { personId, date }],
    request: { query: { changedSince: since } },
    example: [{ personId, days: [{ date, bookings: null, deleted: true }] }],
  });
  const result = await running.run('listTimeBookings', interaction, (bff) => synced(bff, 'bookings', 'changes'));
  expect(result).toMatchObject({ deleted: 1 });
});

test('a time component that is too old', async () => {
  const interaction = contract.interaction('listTimeBookings', {
    given: ['an outdated time component', { version: '63.11.9' }],
    status: 409,
    request: { query: { changedSince: since } },
    example: { type: problemType('time-component-version') },
  });
  const result = await running.run('listTimeBookings', interaction, (bff) => synced(bff, 'bookings', 'changes'));
  expect(result).toBe('conflict');
});

const absence = { id: '4711-1', personId, startDate: '2026-01-12', endDate: '2026-01-16', amount: 5, key: '40' };
const anAbsence = ['an absence', { personId, startDate: absence.startDate, endDate: absence.endDate }] as const;

test('a full sync reads the absences of each person', async () => {
  const interaction = contract.interaction('listAbsences', {
    given: anAbsence,
    request: { path: { personId } },
    example: [absence],
  });
  const result = await running.run('listAbsences', interaction, (bff) => synced(bff, 'absences', 'full'));
  expect(result).toMatchObject({ added: 1 });
});

test('a sync reads a deleted absence', async () => {
  const interaction = contract.interaction('listAbsences', {
    description: 'listAbsences: 200 with a deleted absence',
    given: [
      ['a person', { id: personId }],
      ['a deleted absence', { personId, id: absence.id }],
    ],
    request: { path: { personId }, query: { changedSince: since } },
    example: [{ id: absence.id, personId, startDate: null, deleted: true }],
  });
  const result = await running.run('listAbsences', interaction, (bff) => synced(bff, 'absences', 'changes'));
  expect(result).toMatchObject({ deleted: 1 });
});
