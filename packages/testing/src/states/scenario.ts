import { Absence, Employment, Person, SalaryHistoryEntry, TimeBookingDay, VariablePayment } from '@hr/schemas';
import type { Member } from '../fixtures/company.ts';
import { fixtures } from '../fixtures/fixtures.ts';
import type { Payment } from '../fixtures/payroll.ts';
import { complete } from '../fixtures/invalid.ts';
import { HrTestingError } from '../hr-testing-error.ts';
import type { ProviderState, StateName, StateParameters } from './provider-states.ts';
import { readState } from './read-state.ts';

/**
 * A person of a scenario, with related records.
 *
 * @sealed
 */
export interface ScenarioMember extends Omit<Member, 'employments'> {
  readonly employments: Employment[];
}

/**
 * The data of an HR cloud that makes provider states true, and the states.
 *
 * @sealed
 */
export interface Scenario {
  /** The persons with related records, in the order in which states first name them. */
  readonly members: readonly ScenarioMember[];
  /** The parameters of all states of a name, with their defaults. */
  readonly parametersOf: <Name extends StateName>(name: Name) => readonly WithDefaults<Name>[];
}

/** The parameters of a state after it was read. */
type WithDefaults<Name extends StateName> = Name extends
  | 'a webhook endpoint'
  | 'an API client'
  | 'an outdated time component'
  ? { [Field in keyof StateParameters<Name>]-?: NonNullable<StateParameters<Name>[Field]> }
  : StateParameters<Name>;

/** Existing data: a scenario adds to it, and replaces only records that its states name. */
interface Existing {
  readonly persons: ReadonlyMap<string, { readonly record: Person; readonly absences: ReadonlyMap<string, unknown> }>;
  readonly contracts: ReadonlyMap<string, { readonly personId: string; readonly employment: Employment | undefined }>;
}

const { person, employment, salaryHistoryEntry, variablePayment, timeBookingDay, absence } = fixtures();

// A state names the fields that a test relies on. All other fields also have a value, so that a test can require any of
// them.

const {
  middleName: _middleName,
  employments: _employments,
  payrollContractIds: _payrollContractIds,
  ...wholePerson
} = complete(Person, person.with('everyNamePart', 'street', 'customFields').build());
const wholeEmployment = complete(Employment, employment.build());
const wholeSalary = complete(SalaryHistoryEntry, salaryHistoryEntry.build());
const wholePayment = complete(VariablePayment, variablePayment.build());
const wholeDay = complete(TimeBookingDay, timeBookingDay.build());
const wholeAbsence = complete(Absence, absence.build());

/**
 * Creates the scenario of several states. Each state adds to the earlier ones: a contract belongs to the person of an
 * earlier state, or to a new one. The same states always give the same scenario.
 *
 * @throws {HrTestingError} `invalid-option` if a state or a parameter is invalid, or states contradict each other.
 * @example
 * scenarioOf([['a person', { id: '4711' }], ['an absence', { personId: '4711' }]]).members.length; // 1
 */
export function scenarioOf(states: readonly ProviderState[]): Scenario {
  return scenarioBeside({ persons: new Map(), contracts: new Map() }, states);
}

/** Creates the scenario of states that add to existing data. */
export function scenarioBeside(existing: Existing, added: readonly ProviderState[]): Scenario {
  const states = added.map(([name, parameters]) => readState(name, parameters));
  const members = new Map<string, Draft>();

  function memberOf(personId: string): Draft {
    const member = members.get(personId) ?? {
      person: existing.persons.get(personId)?.record ?? { ...wholePerson, id: personId },
      employments: [],
      payrollContractIds: [],
      salaries: [],
      timeDays: [],
      absences: [],
      payments: [],
    };
    members.set(personId, member);
    return member;
  }

  /** The person of a contract; by default a new one. */
  function ownerOf(contractId: string, personId?: string): Draft {
    const knownId =
      [...members.values()].find(({ payrollContractIds }) => payrollContractIds.includes(contractId))?.person.id ??
      existing.contracts.get(contractId)?.personId;
    if (knownId !== undefined && personId !== undefined && knownId !== personId) {
      const sentence = `In these states the contract ${contractId} belongs to two persons. Name the same personId.`;
      throw new HrTestingError('invalid-option', sentence);
    }
    const owner = memberOf(knownId ?? personId ?? `owner-of-${contractId}`);
    if (owner.payrollContractIds.includes(contractId)) return owner;
    owner.payrollContractIds.push(contractId);
    const known = existing.contracts.get(contractId)?.employment;
    owner.employments.push(known ?? { ...wholeEmployment, payrollContractId: contractId });
    return owner;
  }

  /** What a state adds to persons, if it is about any. */
  const additions: { readonly [Name in StateName]?: (parameters: StateParameters<Name>) => void } = {
    'a person': (given) => {
      memberOf(given.id).person = filled(wholePerson, given);
    },
    'a contract': ({ personId, ...given }) => {
      const owner = ownerOf(given.payrollContractId, personId);
      const others = owner.employments.filter((each) => each.payrollContractId !== given.payrollContractId);
      owner.employments = [...others, filled(wholeEmployment, given)];
    },
    'a salary': (given) => {
      ownerOf(given.payrollContractId).salaries.push(filled(wholeSalary, given));
    },
    'an approved payment': (given) => {
      const payment = filled({ ...wholePayment, correctionPeriod: given.billingPeriod }, given);
      ownerOf(given.payrollContractId).payments.push({ ...payment, state: 'approved' } as Payment);
    },
    'a decided payment': ({ state, ...given }) => {
      const payment = filled({ ...wholePayment, correctionPeriod: given.billingPeriod }, given);
      ownerOf(given.payrollContractId).payments.push({ ...payment, state } as Payment);
    },
    'a payment submitted with a key': ({ payrollContractId }) => void ownerOf(payrollContractId),
    'a payment being submitted with a key': ({ payrollContractId }) => void ownerOf(payrollContractId),
    'a day of time bookings': ({ personId, ...given }) => {
      const { bookings = [] } = wholeDay;
      const sameDay = bookings.map(({ time, key }) => ({ time: given.date + time.slice(given.date.length), key }));
      memberOf(personId).timeDays.push(filled({ ...wholeDay, bookings: sameDay }, given));
    },
    'an absence': (given) => {
      const { personId } = given;
      const { absences } = memberOf(personId);
      const taken = new Set([
        ...absences.map(({ id }) => id),
        ...(existing.persons.get(personId)?.absences.keys() ?? []),
      ]);
      absences.push(filled({ ...wholeAbsence, id: freeId(`${personId}-`, taken) }, given));
    },
    'a deleted day of time bookings': ({ personId, date }) => {
      memberOf(personId).timeDays.push({ ...wholeDay, date, bookings: [] });
    },
    'a deleted absence': (given) => {
      memberOf(given.personId).absences.push({ ...wholeAbsence, ...given });
    },
    'a person who changed': ({ id }) => void memberOf(id),
    'a deleted person': ({ id }) => void memberOf(id),
    'an erased person': ({ id }) => void memberOf(id),
  };

  for (const [name, parameters] of states) (additions[name] as ((given: unknown) => void) | undefined)?.(parameters);
  return {
    members: [...members.values()],
    parametersOf: (name) => states.flatMap(([each, parameters]) => (each === name ? [parameters as never] : [])),
  };
}

/** A member under construction. */
type Draft = { -readonly [Part in keyof ScenarioMember]: ScenarioMember[Part] };

/** An id with the next free number. */
export function freeId(prefix: string, taken: Pick<ReadonlySet<string>, 'has' | 'size'>): string {
  let number = taken.size + 1;
  while (taken.has(`${prefix}${number}`)) number++;
  return `${prefix}${number}`;
}

/** A record with some fields replaced; `null` removes a field. */
function filled<Model extends object>(
  record: Model,
  given: { readonly [Field in keyof Model]?: Model[Field] | null | undefined },
): Model {
  const fields = Object.entries({ ...record, ...given }).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(fields) as Model;
}
