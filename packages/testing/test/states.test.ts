import { Person } from '@hr/schemas';
import { expect, test } from 'vitest';
import { personOf } from '../src/fixtures/index.ts';
import { HrTestingError } from '../src/hr-testing-error.ts';
import type { ProviderState } from '../src/states/provider-states.ts';
import { readState, stateNames } from '../src/states/read-state.ts';
import { scenarioOf } from '../src/states/scenario.ts';

test('a state names what a test relies on, and all other fields have values', () => {
  const [member] = scenarioOf([
    ['a person', { id: '4711', jobTitle: 'Bäcker', address: null }],
    ['a contract', { payrollContractId: '1-77', personId: '4711', end: null }],
  ]).members;
  const found = personOf(member as NonNullable<typeof member>);
  expect(Person.parse(found)).toEqual(found);
  expect(found).toMatchObject({ id: '4711', jobTitle: 'Bäcker', payrollContractIds: ['1-77'] });
  const { address: _address, ...others } = Person.shape;
  expect(Object.keys(found).toSorted()).toEqual(Object.keys(others).toSorted());
  expect(found.employments).toEqual([expect.not.objectContaining({ end: expect.anything() as unknown })]);
});

test('states add to those before', () => {
  const scenario = scenarioOf([
    ['a contract', { payrollContractId: '1-77' }],
    ['a salary', { payrollContractId: '1-77', year: 2026, month: 1, totalSalary: 3000 }],
    ['an approved payment', { payrollContractId: '1-78', billingPeriod: '2026-02' }],
    ['a day of time bookings', { personId: 'owner-of-1-77', date: '2026-02-03' }],
    ['an absence', { personId: 'owner-of-1-77', endDate: null }],
    ['an absence', { personId: 'owner-of-1-77' }],
    ['a person', { id: 'owner-of-1-77', lastName: 'Ek' }],
  ]);
  const [first, second] = scenario.members;
  expect(scenario.members).toHaveLength(2);
  expect(first).toMatchObject({
    person: { id: 'owner-of-1-77', lastName: 'Ek' },
    payrollContractIds: ['1-77'],
    salaries: [{ payrollContractId: '1-77', totalSalary: 3000 }],
    timeDays: [
      { date: '2026-02-03', bookings: [{ time: expect.stringMatching(/^2026-02-03T/) as string }, {}, {}, {}] },
    ],
    absences: [{ id: 'owner-of-1-77-1' }, { id: 'owner-of-1-77-2', endDate: expect.any(String) as string }],
  });
  expect(first?.absences[0]).not.toHaveProperty('endDate');
  expect(second).toMatchObject({ payments: [{ billingPeriod: '2026-02', correctionPeriod: '2026-02' }] });
});

test('a contract of two persons is rejected', () => {
  const contracts = ['a', 'b'].map((personId): ProviderState => [
    'a contract',
    { payrollContractId: '1-77', personId },
  ]);
  expect(() => scenarioOf(contracts)).toThrow(
    new HrTestingError(
      'invalid-option',
      'In these states the contract 1-77 belongs to two persons. Name the same personId.',
    ),
  );
});

test('a state of an external source is checked', () => {
  expect(readState('an erased person', { id: '1' })).toEqual(['an erased person', { id: '1' }]);
  expect(readState('a used-up rate limit')).toEqual(['a used-up rate limit', {}]);
  expect(() => readState('a persn', {})).toThrow(
    new HrTestingError('invalid-option', `provider state "a persn": unknown. Use one of: ${stateNames.join(', ')}.`),
  );
  expect(() => readState('a person', { id: 4 })).toThrow(
    new HrTestingError('invalid-option', 'provider state "a person": /id must be a string.'),
  );
  expect(() => readState('a person', { id: '4', secret: 'x' })).toThrow(/\/secret /);
  expect(() => readState('a client with grants', { operations: ['listAbsences'], systems: ['master'] })).toThrow(
    'provider state "a client with grants": /systems must include the system of each operation.',
  );
});
