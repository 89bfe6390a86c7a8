import { Person } from '@hr/schemas';
import { expect, test } from 'vitest';
import { personOf } from '../src/fixtures/index.ts';
import type { State } from '../src/states/provider-states.ts';
import { readState, stateNames } from '../src/states/read-state.ts';
import { stageOf } from '../src/states/stage.ts';

test('a state names what a test relies on, and all else is there as well', () => {
  const [member] = stageOf([
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
  const stage = stageOf([
    ['a contract', { payrollContractId: '1-77' }],
    ['a salary', { payrollContractId: '1-77', year: 2026, month: 1, totalSalary: 3000 }],
    ['an approved payment', { payrollContractId: '1-78', billingPeriod: '2026-02' }],
    ['a day of time bookings', { personId: 'owner-of-1-77', date: '2026-02-03' }],
    ['an absence', { personId: 'owner-of-1-77', endDate: null }],
    ['an absence', { personId: 'owner-of-1-77' }],
    ['a person', { id: 'owner-of-1-77', lastName: 'Ek' }],
  ]);
  const [first, second] = stage.members;
  expect(stage.members).toHaveLength(2);
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

test('a contract of two persons is refused', () => {
  const contracts = ['a', 'b'].map((personId): State => ['a contract', { payrollContractId: '1-77', personId }]);
  expect(() => stageOf(contracts)).toThrow('the contract 1-77 is of two persons');
});

test('a state that somebody else has written is checked', () => {
  expect(readState('an erased person', { id: '1' })).toEqual(['an erased person', { id: '1' }]);
  expect(readState('a used-up rate limit')).toEqual(['a used-up rate limit', {}]);
  expect(() => readState('a persn', {})).toThrow(`There is no provider state "a persn"; there are: ${stateNames[0]}`);
  expect(() => readState('a person', { id: 4 })).toThrow(/"a person" takes other parameters: \/id /);
  expect(() => readState('a person', { id: '4', secret: 'x' })).toThrow(/\/secret /);
});
