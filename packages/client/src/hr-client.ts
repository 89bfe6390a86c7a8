import type { ResponseOf, Body, Query } from '@hr/schemas';
import { matchesAbsenceFilter } from '@hr/schemas/rules';
import { answers } from './answers.ts';
import { hrClientSettings } from './hr-client-options.ts';
import type { CallOptions, HrClientOptions } from './hr-client-options.ts';

/** What {@link HrClient.payroll.submitVariablePayment} takes: the payment, and where it is to be billed. */
export type VariablePaymentSubmission = Body<'submitVariablePayment'> &
  Query<'submitVariablePayment'> & {
    /** The same key with the same payment pays once (`Idempotency-Key`), where the service honours it. */
    readonly idempotencyKey?: string | undefined;
  };

/**
 * The API, one method an operation. All reject with {@link HrError}, or with the caller's own reason when he aborts.
 * Lists are handed out only whole: one that breaks off rejects.
 *
 * @sealed
 */
export interface HrClient {
  readonly persons: {
    /** Lists persons, all of them or those who changed (section 4.2). In a list of changes an element has only what changed. */
    list(query?: Query<'listPersons'>, options?: CallOptions): Promise<ResponseOf<'listPersons'>[]>;
    /**
     * The same, one person after the other as they arrive, in constant memory. Each iteration is a request of its own;
     * leaving the loop cancels it.
     *
     * @example
     * ```ts
     * for await (const person of hr.persons.stream()) console.log(person.id);
     * ```
     */
    stream(query?: Query<'listPersons'>, options?: CallOptions): AsyncIterable<ResponseOf<'listPersons'>>;
    /**
     * Replaces the addresses or the bank details of a person, each whole and exactly as sent (section 4.1).
     *
     * @returns the person as changed, or undefined when the service answers nothing.
     */
    update(
      id: string,
      patch: Body<'updatePerson'>,
      options?: CallOptions,
    ): Promise<ResponseOf<'updatePerson'> | undefined>;
  };
  readonly payroll: {
    /**
     * Submits a variable payment for approval (section 4.3). Should it fail, `outcome` of the error tells whether the
     * payment may have been taken.
     */
    submitVariablePayment(
      contractId: string,
      payment: VariablePaymentSubmission,
      options?: CallOptions,
    ): Promise<ResponseOf<'submitVariablePayment'>>;
    /** Lists the approved variable payments of a payroll contract (section 4.3, an extension). */
    variablePayments(
      contractId: string,
      query?: Query<'listVariablePayments'>,
      options?: CallOptions,
    ): Promise<ResponseOf<'listVariablePayments'>[]>;
    /** Lists the salaries of a payroll contract by month (section 4.5). */
    salaryHistory(
      contractId: string,
      query?: Query<'listSalaryHistory'>,
      options?: CallOptions,
    ): Promise<ResponseOf<'listSalaryHistory'>[]>;
  };
  readonly time: {
    /** Lists time bookings by person and day (section 4.4). */
    bookings(query?: Query<'listTimeBookings'>, options?: CallOptions): Promise<ResponseOf<'listTimeBookings'>[]>;
    /** The same, one person after the other as they arrive; see {@link HrClient.persons.stream}. */
    bookingsStream(
      query?: Query<'listTimeBookings'>,
      options?: CallOptions,
    ): AsyncIterable<ResponseOf<'listTimeBookings'>>;
    /** Lists the absences of a person, filtered by the service (section 4.6). */
    absences(
      personId: string,
      query?: Query<'listAbsences'>,
      options?: CallOptions,
    ): Promise<ResponseOf<'listAbsences'>[]>;
    /**
     * Lists the absences of a person that touch the days from `from` to `to`, both inclusive. Services differ in what
     * both filters of section 4.6 mean together, so this one asks for `to` alone and filters the rest itself.
     */
    absencesOverlapping(
      personId: string,
      window: { readonly from: string; readonly to: string },
      options?: CallOptions,
    ): Promise<ResponseOf<'listAbsences'>[]>;
  };
}

/**
 * Makes a client of the HR Cloud API. It sends nothing by itself and needs no closing.
 *
 * @throws {HrError} `invalid-option` or `insecure-url`.
 * @example
 * ```ts
 * const auth = clientCredentials({ baseUrl, clientId, clientSecret });
 * const hr = createHrClient({ baseUrl, auth });
 * const changed = await hr.persons.list({ changedSince: '2026-01-31' });
 * ```
 */
export function createHrClient(options: HrClientOptions): HrClient {
  const settings = hrClientSettings(options);
  return {
    persons: {
      list: (query, callOptions) => all(answers(settings, 'listPersons', { query }, callOptions)),
      stream: (query, callOptions) => repeatable(() => answers(settings, 'listPersons', { query }, callOptions)),
      update: (id, patch, callOptions) =>
        only(answers(settings, 'updatePerson', { path: { id }, body: patch }, callOptions)),
    },
    payroll: {
      async submitVariablePayment(contractId, payment, callOptions) {
        // A caller without types may have forgotten it, which the check tells better.
        const { billingPeriod, idempotencyKey, ...body } = payment ?? ({} as VariablePaymentSubmission);
        const input = { path: { contractId }, query: { billingPeriod }, body, idempotencyKey };
        return only(answers(settings, 'submitVariablePayment', input, callOptions));
      },
      variablePayments: (contractId, query, callOptions) =>
        all(answers(settings, 'listVariablePayments', { path: { contractId }, query }, callOptions)),
      salaryHistory: (contractId, query, callOptions) =>
        all(answers(settings, 'listSalaryHistory', { path: { contractId }, query }, callOptions)),
    },
    time: {
      bookings: (query, callOptions) => all(answers(settings, 'listTimeBookings', { query }, callOptions)),
      bookingsStream: (query, callOptions) =>
        repeatable(() => answers(settings, 'listTimeBookings', { query }, callOptions)),
      absences: (personId, query, callOptions) =>
        all(answers(settings, 'listAbsences', { path: { personId }, query }, callOptions)),
      async absencesOverlapping(personId, window, callOptions) {
        const input = { path: { personId }, query: window, required: ['from', 'to'], unsent: ['from'] } as const;
        const absences = await all(answers(settings, 'listAbsences', input, callOptions));
        return absences.filter((absence) => matchesAbsenceFilter(absence, window));
      },
    },
  };
}

async function all<T>(elements: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const element of elements) list.push(element);
  return list;
}

/** The one answer. Whether there may be none, `answers` has decided. */
async function only<T>(elements: AsyncIterable<T>): Promise<T> {
  const [answer] = await all(elements);
  return answer as T;
}

/** A generator runs once, and a second loop over it would see an empty list. This starts one for each loop. */
function repeatable<T>(start: () => AsyncGenerator<T, void, undefined>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: start };
}
