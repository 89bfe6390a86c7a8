import { problemKinds, problemType, type OperationId, type ProblemKind } from '@hr/schemas';
import { consumer, type ContractCloud } from '@hr/testing/pact';
import type { System } from '@hr/schemas/rules';
import type { ProviderState } from '@hr/testing/states';
import { expect, test } from 'vitest';
import { exitCodes } from '../../src/cli-error.ts';
import type { Ended } from '../run-hr.ts';
import { front, idempotencyKey } from './front.ts';

/** The contract of the command line: the fields that its commands read or show. */
const contract = consumer({ name: 'hr-cli' });

const personId = '4711';
const contractId = '1-77';
const address = { street: 'Hauptstr.', houseNumber: '5a', zipCode: '10115', city: 'Berlin', country: 'DE' };
const bankDetails = { iban: 'DE06990860203354498609', bic: 'ZZSBDE8LXXX', payee: 'Erika Meier' };
const person = {
  id: personId,
  firstName: 'Zoë',
  lastName: 'Kaya',
  employeeNumber: '20010',
  jobTitle: 'Bäckerin',
  status: 'ACTIVE',
  groupEntryDate: '2021-07-01',
  groups: [{ id: 'produktion', type: 'COMPANY' }],
  address,
  bankDetails,
  employments: [{ payrollContractId: contractId }],
} as const;
const aContract = [
  ['a person', { id: personId }],
  ['a contract', { payrollContractId: contractId, personId }],
] as const;

function changed(system: System): ProviderState {
  return ['a person who changed', { id: personId, systems: [system], since: '2026-01-20' }];
}

function json({ stdout }: Ended): unknown {
  return JSON.parse(stdout) as unknown;
}

test('persons list reads all persons at first', async () => {
  const hr = await front();
  const interaction = contract.interaction('listPersons', { given: aContract, example: [person] });
  const ended = await interaction.run((cloud) => hr(['persons', 'list', '--json'], cloud));
  expect(ended).toMatchObject({ code: 0 });
  expect(json(ended)).toEqual([person]);
});

test.each([
  {
    change: 'another address and job',
    given: [['a person', { id: personId }], changed('master')],
    delta: { id: personId, firstName: 'Zoë', lastName: 'Kaya', jobTitle: 'Konditorin', address },
    after: [{ ...person, jobTitle: 'Konditorin' }],
  },
  {
    change: 'no bank details',
    given: [['a person', { id: personId, bankDetails: null }], changed('payroll')],
    delta: { id: personId, bankDetails: null },
    after: [Object.fromEntries(Object.entries(person).filter(([name]) => name !== 'bankDetails'))],
  },
  {
    change: 'a deletion',
    given: [['a deleted person', { id: personId }]],
    delta: { id: personId, deleted: true },
    after: [],
  },
  {
    change: 'an erasure',
    given: [['an erased person', { id: personId }]],
    delta: { id: personId, erased: true },
    after: [],
  },
] as const)('persons list then reads changes: $change', async ({ change, given, delta, after }) => {
  const hr = await front();
  // The cursor is the day before the service's date.
  const first = { body: [person], headers: { date: 'Wed, 21 Jan 2026 12:00:00 GMT' } };
  await hr(['persons', 'list'], undefined, { prepared: [first] });
  const interaction = contract.interaction('listPersons', {
    description: `listPersons: 200 with a change: ${change}`,
    given,
    request: { query: { changedSince: '2026-01-20' } },
    example: [delta],
  });
  const ended = await interaction.run((cloud) => hr(['persons', 'list', '--json'], cloud));
  expect(json(ended)).toEqual(after);
});

test.each([
  { command: 'set-address', input: address, patch: { addresses: [address] }, read: { address } },
  { command: 'set-bank', input: bankDetails, patch: { bankDetails }, read: { bankDetails } },
])('persons $command', async ({ command, input, patch, read }) => {
  const hr = await front();
  const interaction = contract.interaction('updatePerson', {
    description: `updatePerson: 200 by ${command}`,
    given: ['a person', { id: personId }],
    request: { path: { id: personId }, body: patch },
    example: { id: personId, ...read },
  });
  const ended = await interaction.run((cloud) =>
    hr(['persons', command, personId, '--yes', '--json'], cloud, {
      // What is replaced is read again before it is sent, and after it.
      prepared: [{ body: [person] }, { body: [] }, { body: [] }],
      stdin: JSON.stringify(input),
    }),
  );
  expect(ended).toMatchObject({ code: 0 });
  expect(json(ended)).toMatchObject([read]);
});

const payment = { compensationComponentId: 'BONUS', amount: 250 };
const approved = {
  payrollContractId: contractId,
  billingPeriod: '2026-01',
  correctionPeriod: '2026-01',
  ...payment,
} as const;
const submit = `payments submit ${contractId} --period 2026-01 --component BONUS --amount 250 --yes`.split(' ');

test('payments submit', async () => {
  const hr = await front();
  const interaction = contract.interaction('submitVariablePayment', {
    given: ['a contract', { payrollContractId: contractId }],
    request: { path: { contractId }, query: { billingPeriod: '2026-01' }, body: payment, idempotencyKey },
    example: {},
  });
  await expect(interaction.run((cloud) => hr(submit, cloud))).resolves.toMatchObject({ code: 0 });
});

test('payments list', async () => {
  const hr = await front();
  const interaction = contract.interaction('listVariablePayments', {
    given: ['an approved payment', { payrollContractId: contractId, billingPeriod: '2026-01', ...payment }],
    request: { path: { contractId } },
    example: [approved],
  });
  const ended = await interaction.run((cloud) => hr(['payments', 'list', contractId, '--json'], cloud));
  expect(json(ended)).toEqual([approved]);
});

test('salary history', async () => {
  const hr = await front();
  const salary = {
    payrollContractId: contractId,
    year: 2026,
    month: 1,
    totalSalary: 3356.59,
    baseSalary: 3330,
    values: [{ compensationComponentId: '2000', value: 3330 }],
  } as const;
  const interaction = contract.interaction('listSalaryHistory', {
    given: ['a salary', { payrollContractId: contractId, year: 2026, month: 1 }],
    request: { path: { contractId }, query: { from: '2026-01', to: '2026-12' } },
    example: [salary],
  });
  const months = ['--from', '2026-01', '--to', '2026-12'];
  const ended = await interaction.run((cloud) => hr(['salary', 'history', contractId, ...months, '--json'], cloud));
  expect(json(ended)).toEqual([salary]);
});

test('time bookings', async () => {
  const hr = await front();
  const day = {
    date: '2026-01-15',
    targetTime: 7.42,
    bookedTime: 8,
    chargeableTime: 7.55,
    bookings: [{ time: '2026-01-15T07:27:00', key: '1' }],
  } as const;
  const interaction = contract.interaction('listTimeBookings', {
    given: ['a day of time bookings', { personId, date: day.date }],
    request: { query: { from: '2026-01-01', to: '2026-01-31' } },
    example: [{ personId, days: [day] }],
  });
  const days = ['--from', '2026-01-01', '--to', '2026-01-31'];
  const ended = await interaction.run((cloud) => hr(['time', 'bookings', ...days, '--json'], cloud));
  expect(json(ended)).toEqual([{ personId, days: [day] }]);
});

test('absences list', async () => {
  const hr = await front();
  const absence = {
    id: '4711-1',
    personId,
    startDate: '2026-01-12',
    endDate: '2026-01-16',
    amount: 5,
    key: '40',
  };
  const interaction = contract.interaction('listAbsences', {
    given: ['an absence', { personId, startDate: absence.startDate, endDate: absence.endDate }],
    request: { path: { personId }, query: { to: '2026-01-31' } },
    example: [absence],
  });
  const days = ['--from', '2026-01-01', '--to', '2026-01-31'];
  const ended = await interaction.run((cloud) => hr(['absences', 'list', personId, ...days, '--json'], cloud));
  expect(json(ended)).toEqual([absence]);
});

const faults = [
  { kind: 'unauthorized', id: 'listSalaryHistory', code: exitCodes.authentication },
  { kind: 'forbidden', id: 'listSalaryHistory', code: exitCodes.authentication },
  { kind: 'not-found', id: 'listSalaryHistory', code: exitCodes.notFound },
] as const satisfies readonly { kind: ProblemKind; id: OperationId; code: number }[];

test.each(faults)('$kind ends with the exit code $code', async ({ kind, id, code }) => {
  const hr = await front();
  const { status } = problemKinds[kind];
  const interaction = contract.interaction(id, {
    status,
    request: { path: { contractId } },
    example: { type: problemType(kind) },
  });
  const ended = await interaction.run((cloud: ContractCloud) => hr(['salary', 'history', contractId], cloud));
  expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(String(status)) as string });
});

test('an outdated time component ends with the exit code for a rejection', async () => {
  const hr = await front();
  const interaction = contract.interaction('listTimeBookings', {
    given: ['an outdated time component', { version: '63.11.9' }],
    status: 409,
    example: { type: problemType('time-component-version') },
  });
  const ended = await interaction.run((cloud) => hr(['time', 'bookings'], cloud));
  expect(ended).toMatchObject({ code: exitCodes.rejected, stdout: '' });
});

test('a sync applies a deleted day, and asks for the changes of absences', async () => {
  const hr = await front();
  const date = 'Wed, 21 Jan 2026 12:00:00 GMT';
  const deletedDay = { date: '2026-01-15', bookings: null, deleted: true } as const;
  const bookings = [{ personId, days: [{ date: deletedDay.date, bookedTime: 8 }] }];
  const prepared = [[person], bookings, []].map((body) => ({ body, headers: { date } }));
  await hr(['sync', 'persons', 'bookings', 'absences'], undefined, { prepared });
  const changedSince = '2026-01-20';
  const days = contract.interaction('listTimeBookings', {
    description: 'listTimeBookings: 200 with a deleted day',
    given: ['a deleted day of time bookings', { personId, date: deletedDay.date }],
    request: { query: { changedSince } },
    example: [{ personId, days: [deletedDay] }],
  });
  const synced = await days.run((cloud) => hr(['sync', 'bookings'], cloud));
  expect(synced).toMatchObject({ code: 0, stderr: expect.stringContaining('1 deleted') as string });
  const absences = contract.interaction('listAbsences', {
    description: 'listAbsences: 200 with changes',
    given: [['an absence', { personId, startDate: '2026-01-12', endDate: '2026-01-16' }], changed('time')],
    request: { path: { personId }, query: { changedSince } },
    example: [{ id: '4711-1', personId, startDate: '2026-01-12', endDate: '2026-01-16' }],
  });
  const added = await absences.run((cloud) => hr(['sync', 'absences'], cloud));
  expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('1 added') as string });
});
