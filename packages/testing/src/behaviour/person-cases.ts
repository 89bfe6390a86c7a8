import { Person } from '@hr/schemas';
import { personDelta, systems, type System } from '@hr/schemas/rules';
import { personOf } from '../fixtures/hire.ts';
import type { ProviderState } from '../states/provider-states.ts';
import { scenarioOf } from '../states/scenario.ts';
import { casesOf, decided, having, ok, when, type Cases } from './behaviour-case.ts';
import { changed, contract, day, deletions, systemSets } from './given.ts';

export const persons = 'GET /api/v1/persons';
export const since = (date: string): string => `${persons}?changedSince=${date}`;

const optional = Object.keys(Person.shape).filter(
  (name) => !['id', 'employments', 'payrollContractIds'].includes(name),
);
const bare: ProviderState = ['a person', { id: '4711', ...Object.fromEntries(optional.map((name) => [name, null])) }];
const emptyArrays = { groups: [], employments: [], customFields: [], payrollContractIds: [] };

const company: readonly ProviderState[] = [
  ['a person', { id: 'b' }],
  ['a person', { id: 'a', middleName: null, jobTitle: 'Bäcker 😀' }],
  ['a person', { id: 'B', address: { postOfficeBox: '12', zipCode: '10115' } }],
  ['a person', { id: 'ä/1 2', gender: 'INTERSEX' }],
  ['a contract', { payrollContractId: '2', personId: 'b', start: '2020-01-01' }],
  ['a contract', { payrollContractId: '10', personId: 'b', start: '2020-01-01', end: null }],
  ['a contract', { payrollContractId: '3', personId: 'b', start: '2019-01-01' }],
];
const idsInOrder = ['B', 'a', 'b', 'ä/1 2'];

/** A person of states, as a full list has it. */
function wholeOf(states: readonly ProviderState[], id: string): Person {
  const member = scenarioOf(states).members.find(({ person }) => person.id === id);
  if (!member) throw new Error(`These states have no person ${id}.`);
  return personOf(member);
}

const contractsInOrder = ['3', '10', '2'];
const wholeCompany = idsInOrder.map((id) => {
  const { employments = [], ...whole } = wholeOf(company, id);
  const found = contractsInOrder.flatMap((each) => employments.filter((one) => one.payrollContractId === each));
  return { ...whole, employments: found, payrollContractIds: found.map((one) => one.payrollContractId).toSorted() };
});

/** The element of a list of changes for the person of `contract`. */
export function deltaOf(...names: readonly System[]): object {
  return personDelta(wholeOf([contract], '4711'), names);
}

/** The list of persons (section 4.2). */
export const personCases: Cases = {
  'the list of persons is empty if there are none': when([], ok([]), persons),
  'the list has every person with all fields': when(company, ok(wholeCompany), persons),
  ...casesOf(deletions('1'), ({ name, state }) => [
    `the list does not have ${name}`,
    when([state, ['a person', { id: '2' }]], ok([having({ id: '2' })]), persons),
  ]),
  'the list does not need the time-recording component': when([['an outdated time component']], ok([]), persons),
  'a list of changes has no earlier changes': when([contract, changed(['time'])], ok([]), since('2026-03-03')),
  'a list of changes since a future date is empty': when(
    [contract, ['an erased person', { id: '4712' }]],
    ok([]),
    since('2999-01-01'),
  ),
  'a list of changes can be since the year 1': when([bare], ok([having({ id: '4711' })]), since('0001-01-01')),
  ...decided({
    // Which system has a field is a decision, and when a new person changed.
    ...casesOf(systemSets, (names) => [
      `a list of changes has only the fields of ${names.join(' and ')} after a change of ${names.join(' and ')}`,
      when([contract, changed(names)], ok([deltaOf(...names)]), since(day)),
    ]),
    'a list of changes has all fields if all systems have changed since': when(
      [contract, changed(['time'])],
      ok([deltaOf(...systems)]),
      since('2026-03-01'),
    ),
    'the list is sorted by id': when(company, ok(wholeCompany), persons),
    'the list has [], but no null': when([bare], ok([{ id: '4711', middleName: '', ...emptyArrays }]), persons),
    'a list of changes has null for a field that was cleared': when(
      [bare, changed(['master', 'payroll'])],
      ok([{ ...personDelta({ id: '4711' }, ['master', 'payroll']), middleName: '', ...emptyArrays }]),
      since(day),
    ),
    ...casesOf(deletions('4711'), ({ name, state, mark }) => [
      `a list of changes has ${name} with all fields cleared`,
      when([contract, state], ok([{ ...personDelta({ id: '4711' }, systems), ...mark }]), since(day)),
    ]),
    'a list of changes is sorted by id': when(
      [...company, ['an erased person', { id: 'C' }]],
      ok(['B', 'C', 'a', 'b', 'ä/1 2'].map((id) => having({ id }))),
      since(day),
    ),
  }),
};
