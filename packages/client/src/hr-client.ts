import type { Body, ChangeOf, ListOperationId, OperationId, PersonPatch, Query, ResponseOf } from '@hr/schemas/checks';
import { matchesAbsenceFilter } from '@hr/schemas/rules';
import { callOperation, requestOperation } from './call-operation.ts';
import type { CallInput, RequestInput } from './checked-request.ts';
import type { CallOptions, HrClientOptions } from './hr-client-options.ts';
import { hrClientSettings } from './hr-client-settings.ts';
import { collect, RequestedList, type Batches, type HrList } from './hr-list.ts';
import { hrPromise, type HrPromise, type OnHead } from './hr-promise.ts';

/** A person (section 2.1). */
export interface Person extends ResponseOf<'listPersons'> {}
/**
 * The changes of a person: `id` and every field of the systems that changed, `null` without a value (section 4.2). With
 * `deleted` or `erased`, the person is gone: delete your copy.
 */
export interface PersonChange extends ChangeOf<'listPersons'> {}
/** A variable payment (section 2.7). */
export interface VariablePayment extends ResponseOf<'submitVariablePayment'> {}
/** The salary of a payroll contract in a month (section 2.9). */
export interface SalaryHistoryEntry extends ResponseOf<'listSalaryHistory'> {}
/** A decision on a variable payment that this client submitted (section 4.3, an extension). */
export interface VariablePaymentDecision extends ResponseOf<'listVariablePaymentDecisions'> {}
/** What changed after a cursor, as far as the client may see it (section 4.2, an extension). */
export interface Changes extends ResponseOf<'getChanges'> {}
/** A URL of this client that hears of changes (an extension of section 6). */
export interface WebhookEndpoint extends ResponseOf<'listWebhookEndpoints'> {}
/** A webhook endpoint with the secret of its signatures, for `verifyWebhook`. */
export interface WebhookEndpointWithSecret extends ResponseOf<'createWebhookEndpoint'> {}
/** An attempt to send to a webhook endpoint. Only a `status` of 2xx is a success. */
export interface WebhookDelivery extends ResponseOf<'listWebhookDeliveries'> {}
/** The time bookings of a person, by day (section 2.8). */
export interface TimeBookingPerson extends ResponseOf<'listTimeBookings'> {}
/** An absence of a person (section 2.10). */
export interface Absence extends ResponseOf<'listAbsences'> {}
/** The days of a person that changed (section 4.4). A day with `deleted` is gone: delete your copy. */
export interface TimeBookingPersonChange extends ChangeOf<'listTimeBookings'> {}
/** An absence that changed (section 4.6). With `deleted`, it is gone: delete your copy. */
export interface AbsenceChange extends ChangeOf<'listAbsences'> {}

/** Asks a list for changes only: since a day, `YYYY-MM-DD`, or after the cursor of an earlier response. */
export type ForChanges = { readonly changedSince: string } | { readonly after: string };
/** Asks a list for everything, not only for changes. */
export type ForAll = { readonly changedSince?: undefined; readonly after?: undefined };

/** A payment to submit, with its billing period (section 4.3). */
export type VariablePaymentSubmission = Query<'submitVariablePayment'> & {
  /** `Idempotency-Key`: the same key with the same payment pays once, if the service supports it. */
  readonly idempotencyKey?: string | undefined;
} & Body<'submitVariablePayment'>;

/**
 * The API, one method per operation. Each rejects with {@link HrError} only.
 *
 * @sealed
 */
export interface HrClient {
  readonly persons: {
    /**
     * Lists the persons who changed since a day or after a cursor, with only their changes (section 4.2).
     *
     * @param query.changedSince - `YYYY-MM-DD`, inclusive, a day of the service's time zone.
     * @param query.after - The cursor of an earlier response (an extension).
     */
    list(query: ForChanges, options?: CallOptions): HrList<PersonChange>;
    /**
     * Lists all persons (section 4.2).
     *
     * @example
     * ```ts
     * for await (const person of hr.persons.list()) console.log(person.id);
     * ```
     */
    list(query?: ForAll, options?: CallOptions): HrList<Person>;
    list(query?: Query<'listPersons'>, options?: CallOptions): HrList<Person | PersonChange>;
    /**
     * Replaces the addresses or the bank details of a person completely, exactly as sent (section 4.1).
     *
     * @returns The changed person; undefined if the response has no body.
     */
    update(id: string, patch: PersonPatch, options?: CallOptions): HrPromise<Person | undefined>;
  };
  readonly payroll: {
    /**
     * Submits a variable payment for approval (section 4.3). If it fails, `outcome` of the error says whether the
     * service may have accepted the payment.
     */
    submitVariablePayment(
      contractId: string,
      payment: VariablePaymentSubmission,
      options?: CallOptions,
    ): HrPromise<VariablePayment>;
    /** Lists the approved variable payments of a payroll contract (section 4.3, an extension). */
    variablePayments(
      contractId: string,
      query?: Query<'listVariablePayments'>,
      options?: CallOptions,
    ): HrList<VariablePayment>;
    /** Lists the salaries of a payroll contract by month (section 4.5). */
    salaryHistory(
      contractId: string,
      query?: Query<'listSalaryHistory'>,
      options?: CallOptions,
    ): HrList<SalaryHistoryEntry>;
    /** Lists the salaries of all payroll contracts by contract and month (section 4.5, an extension). */
    allSalaries(query?: Query<'listAllSalaries'>, options?: CallOptions): HrList<SalaryHistoryEntry>;
    /** Lists the decisions on the variable payments that this client submitted (section 4.3, an extension). */
    decisions(query?: Query<'listVariablePaymentDecisions'>, options?: CallOptions): HrList<VariablePaymentDecision>;
  };
  readonly time: {
    /** Lists the days that changed since a day or after a cursor, by person (section 4.4). */
    bookings(query: Query<'listTimeBookings'> & ForChanges, options?: CallOptions): HrList<TimeBookingPersonChange>;
    /** Lists time bookings by person and day (section 4.4). */
    bookings(query?: Query<'listTimeBookings'> & ForAll, options?: CallOptions): HrList<TimeBookingPerson>;
    bookings(
      query?: Query<'listTimeBookings'>,
      options?: CallOptions,
    ): HrList<TimeBookingPerson | TimeBookingPersonChange>;
    /** Lists the absences of a person that changed since a day (section 4.6). */
    absences(
      personId: string,
      query: Query<'listAbsences'> & { readonly changedSince: string },
      options?: CallOptions,
    ): HrList<AbsenceChange>;
    /** Lists the absences of a person, filtered by the service (section 4.6). */
    absences(
      personId: string,
      query?: Query<'listAbsences'> & { readonly changedSince?: undefined },
      options?: CallOptions,
    ): HrList<Absence>;
    absences(personId: string, query?: Query<'listAbsences'>, options?: CallOptions): HrList<Absence | AbsenceChange>;
    /** Lists the absences of all persons that changed since a day or after a cursor (section 4.6, an extension). */
    allAbsences(query: Query<'listAllAbsences'> & ForChanges, options?: CallOptions): HrList<AbsenceChange>;
    /** Lists the absences of all persons, filtered by the service (section 4.6, an extension). */
    allAbsences(query?: Query<'listAllAbsences'> & ForAll, options?: CallOptions): HrList<Absence>;
    allAbsences(query?: Query<'listAllAbsences'>, options?: CallOptions): HrList<Absence | AbsenceChange>;
    /**
     * Lists the absences of a person that overlap the days from `from` to `to`, both inclusive. Services differ in how
     * they combine the two filters of section 4.6, so the client sends only `to` and filters by `from` itself.
     */
    absencesOverlapping(
      personId: string,
      window: { readonly from: string; readonly to: string },
      options?: CallOptions,
    ): HrList<Absence>;
  };
  readonly changes: {
    /**
     * Resolves with the kinds of data that changed after a cursor, as soon as there are any, or with none after `wait`
     * seconds. Read them with the same cursor (salaries whole), then call it again with the new one. An extension of
     * section 4.2.
     *
     * @param query.after - A cursor of an earlier response. Without it, the call resolves at once.
     * @param query.wait - 0 to 50 seconds, by which the timeouts of the call are extended. Default 0.
     */
    get(
      query?: { readonly after?: string | undefined; readonly wait?: number | undefined },
      options?: CallOptions,
    ): HrPromise<Changes>;
  };
  /** URLs that the service tells of changes, in place of `changes.get` (an extension of section 6). */
  readonly webhooks: {
    /**
     * Registers a URL. Store the `secret` of the response: it is shown only here and at a rotation.
     *
     * @param endpoint.url - An `https` URL of a public host.
     * @example
     * ```ts
     * const { id, secret } = await hr.webhooks.create({ url: 'https://hooks.example.com/hr' });
     * ```
     */
    create(endpoint: Body<'createWebhookEndpoint'>, options?: CallOptions): HrPromise<WebhookEndpointWithSecret>;
    /** Lists the endpoints of this client, the oldest first. */
    list(options?: CallOptions): HrList<WebhookEndpoint>;
    /** Lists the last 100 attempts to send to an endpoint, the oldest first. */
    deliveries(endpointId: string, options?: CallOptions): HrList<WebhookDelivery>;
    /** Sends a test event now. After a success, a paused endpoint is active again. */
    test(endpointId: string, options?: CallOptions): HrPromise<WebhookDelivery>;
    /** Gives an endpoint a new secret. For 24 hours, it is signed with the previous one, too. */
    rotate(endpointId: string, options?: CallOptions): HrPromise<WebhookEndpointWithSecret>;
    /** Removes an endpoint, and returns what it was. */
    delete(endpointId: string, options?: CallOptions): HrPromise<WebhookEndpoint>;
  };
  /**
   * Sends any operation, and resolves with the platform's response when its head has arrived. The URL, the token, retries
   * and errors are those of the methods, but nothing reads or checks the body. With the head, the call ends: its timeouts,
   * its event `end` and its trace. Only `signal` also aborts the body.
   *
   * @param operation - Its name in the operation table.
   * @param input.query - Parameters as text, with the names of the operation table.
   * @example
   * ```ts
   * import { writeFile } from 'node:fs/promises';
   *
   * const { body } = await hr.request('listPersons', {});
   * if (body) await writeFile('persons.json', body);
   * ```
   */
  request<Id extends OperationId>(operation: Id, input: RequestInput<Id>, options?: CallOptions): Promise<Response>;
}

/**
 * Creates a client of the HR Cloud API. It sends no request until you call a method, and you need not close it.
 *
 * @throws {HrError} `invalid-option` or `insecure-url`.
 * @example
 * ```ts
 * const auth = clientCredentials({ baseUrl, clientId, clientSecret });
 * const hr = createHrClient({ baseUrl, auth });
 * const changes = await hr.persons.list({ changedSince: '2026-01-31' });
 * ```
 */
export function createHrClient(options: HrClientOptions): HrClient {
  const settings = hrClientSettings(options);

  function call<Id extends OperationId>(id: Id, input: CallInput<Id>, callOptions?: CallOptions) {
    return (disposed?: AbortSignal, onHead?: OnHead) =>
      callOperation(settings, id, input, callOptions, disposed, onHead) as Batches<ResponseOf<Id>>;
  }
  function list<Id extends ListOperationId>(id: Id, input: CallInput<Id>, callOptions?: CallOptions) {
    return new RequestedList(call(id, input, callOptions));
  }

  return {
    persons: {
      list: (query?: Query<'listPersons'>, callOptions?: CallOptions) => list('listPersons', { query }, callOptions),
      update: (id, patch, callOptions) => only(call('updatePerson', { path: { id }, body: patch }, callOptions)),
    },
    payroll: {
      submitVariablePayment(contractId, payment, callOptions) {
        // A caller without types may omit it. The check of the request reports the missing argument.
        const { billingPeriod, idempotencyKey, ...body } = payment ?? ({} as VariablePaymentSubmission);
        const input = { path: { contractId }, query: { billingPeriod }, body, idempotencyKey };
        return only(call('submitVariablePayment', input, callOptions));
      },
      variablePayments: (contractId, query, callOptions) =>
        list('listVariablePayments', { path: { contractId }, query }, callOptions),
      salaryHistory: (contractId, query, callOptions) =>
        list('listSalaryHistory', { path: { contractId }, query }, callOptions),
      allSalaries: (query, callOptions) => list('listAllSalaries', { query }, callOptions),
      decisions: (query, callOptions) => list('listVariablePaymentDecisions', { query }, callOptions),
    },
    time: {
      bookings: (query?: Query<'listTimeBookings'>, callOptions?: CallOptions) =>
        list('listTimeBookings', { query }, callOptions),
      absences: (personId: string, query?: Query<'listAbsences'>, callOptions?: CallOptions) =>
        list('listAbsences', { path: { personId }, query }, callOptions),
      allAbsences: (query?: Query<'listAllAbsences'>, callOptions?: CallOptions) =>
        list('listAllAbsences', { query }, callOptions),
      absencesOverlapping(personId, window, callOptions) {
        const input = { path: { personId }, query: window, required: ['from', 'to'], unsent: ['from'] } as const;
        return new RequestedList(call('listAbsences', input, callOptions), (absence) =>
          matchesAbsenceFilter(absence, window),
        );
      },
    },
    changes: {
      get(query, callOptions) {
        const wait = query?.wait === undefined ? undefined : String(query.wait);
        return only(call('getChanges', { query: { ...query, wait } }, callOptions));
      },
    },
    webhooks: {
      create: (endpoint, callOptions) => only(call('createWebhookEndpoint', { body: endpoint }, callOptions)),
      list: (callOptions) => list('listWebhookEndpoints', {}, callOptions),
      deliveries: (endpointId, callOptions) => list('listWebhookDeliveries', { path: { endpointId } }, callOptions),
      test: (endpointId, callOptions) => only(call('testWebhookEndpoint', { path: { endpointId } }, callOptions)),
      rotate: (endpointId, callOptions) => only(call('rotateWebhookSecret', { path: { endpointId } }, callOptions)),
      delete: (endpointId, callOptions) => only(call('deleteWebhookEndpoint', { path: { endpointId } }, callOptions)),
    },
    request: (operation, input, callOptions) => requestOperation(settings, operation, input, callOptions),
  };
}

/** The one body. `callOperation` decides whether it may be missing. */
function only<T>(start: (disposed: undefined, onHead: OnHead) => Batches<T>): HrPromise<T> {
  return hrPromise(async (onHead) => {
    const [body] = await collect(start(undefined, onHead));
    return body as T;
  });
}
