import type { ProviderState } from '@hr/testing/states';
import { expect, test } from 'vitest';
import { clientFor, contract } from './contract.ts';
import { absence, contractId, day, otherAbsence, payment, personId } from './records.ts';

const after = 'any-cursor';
const cursor = expect.stringMatching(/./) as string;
const { billingPeriod, payrollContractId: _payrollContractId, ...values } = payment;

test('persons and their cursor, then nothing that changed', async () => {
  const given = ['a person', { id: personId }] as const;
  const whole = contract.interaction('listPersons', {
    description: 'listPersons: 200 with a cursor',
    given,
    cursor: true,
    example: [{ id: personId }],
  });
  await whole.run(async (cloud) => {
    const list = clientFor(cloud).persons.list();
    await expect(list).resolves.toMatchObject([{ id: personId }]);
    expect(list.cursor).toEqual(cursor);
  });
  const changes = contract.interaction('listPersons', {
    description: 'listPersons: 200 after a cursor',
    given,
    request: { query: { after } },
    example: [],
  });
  await changes.run(async (cloud) => {
    const list = clientFor(cloud).persons.list({ after });
    await expect(list).resolves.toEqual([]);
    expect(list.cursor).toEqual(cursor);
  });
});

test('bookings after a cursor', async () => {
  const interaction = contract.interaction('listTimeBookings', {
    description: 'listTimeBookings: 200 after a cursor',
    given: ['a day of time bookings', { personId, date: day.date }],
    request: { query: { after } },
    example: [],
  });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).time.bookings({ after })).resolves.toEqual([]);
  });
});

test('absences of all persons, and those after a cursor', async () => {
  const absences = [absence, otherAbsence] as const;
  const given = absences.map(({ startDate, endDate }): ProviderState => [
    'an absence',
    { personId, startDate, endDate },
  ]);
  const whole = contract.interaction('listAllAbsences', { given, cursor: true, example: absences });
  await whole.run(async (cloud) => {
    const list = clientFor(cloud).time.allAbsences();
    await expect(list).resolves.toEqual(absences);
    expect(list.cursor).toEqual(cursor);
  });
  const changes = contract.interaction('listAllAbsences', {
    description: 'listAllAbsences: 200 after a cursor',
    given,
    request: { query: { after } },
    example: [],
  });
  await changes.run(async (cloud) => {
    await expect(clientFor(cloud).time.allAbsences({ after })).resolves.toEqual([]);
  });
});

test('a rejected and an approved payment, then no decisions', async () => {
  const rejected = { idempotencyKey: 'run-7/42', reason: 'Already paid.', state: 'rejected' } as const;
  const approved = { idempotencyKey: 'run-7/43', reason: 'As agreed.', state: 'approved' } as const;
  const given = [rejected, approved].map((decision): ProviderState => [
    'a decided payment',
    { payrollContractId: contractId, billingPeriod, ...values, ...decision },
  ]);
  const decided = { ...payment, decidedAt: '2026-02-03T09:15:00.000Z' };
  const example = [
    { ...decided, ...rejected },
    { ...decided, ...approved },
  ] as const;
  const whole = contract.interaction('listVariablePaymentDecisions', { given, cursor: true, example });
  await whole.run(async (cloud) => {
    await expect(clientFor(cloud).payroll.decisions()).resolves.toEqual(example);
  });
  const changes = contract.interaction('listVariablePaymentDecisions', {
    description: 'listVariablePaymentDecisions: 200 after a cursor',
    given,
    request: { query: { after } },
    example: [],
  });
  await changes.run(async (cloud) => {
    await expect(clientFor(cloud).payroll.decisions({ after })).resolves.toEqual([]);
  });
});

test('a wait for changes', async () => {
  const interaction = contract.interaction('getChanges', {
    given: ['a person', { id: personId }],
    request: { query: { after, wait: '0' } },
    example: { cursor: 'contract-cursor', changed: [] },
  });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).changes.get({ after, wait: 0 })).resolves.toEqual({ cursor, changed: [] });
  });
});
