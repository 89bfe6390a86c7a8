import { Person } from '@hr/schemas';
import { deletedPerson, erasedPerson, fieldsOf, systems } from '@hr/schemas/rules';
import { personOf } from '@hr/testing/fixtures';
import { scenarioOf, type ProviderState } from '@hr/testing/states';
import { having, ok, when, type Case, type Cases } from './case.ts';

const persons = 'GET /api/v1/persons';
const since = (date: string): string => `${persons}?changedSince=${date}`;

const fields = Object.keys(Person.shape).filter((name) => !['id', 'employments', 'payrollContractIds'].includes(name));
const nothing = Object.fromEntries(fields.map((name) => [name, null]));
const bare: ProviderState = ['a person', { id: '4711', ...nothing }];
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

/** The person of a state as a full answer has it. */
function wholeOf(states: readonly ProviderState[], id: string): Record<string, unknown> {
  const member = scenarioOf(states).members.find(({ person }) => person.id === id);
  if (!member) throw new Error(`There is no person ${id} in these states.`);
  return { ...personOf(member) };
}

type Systems = (typeof systems)[number][];
const day = '2026-03-02';
const changed = (names: Systems): ProviderState => ['a person who changed', { id: '4711', systems: names, since: day }];
const contract: ProviderState = ['a contract', { payrollContractId: '1-77', personId: '4711' }];
/** What a delta tells of the person of `contract` for these systems: their fields, `null` where there is no value. */
function deltaOf(states: readonly ProviderState[], ...names: Systems): object {
  const whole = wholeOf(states, '4711');
  const owned = names.flatMap((system) => fieldsOf(system)).map((name) => [name, whole[name] ?? null]);
  return { id: '4711', ...Object.fromEntries(owned) };
}

const changes: Cases = Object.fromEntries(
  [['master'], ['payroll'], ['time'], ['payroll', 'time'], ['master', 'time'], ['master', 'payroll', 'time']].map(
    (names): [string, Case] => {
      const some = systems.filter((system) => names.includes(system));
      const told = ok([deltaOf([contract], ...some)]);
      return [`of ${names.join(' and ')} tell their fields only`, when([contract, changed(some)], told, since(day))];
    },
  ),
);

const gone: Cases = Object.fromEntries(
  (['a deleted person', 'an erased person'] as const).map((state): [string, Case] => [
    `never show ${state}`,
    when(
      [
        [state, { id: '1' }],
        ['a person', { id: '2' }],
      ],
      ok([having({ id: '2' })]),
      persons,
    ),
  ]),
);

/** Lists of persons, whole and of changes. */
export const personCases: Cases = {
  'where there is nobody': when([], ok([]), persons),
  'are told beside an outdated time component': when([['an outdated time component']], ok([]), persons),
  'are whole and by id': when(
    company,
    ok(
      ['B', 'a', 'b', 'ä/1 2'].map((id) => {
        const whole = wholeOf(company, id);
        const contracts = (whole['employments'] as { payrollContractId: string }[]).toSorted(
          (one, other) => '3 10 2'.indexOf(one.payrollContractId) - '3 10 2'.indexOf(other.payrollContractId),
        );
        return { ...whole, employments: contracts, payrollContractIds: id === 'b' ? ['10', '2', '3'] : [] };
      }),
    ),
    persons,
  ),
  'omit what has no value, but for arrays': when([bare], ok([{ id: '4711', middleName: '', ...emptyArrays }]), persons),
  ...gone,
  ...changes,
  'that changed before are left out': when([contract, changed(['time'])], ok([]), since('2026-03-03')),
  'that changed later are told whole': when(
    [contract, changed(['time'])],
    ok([deltaOf([contract], ...systems)]),
    since('2026-03-01'),
  ),
  'that changed have null where a value was cleared': when(
    [bare, changed(['master', 'payroll'])],
    ok([
      {
        id: '4711',
        ...Object.fromEntries(fieldsOf('master').map((name) => [name, null])),
        middleName: '',
        bankDetails: null,
        ...emptyArrays,
      },
    ]),
    since(day),
  ),
  'that were deleted are told so, with every field cleared': when(
    [contract, ['a deleted person', { id: '4711' }]],
    ok([deletedPerson('4711')]),
    since(day),
  ),
  'that were erased are told so, with every field cleared': when(
    [['an erased person', { id: '4711' }]],
    ok([erasedPerson('4711')]),
    since(day),
  ),
  'that change in the future are none': when(
    [contract, ['an erased person', { id: '4712' }]],
    ok([]),
    since('2999-01-01'),
  ),
  'that changed are by id': when(
    [...company, ['an erased person', { id: 'C' }]],
    ok(['B', 'C', 'a', 'b', 'ä/1 2'].map((id) => having({ id }))),
    since(day),
  ),
  'since a day of long ago': when([bare], ok([having({ id: '4711' })]), since('0001-01-01')),
};
