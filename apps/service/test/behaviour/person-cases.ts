import { Person } from '@hr/schemas';
import { deletedPerson, fieldsOf, systems } from '@hr/schemas/rules';
import { personOf } from '@hr/testing/fixtures';
import { scenarioOf } from '@hr/testing/states';
import type { ProviderState } from '@hr/testing/states';
import { having, ok, problem } from './case.ts';
import type { Case, Cases } from './case.ts';

const persons = 'GET /api/v1/persons';
const all: Case['asks'] = [persons];
const since = (date: string): Case['asks'] => [`${persons}?changedSince=${date}`];

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

const day = '2026-03-02';
const contract: ProviderState = ['a contract', { payrollContractId: '1-77', personId: '4711' }];
/** What a delta tells of the person of `contract` for these systems: their fields, `null` where there is no value. */
function deltaOf(states: readonly ProviderState[], ...changed: readonly (typeof systems)[number][]): object {
  const whole = wholeOf(states, '4711');
  const owned = changed.flatMap((system) => fieldsOf(system)).map((name) => [name, whole[name] ?? null]);
  return { id: '4711', ...Object.fromEntries(owned) };
}

const changes: Cases = Object.fromEntries(
  [['master'], ['payroll'], ['time'], ['payroll', 'time'], ['master', 'time'], ['master', 'payroll', 'time']].map(
    (names): [string, Case] => {
      const changed = systems.filter((system) => names.includes(system));
      return [
        `of ${names.join(' and ')} tell their fields only`,
        {
          given: [contract, ['a person who changed', { id: '4711', systems: changed, since: day }]],
          asks: since(day),
          told: ok([deltaOf([contract], ...changed)]),
        },
      ];
    },
  ),
);

const silent: ProviderState = ['a person who changed', { id: '4711', systems: ['time'], since: day }];

/** Lists of persons, whole and of changes. */
export const personCases: Cases = {
  'where there is nobody': { asks: all, told: ok([]) },
  'are whole and by id': {
    given: company,
    asks: all,
    told: ok(
      ['B', 'a', 'b', 'ä/1 2'].map((id) => {
        const whole = wholeOf(company, id);
        const contracts = (whole['employments'] as { payrollContractId: string }[]).toSorted(
          (one, other) => '3 10 2'.indexOf(one.payrollContractId) - '3 10 2'.indexOf(other.payrollContractId),
        );
        return { ...whole, employments: contracts, payrollContractIds: id === 'b' ? ['10', '2', '3'] : [] };
      }),
    ),
  },
  'omit what has no value, but for arrays': {
    given: [bare],
    asks: all,
    told: ok([{ id: '4711', middleName: '', ...emptyArrays }]),
  },
  'never show who was deleted': {
    given: [
      ['a deleted person', { id: '1' }],
      ['a person', { id: '2' }],
    ],
    asks: all,
    told: ok([having({ id: '2' })]),
  },
  'never show who was erased': {
    given: [
      ['an erased person', { id: '1' }],
      ['a person', { id: '2' }],
    ],
    asks: all,
    told: ok([having({ id: '2' })]),
  },
  ...changes,
  'that changed before are left out': { given: [contract, silent], asks: since('2026-03-03'), told: ok([]) },
  'that changed later are told whole': {
    given: [contract, silent],
    asks: since('2026-03-01'),
    told: ok([deltaOf([contract], ...systems)]),
  },
  'that changed have null where a value was cleared': {
    given: [bare, ['a person who changed', { id: '4711', systems: ['master', 'payroll'], since: day }]],
    asks: since(day),
    told: ok([
      {
        id: '4711',
        ...Object.fromEntries(fieldsOf('master').map((name) => [name, null])),
        middleName: '',
        bankDetails: null,
        ...emptyArrays,
      },
    ]),
  },
  'that were deleted are told so, with every field cleared': {
    given: [contract, ['a deleted person', { id: '4711' }]],
    asks: since(day),
    told: ok([deletedPerson('4711')]),
  },
  'that were erased are told so, with every field cleared': {
    given: [['an erased person', { id: '4711' }]],
    asks: since(day),
    told: ok([
      {
        id: '4711',
        erased: true,
        ...Object.fromEntries(systems.flatMap((system) => fieldsOf(system)).map((name) => [name, null])),
      },
    ]),
  },
  'that change in the future are none': {
    given: [contract, ['an erased person', { id: '4712' }]],
    asks: since('2999-01-01'),
    told: ok([]),
  },
  'that changed are by id': {
    given: [...company, ['an erased person', { id: 'C' }]],
    asks: since(day),
    told: ok(['B', 'C', 'a', 'b', 'ä/1 2'].map((id) => having({ id }))),
  },
  'since a day of long ago': {
    given: [bare],
    asks: since('0001-01-01'),
    told: ok([having({ id: '4711' })]),
  },
  ...Object.fromEntries(
    [
      ['2026-02-29', 'wrong-format'],
      ['2026-3-2', 'wrong-format'],
      ['0000-01-01', 'wrong-format'],
      ['2026-03-02T00:00:00Z', 'wrong-format'],
      ['', 'wrong-format'],
    ].map(([date = '', code]): [string, Case] => [
      `since "${date}"`,
      { asks: since(date), told: problem('invalid-request', `/changedSince ${code}`) },
    ]),
  ),
};
