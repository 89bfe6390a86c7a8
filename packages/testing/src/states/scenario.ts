import { Absence, Employment, Person, SalaryHistoryEntry, TimeBookingDay, VariablePayment } from '@hr/schemas';
import type { Member } from '../fixtures/company.ts';
import { fixtures } from '../fixtures/fixtures.ts';
import { complete } from '../fixtures/invalid.ts';
import { HrTestingError } from '../hr-testing-error.ts';
import type { ProviderState, StateName, StateParameters } from './provider-states.ts';

/**
 * A person of a scenario, with related records.
 *
 * @sealed
 */
export interface ScenarioMember extends Omit<Member, 'employments'> {
  readonly employments: Employment[];
}

/**
 * The data and settings of an HR cloud that make provider states true.
 *
 * @sealed
 */
export interface Scenario {
  /** The persons with related records, in the order in which states first name them. */
  readonly members: readonly ScenarioMember[];
  /** The systems that changed these persons on or since the date. Other systems changed them before it. */
  readonly changes: readonly StateParameters<'a person who changed'>[];
  /** The ids of {@link members} to erase after they are added. */
  readonly erased: readonly string[];
  /** The ids of {@link members} that are deleted after they were added. */
  readonly deletedPersons: readonly string[];
  /** The days of {@link members} that are deleted after they were added. */
  readonly deletedDays: readonly StateParameters<'a deleted day of time bookings'>[];
  /** The absences of {@link members} that are deleted after they were added. */
  readonly deletedAbsences: readonly StateParameters<'a deleted absence'>[];
  readonly clients: readonly StateParameters<'an API client'>[];
  /** Payments that the client under test submitted with a key. */
  readonly keyedPayments: readonly StateParameters<'a payment submitted with a key'>[];
  /** Keys of payments of the client under test that are in flight. */
  readonly keysInFlight: readonly string[];
  /** The version of the time-recording component, if it is too old. */
  readonly timeComponentVersion: string | undefined;
  readonly isRateLimitUsedUp: boolean;
  readonly isUnavailable: boolean;
}

/** Existing data: a scenario adds to it, and replaces only records that its states name. */
export interface Existing {
  person(id: string): { readonly record: Person; readonly absences: ReadonlyMap<string, unknown> } | undefined;
  contract(
    id: string,
  ): { readonly personId: string | undefined; readonly employment: Employment | undefined } | undefined;
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

const OUTDATED_VERSION = '63.11.19';
const nothing: Existing = { person: () => undefined, contract: () => undefined };

/**
 * Creates the scenario of several states. Each state adds to the earlier ones: a contract belongs to the person of an
 * earlier state, or to a new one. The same states always give the same scenario.
 *
 * @throws {HrTestingError} `invalid-option` if states contradict each other.
 * @example
 * scenarioOf([['a person', { id: '4711' }], ['an absence', { personId: '4711' }]]).members.length; // 1
 */
export function scenarioOf(states: readonly ProviderState[]): Scenario {
  return scenarioBeside(nothing, states);
}

/** Creates the scenario of states that add to existing data. */
export function scenarioBeside(existing: Existing, states: readonly ProviderState[]): Scenario {
  const members = new Map<string, Draft>();
  const scenario = {
    changes: [] as StateParameters<'a person who changed'>[],
    erased: [] as string[],
    deletedPersons: [] as string[],
    deletedDays: [] as StateParameters<'a deleted day of time bookings'>[],
    deletedAbsences: [] as StateParameters<'a deleted absence'>[],
    clients: [] as StateParameters<'an API client'>[],
    keyedPayments: [] as StateParameters<'a payment submitted with a key'>[],
    keysInFlight: [] as string[],
    timeComponentVersion: undefined as string | undefined,
    isRateLimitUsedUp: false,
    isUnavailable: false,
  };

  function memberOf(personId: string): Draft {
    const member = members.get(personId) ?? {
      person: existing.person(personId)?.record ?? { ...wholePerson, id: personId },
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
      existing.contract(contractId)?.personId;
    if (knownId !== undefined && personId !== undefined && knownId !== personId) {
      const sentence = `In these states the contract ${contractId} belongs to two persons. Name the same personId.`;
      throw new HrTestingError('invalid-option', sentence);
    }
    const owner = memberOf(knownId ?? personId ?? `owner-of-${contractId}`);
    if (owner.payrollContractIds.includes(contractId)) return owner;
    owner.payrollContractIds.push(contractId);
    const known = existing.contract(contractId)?.employment;
    owner.employments.push(known ?? { ...wholeEmployment, payrollContractId: contractId });
    return owner;
  }

  const meanings: { readonly [Name in StateName]: (parameters: StateParameters<Name>) => void } = {
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
      ownerOf(given.payrollContractId).payments.push({ ...payment, state: 'approved' });
    },
    'a payment submitted with a key': (given) => {
      ownerOf(given.payrollContractId);
      scenario.keyedPayments.push(given);
    },
    'a payment being submitted with a key': ({ idempotencyKey, payrollContractId }) => {
      ownerOf(payrollContractId);
      scenario.keysInFlight.push(idempotencyKey);
    },
    'a day of time bookings': ({ personId, ...given }) => {
      const { bookings = [] } = wholeDay;
      const sameDay = bookings.map(({ time, key }) => ({ time: given.date + time.slice(given.date.length), key }));
      memberOf(personId).timeDays.push(filled({ ...wholeDay, bookings: sameDay }, given));
    },
    'an absence': (given) => {
      const { personId } = given;
      const { absences } = memberOf(personId);
      const taken = new Set([...absences.map(({ id }) => id), ...(existing.person(personId)?.absences.keys() ?? [])]);
      absences.push(filled({ ...wholeAbsence, id: freeId(`${personId}-`, taken) }, given));
    },
    'a person who changed': (given) => {
      memberOf(given.id);
      scenario.changes.push(given);
    },
    'a deleted person': ({ id }) => {
      memberOf(id);
      scenario.deletedPersons.push(id);
    },
    'a deleted day of time bookings': (given) => {
      memberOf(given.personId).timeDays.push({ ...wholeDay, date: given.date, bookings: [] });
      scenario.deletedDays.push(given);
    },
    'a deleted absence': (given) => {
      memberOf(given.personId).absences.push({ ...wholeAbsence, ...given });
      scenario.deletedAbsences.push(given);
    },
    'an erased person': ({ id }) => {
      memberOf(id);
      scenario.erased.push(id);
    },
    'an API client': (given) => {
      scenario.clients.push(given);
    },
    'an outdated time component': ({ version = OUTDATED_VERSION }) => {
      scenario.timeComponentVersion = version;
    },
    'a used-up rate limit': () => {
      scenario.isRateLimitUsedUp = true;
    },
    'an unavailable service': () => {
      scenario.isUnavailable = true;
    },
  };

  for (const [name, parameters = {}] of states) (meanings[name] as (parameters: object) => void)(parameters);
  return { ...scenario, members: [...members.values()] };
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
