import { operations, type OperationId } from '@hr/schemas';
import { systems } from '@hr/schemas/rules';
import { fixtures } from '@hr/testing/fixtures';
import { readState, type ProviderState, type StateName, type StateParameters } from '@hr/testing/states';
import fc from 'fast-check';
import { mostly } from '../fuzz/mostly.ts';

const { address, bankDetails, customField } = fixtures();

/** What states and requests are about: few, so that they meet. */
export const personIds = ['1', '10', 'B', 'a', 'ä/😀 %'];
const owners = Object.entries({ c1: '1', c2: '1', 'C-3': 'B', 'ä/2 %': 'ä/😀 %' });
export const contractIds = owners.map(([payrollContractId]) => payrollContractId);
export const days = ['2025-12-31', '2026-02-28', '2026-03-01', '2026-03-02', '2026-03-31', '2026-04-01'];
export const months = ['2025-12', '2026-01', '2026-02', '2026-10'];
export const keys = ['k', 'K', 'run-1/7'];

const personId = fc.constantFrom(...personIds);
const payrollContractId = fc.constantFrom(...contractIds);
const day = fc.constantFrom(...days);
const dayOrNone = fc.option(day);
const month = fc.constantFrom(...months);
const decimal = fc.option(fc.constantFrom(-1, 0, 0.1, 7.5, 1e-7, 1e12));
const hours = fc.option(fc.constantFrom(-0.59, 0, 0.05, 7.3, 8));

type Arbitraries<Model> = { readonly [Field in keyof Model]: fc.Arbitrary<Model[Field]> };

/** States of a name; parameters that are not required may be left out. */
function anyOf<Name extends StateName>(
  name: Name,
  required: (keyof StateParameters<Name>)[],
  parameters: Partial<Arbitraries<StateParameters<Name>>>,
): fc.Arbitrary<ProviderState> {
  const model = parameters as Arbitraries<StateParameters<Name>>;
  return fc.record(model, { requiredKeys: required, noNullPrototype: true }).map((given) => [name, given] as never);
}

const addresses = [
  ...address.list(2),
  ...address.with('postOfficeBox').list(1),
  ...address.with('emptyStreet').list(1),
];
const customFields = (['number', 'boolean', 'date', 'selection'] as const).map((trait) =>
  customField.with(trait).build(),
);

const persons = anyOf('a person', ['id'], {
  id: personId,
  jobTitle: fc.option(fc.constantFrom('', 'Bäcker', '😀'.repeat(400), ' " \\ \n ')),
  address: fc.constantFrom(null, ...addresses),
  bankDetails: fc.constantFrom(null, {}, ...bankDetails.list(1)),
  keyNumber: fc.constantFrom(null, '77'),
  groups: fc.constantFrom(null, [], [{ id: 'g' }]),
  customFields: fc.option(fc.subarray(customFields)),
  managerId: fc.option(personId),
});

const contracts = fc
  .tuple(fc.constantFrom(...owners), dayOrNone, dayOrNone)
  .map(([[id, owner], start, end]): ProviderState => {
    return ['a contract', { payrollContractId: id, personId: owner, start, end }];
  });

const others = fc.oneof(
  anyOf('a salary', ['payrollContractId', 'year', 'month'], {
    payrollContractId,
    year: fc.constantFrom(2025, 2026),
    month: fc.constantFrom(1, 2, 10, 12),
    totalSalary: decimal,
    values: fc.option(fc.constant([])),
  }),
  anyOf('an approved payment', ['payrollContractId', 'billingPeriod'], {
    payrollContractId,
    billingPeriod: month,
    correctionPeriod: month,
    amount: decimal,
    hours: decimal,
  }),
  anyOf('a day of time bookings', ['personId', 'date'], {
    personId,
    date: day,
    targetTime: hours,
    bookedTime: hours,
    bookings: fc.option(fc.constant([])),
  }),
  fc
    .tuple(personId, fc.constantFrom('1', '2', 'Z'), day, dayOrNone)
    .map(([id, number, startDate, endDate]): ProviderState => {
      return ['an absence', { personId: id, id: `${id}-${number}`, startDate, endDate }];
    }),
  anyOf('a person who changed', ['id', 'systems', 'since'], {
    id: personId,
    systems: fc.subarray([...systems], { minLength: 1 }),
    since: day,
  }),
  anyOf('a deleted day of time bookings', ['personId', 'date'], { personId, date: day }),
  fc.tuple(personId, fc.constantFrom('1', '2', 'Z')).map(([id, number]): ProviderState => {
    return ['a deleted absence', { personId: id, id: `${id}-${number}` }];
  }),
  anyOf('a deleted person', ['id'], { id: personId }),
  anyOf('an erased person', ['id'], { id: personId }),
);

const keyed = fc.uniqueArray(
  fc
    .tuple(fc.constantFrom(...keys), payrollContractId, month, fc.constantFrom(1, 2.5))
    .map(([idempotencyKey, contract, billingPeriod, amount]): ProviderState => [
      'a payment submitted with a key',
      {
        idempotencyKey,
        payrollContractId: contract,
        billingPeriod,
        payment: { compensationComponentId: 'BONUS', amount },
      },
    ]),
  { selector: ([, given]) => (given as { idempotencyKey: string }).idempotencyKey, maxLength: 2 },
);

/** The clients that there may be. */
export const clients = [
  { clientId: 'batch', clientSecret: 's:1 %', scope: 'api:use' },
  { clientId: 'oper ator', clientSecret: 'ö', scope: 'operator' },
];
const registered = mostly(fc.constant(clients), 6, fc.subarray(clients)).map((some) =>
  some.map((client): ProviderState => ['an API client', client]),
);

const outdated = mostly<readonly ProviderState[]>(
  fc.constant([]),
  20,
  fc.constantFrom([['an outdated time component']], [['an outdated time component', { version: '63.9' }]]),
);

function isValid(name: StateName, parameters: unknown): boolean {
  try {
    return Boolean(readState(name, parameters));
  } catch {
    return false;
  }
}

const granted = mostly<ProviderState | undefined>(
  fc.constant(undefined),
  2,
  anyOf('a client with grants', [], {
    operations: fc.subarray(Object.keys(operations) as OperationId[], { minLength: 1 }),
    systems: fc.subarray([...systems], { minLength: 1 }),
  }).filter(([name, grants]) => isValid(name, grants)),
).map((state) => (state ? [state] : []));

/** Any states that do not contradict one another. */
export const anyStates: fc.Arbitrary<readonly ProviderState[]> = fc
  .tuple(
    fc.array(persons, { maxLength: 4 }),
    fc.array(contracts, { maxLength: 4 }),
    fc.array(others, { maxLength: 8 }),
    keyed,
    registered,
    outdated,
    granted,
  )
  .map((parts) => parts.flat());
