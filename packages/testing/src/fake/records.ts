import {
  Absence,
  Employment,
  Identifier,
  Person,
  SalaryHistoryEntry,
  TimeBookingDay,
  VariablePaymentRequest,
  YearMonth,
} from '@hr/schemas';
import { z } from 'zod';
import { invalidOption } from '../hr-testing-error.ts';
import { checked } from '../states/read-state.ts';
import { freeId } from '../states/scenario.ts';
import { decidePayment, writePayment } from './payments.ts';
import { addMember, wholePerson } from './persons.ts';
import type { HeldPayment, Store, StoredContract, StoredPayment, StoredPerson } from './store.ts';

/**
 * The records of one kind that the fake holds.
 *
 * @sealed
 */
export interface FakeRecords<Added, Stored> {
  /**
   * Adds a record with exactly these fields. The fake generates a missing id, and replaces a record with the same id.
   *
   * @returns the stored record
   * @throws {HrTestingError} `invalid-option` if the record breaks a rule of its model, or has an unknown reference.
   * @example
   * const { id } = fake.persons.add({ firstName: 'Ada' });
   */
  add(record: Added): Stored;
  /** All records, in the order of their addition. */
  list(): Stored[];
}

type WithoutId<Model, Id extends keyof Model> = Omit<Model, Id> & { [Name in Id]?: Model[Name] | undefined };

/** A payroll contract with its salaries. */
export interface FakeContract extends Employment {
  readonly personId: string;
  readonly salaries: SalaryHistoryEntry[];
}

/** A payroll contract that a test adds to an existing person. */
export interface AddedContract extends WithoutId<Employment, 'payrollContractId'> {
  readonly personId: string;
  /** Their `payrollContractId` is set to that of the contract. */
  readonly salaries?: readonly WithoutId<SalaryHistoryEntry, 'payrollContractId'>[] | undefined;
}

/** A day of the time account of an existing person. */
export interface FakeTimeDay extends TimeBookingDay {
  readonly personId: string;
}

/** A variable payment that a test adds to an existing contract. */
export type AddedPayment = VariablePaymentRequest & {
  readonly payrollContractId: string;
  readonly billingPeriod: string;
  /** Default `submitted`. */
  readonly state?: StoredPayment['state'] | undefined;
};

/**
 * The variable payments in all states.
 *
 * @sealed
 */
export interface FakePayments extends FakeRecords<AddedPayment, StoredPayment> {
  /**
   * Approves a submitted payment, as an operator does. The API lists only approved payments. The client reads the reason
   * in the list of decisions.
   *
   * @throws {HrTestingError} `invalid-option` if the payment is unknown or already decided.
   * @example
   * for (const { id } of fake.payments.list()) fake.payments.approve(id);
   */
  approve(id: string, reason?: string): void;
  /** Approves all submitted payments. */
  approveAll(): void;
  /** Rejects a submitted payment. It throws like {@link FakePayments.approve}. */
  reject(id: string, reason?: string): void;
}

/** The data of the fake, for tests to add and read. */
export interface FakeData {
  /** `employments` and `payrollContractIds` become contracts of the person. */
  readonly persons: FakeRecords<WithoutId<Person, 'id'>, Person>;
  readonly contracts: FakeRecords<AddedContract, FakeContract>;
  readonly timeDays: FakeRecords<FakeTimeDay, FakeTimeDay>;
  readonly absences: FakeRecords<WithoutId<Absence, 'id'>, Absence>;
  readonly payments: FakePayments;
}

const ContractModel = Employment.extend({ personId: Identifier, salaries: z.array(SalaryHistoryEntry) });
const TimeDayModel = TimeBookingDay.extend({ personId: Identifier });
const PaymentModel = VariablePaymentRequest.safeExtend({
  payrollContractId: Identifier,
  billingPeriod: YearMonth,
  state: z.enum(['submitted', 'approved', 'rejected']).default('submitted'),
});

export function recordsOf(store: Store): FakeData {
  function personOf(call: string, id: string): StoredPerson {
    const person = store.persons.get(id);
    if (person) return person;
    throw invalidOption(`${call}: /personId is the id of no person. Add the person first.`);
  }

  return {
    persons: {
      add(given) {
        const { employments, payrollContractIds, ...person } = checked('persons.add', Person, {
          id: freeId('person-', store.persons),
          ...given,
        });
        return wholePerson(store, addMember(store, { person, employments, payrollContractIds }));
      },
      list: () => [...store.persons.values()].map((person) => wholePerson(store, person)),
    },

    contracts: {
      add(given) {
        const { contracts } = store;
        const { payrollContractId = freeId('contract-', contracts) } = given;
        const entries = (given.salaries ?? []).map((entry) => ({ ...entry, payrollContractId }));
        const contract = { ...given, payrollContractId, salaries: entries };
        const { personId, salaries, ...employment } = checked('contracts.add', ContractModel, contract);
        const { record: person } = personOf('contracts.add', personId);
        addMember(store, { person, employments: [employment], salaries });
        return contractOf(contracts.get(payrollContractId) as StoredContract)[0] as FakeContract;
      },
      list: () => [...store.contracts.values()].flatMap(contractOf),
    },

    timeDays: {
      add(given) {
        const { personId, ...day } = checked('timeDays.add', TimeDayModel, given);
        addMember(store, { person: personOf('timeDays.add', personId).record, timeDays: [day] });
        return { personId, ...day };
      },
      list: () =>
        [...store.persons].flatMap(([personId, { timeDays }]) =>
          [...timeDays.values()].flatMap(({ content }) => (content ? [{ personId, ...content }] : [])),
        ),
    },

    absences: {
      add(given) {
        const known = store.persons.get(given.personId)?.absences ?? new Map<string, unknown>();
        const absence = checked('absences.add', Absence, { id: freeId(`${given.personId}-`, known), ...given });
        addMember(store, { person: personOf('absences.add', absence.personId).record, absences: [absence] });
        return absence;
      },
      list: () =>
        [...store.persons.values()].flatMap(({ absences }) =>
          [...absences.values()].flatMap(({ content }) => content ?? []),
        ),
    },

    payments: {
      add(given) {
        const payment = checked('payments.add', PaymentModel, given);
        if (store.contracts.get(payment.payrollContractId)?.employment) return storedPart(writePayment(store, payment));
        throw invalidOption('payments.add: /payrollContractId is the id of no contract. Add the contract first.');
      },
      list: () => [...store.payments.values()].map(storedPart),
      approve: (id, reason) => decidePayment(store, id, 'approved', reason),
      approveAll() {
        for (const { id, state } of store.payments.values())
          if (state === 'submitted') decidePayment(store, id, 'approved');
      },
      reject: (id, reason) => decidePayment(store, id, 'rejected', reason),
    },
  };
}

function storedPart({ clientId: _client, decided: _decided, ...payment }: HeldPayment): StoredPayment {
  return payment;
}

function contractOf({ personId, employment, salaries }: StoredContract): FakeContract[] {
  return employment ? [{ ...employment, personId, salaries: [...salaries.values()] }] : [];
}
