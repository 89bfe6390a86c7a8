import type { Employment } from '@hr/schemas';
import type { Member } from '../fixtures/company.ts';
import { filled, wholeAbsence, wholeDay, wholeEmployment, wholePayment, wholePerson, wholeSalary } from './defaults.ts';
import type { State, StateName, StateParameters } from './provider-states.ts';

/**
 * A person of a stage and all that belongs to it.
 *
 * @sealed
 */
export interface StagedMember extends Omit<Member, 'employments'> {
  readonly employments: Employment[];
}

/**
 * What an HR cloud has to hold, and to be like, so that provider states are true.
 *
 * @sealed
 */
export interface Stage {
  /** The persons, each with all that belongs to them, in the order in which they were first named. */
  readonly members: readonly StagedMember[];
  /** Of these persons, what these systems said has changed on or since the date, and all else before it. */
  readonly changes: readonly StateParameters<'a person who changed'>[];
  /** Persons of the {@link members} who are erased once they were there. */
  readonly erased: readonly string[];
  readonly clients: readonly StateParameters<'an API client'>[];
  /** Payments that the client under test has submitted with a key. */
  readonly keyedPayments: readonly StateParameters<'a payment submitted with a key'>[];
  /** Keys with which the client under test submits payments just now. */
  readonly keysInFlight: readonly string[];
  /** The version of the time-recording component, where it is too old. */
  readonly timeComponentVersion: string | undefined;
  readonly isRateLimitUsedUp: boolean;
  readonly isUnavailable: boolean;
}

const OUTDATED_VERSION = '63.11.19';

/**
 * What states mean together. Each adds to those before it: a contract belongs to the person that an earlier state has
 * made, and makes one where there is none. The same states always mean the same.
 *
 * @throws {RangeError} where states contradict each other.
 */
export function stageOf(states: readonly State[]): Stage {
  const members = new Map<string, Draft>();
  const stage: { -readonly [Part in keyof Stage]: Stage[Part] extends readonly (infer One)[] ? One[] : Stage[Part] } = {
    members: [],
    changes: [],
    erased: [],
    clients: [],
    keyedPayments: [],
    keysInFlight: [],
    timeComponentVersion: undefined,
    isRateLimitUsedUp: false,
    isUnavailable: false,
  };

  function memberOf(personId: string): Draft {
    const member = members.get(personId) ?? {
      person: { ...wholePerson, id: personId },
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

  function ownerOf(payrollContractId: string): Draft {
    const owner = [...members.values()].find((member) => member.payrollContractIds.includes(payrollContractId));
    return owner ?? addContract({ payrollContractId });
  }

  function addContract({ personId, ...given }: StateParameters<'a contract'>): Draft {
    const { payrollContractId } = given;
    const known = [...members.values()].find((member) => member.payrollContractIds.includes(payrollContractId));
    const member = memberOf(personId ?? known?.person.id ?? `owner-of-${payrollContractId}`);
    if (known && known !== member)
      throw new RangeError(`In these states the contract ${payrollContractId} is of two persons.`);
    if (!known) member.payrollContractIds.push(payrollContractId);
    const employment: Employment = filled(wholeEmployment, given);
    member.employments = [
      ...member.employments.filter((each) => each.payrollContractId !== payrollContractId),
      employment,
    ];
    return member;
  }

  const meanings: { readonly [Name in StateName]: (parameters: StateParameters<Name>) => void } = {
    'a person': (given) => {
      memberOf(given.id).person = filled(wholePerson, given);
    },
    'a contract': (given) => void addContract(given),
    'a salary': (given) => {
      ownerOf(given.payrollContractId).salaries.push(filled(wholeSalary, given));
    },
    'an approved payment': (given) => {
      const payment = filled({ ...wholePayment, correctionPeriod: given.billingPeriod }, given);
      ownerOf(given.payrollContractId).payments.push({ ...payment, state: 'approved' });
    },
    'a payment submitted with a key': (given) => {
      ownerOf(given.payrollContractId);
      stage.keyedPayments.push(given);
    },
    'a payment being submitted with a key': ({ idempotencyKey, payrollContractId }) => {
      ownerOf(payrollContractId);
      stage.keysInFlight.push(idempotencyKey);
    },
    'a day of time bookings': ({ personId, ...given }) => {
      const bookings = wholeDay.bookings?.map(({ time, key }) => ({
        time: given.date + time.slice(given.date.length),
        key,
      }));
      memberOf(personId).timeDays.push(filled({ ...wholeDay, ...(bookings && { bookings }) }, given));
    },
    'an absence': (given) => {
      const { personId } = given;
      const { absences } = memberOf(personId);
      absences.push(filled({ ...wholeAbsence, id: `${personId}-${absences.length + 1}` }, given));
    },
    'a person who changed': (given) => {
      memberOf(given.id);
      stage.changes.push(given);
    },
    'an erased person': ({ id }) => {
      memberOf(id);
      stage.erased.push(id);
    },
    'an API client': (given) => void stage.clients.push(given),
    'an outdated time component': ({ version = OUTDATED_VERSION }) => {
      stage.timeComponentVersion = version;
    },
    'a used-up rate limit': () => {
      stage.isRateLimitUsedUp = true;
    },
    'an unavailable service': () => {
      stage.isUnavailable = true;
    },
  };

  for (const [name, parameters = {}] of states) (meanings[name] as (parameters: object) => void)(parameters);
  return { ...stage, members: [...members.values()] };
}

/** A member that states still add to. */
type Draft = { -readonly [Part in keyof StagedMember]: StagedMember[Part] };
