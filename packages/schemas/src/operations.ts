import { z } from 'zod';
import { Absence, AbsenceDelta } from './absence.ts';
import { Changes } from './changes.ts';
import { endpoints } from './endpoints.ts';
import type { OperationTypes } from './generated/models.ts';
import type { Model } from './model.ts';
import type { Body, OperationId, PathParameters, Query } from './operation-types.ts';
import { Cursor, Identifier, LocalDate, WaitSeconds, YearMonth } from './primitives.ts';
import { Person, PersonDelta, PersonPatch } from './person.ts';
import { rule } from './rule.ts';
import { inOrder, oneStart } from './value-rules.ts';
import { SalaryHistoryEntry, VariablePayment, VariablePaymentDecision, VariablePaymentRequest } from './payroll.ts';
import { TimeBookingPerson, TimeBookingPersonDelta } from './time-booking.ts';
import { NewWebhookEndpoint, WebhookDelivery, WebhookEndpoint, WebhookEndpointWithSecret } from './webhook-endpoint.ts';

/** One operation of the API, an entry of the table {@link operations}. Each needs a bearer token and responds with 200. */
export interface Operation {
  readonly method: 'GET' | 'PATCH' | 'POST' | 'DELETE';
  /** Path below the base URL, with parameters in braces. */
  readonly path: `/api/v1/${string}`;
  /** Section of the HR Cloud API specification. */
  readonly section: string;
  /** The resource it belongs to. */
  readonly tag: 'Persons' | 'Payroll' | 'Time' | 'Changes';
  readonly summary: string;
  readonly pathParameters: z.ZodObject;
  /** Query parameters with the names that the packages use; `wireNames` has their names in the URL. */
  readonly query: z.ZodObject;
  readonly body?: z.ZodType | undefined;
  /** The model of the response body, or of the elements of its array. */
  readonly response: z.ZodType;
  /** The model of the elements of a list of changes. */
  readonly delta?: z.ZodType | undefined;
  /** Whether the response is an array of {@link Operation.response}. */
  readonly list: boolean;
  /**
   * Whether it accepts `after`, and its response has a cursor: that of a list in the header `HR-Cursor`. An extension of
   * the specification.
   */
  readonly cursor?: true | undefined;
  /** Whether it requires the version of the time-recording component in section 8. */
  readonly timeComponent?: true | undefined;
  /** Whether it accepts the header `Idempotency-Key`, an extension of the specification. */
  readonly idempotencyKey?: true | undefined;
  /** Whether it responds with `conflict` where the state of the service forbids it. */
  readonly conflict?: true | undefined;
  /** Whether it is an extension of the specification. */
  readonly extension?: true | undefined;
}

/** The entry of an operation in the table {@link operations}. */
type Entry<Id extends OperationId> = Pick<Operation, 'section' | 'tag' | 'summary'> &
  (typeof endpoints)[Id] & {
    readonly pathParameters: Model<PathParameters<Id>>;
    readonly query: Model<Query<Id>>;
    readonly response: Model<OperationTypes[Id]['response']>;
  } & (Body<Id> extends undefined ? unknown : { readonly body: Model<Body<Id>> }) &
  ([OperationTypes[Id]['change']] extends [never] ? unknown : { readonly delta: Model<OperationTypes[Id]['change']> });

/** The type of the operation table. */
export type Operations = { readonly [Id in OperationId]: Entry<Id> };

const changedSince = LocalDate.describe('Only what changed on or since this date.').optional();
const after = Cursor.describe('Only what changed after the response that had this cursor, of any list.')
  .meta({ 'x-extension': true })
  .optional();

/** Both ends are inclusive; the first must not be after the last. Dates and months compare as text. */
function period<Bound extends z.ZodType<string, string>>(bound: Bound, unit: string) {
  return {
    from: bound.describe(`First ${unit}, inclusive.`).optional(),
    to: bound.describe(`Last ${unit}, inclusive.`).optional(),
  };
}

const none = z.strictObject({});
const personId = Identifier.describe('Id of the person.');
const endpoint = z.strictObject({ endpointId: Identifier.describe('Id of the webhook endpoint.') });
const contract = z.strictObject({
  contractId: Identifier.describe('`payrollContractId` of one of the `employments` of a person.'),
});

/**
 * The operations of the API (section 4). Requests, routes, checks and the OpenAPI document follow from this table.
 *
 * @example
 * operations.listPersons.path; // '/api/v1/persons'
 */
export const operations: Operations = {
  listPersons: {
    ...endpoints.listPersons,
    section: '4.2',
    tag: 'Persons',
    summary: 'List persons, all of them or what changed since a date',
    pathParameters: none,
    query: z.strictObject({ changedSince, after }).check(rule(oneStart)),
    response: Person,
    delta: PersonDelta,
  },
  updatePerson: {
    ...endpoints.updatePerson,
    section: '4.1',
    tag: 'Persons',
    summary: "Change a person's addresses and bank details",
    pathParameters: z.strictObject({ id: personId }),
    query: none,
    body: PersonPatch,
    response: Person,
  },
  submitVariablePayment: {
    ...endpoints.submitVariablePayment,
    section: '4.3',
    tag: 'Payroll',
    summary: 'Submit a variable payment for approval',
    pathParameters: contract,
    query: z.strictObject({ billingPeriod: YearMonth.describe('The targeted billing period, such as 2026-01.') }),
    body: VariablePaymentRequest,
    response: VariablePayment,
  },
  listVariablePayments: {
    ...endpoints.listVariablePayments,
    section: '4.3',
    tag: 'Payroll',
    summary: 'List the approved variable payments of a payroll contract',
    pathParameters: contract,
    query: z.strictObject({ billingPeriod: YearMonth.describe('Only payments of this billing period.').optional() }),
    response: VariablePayment,
  },
  listVariablePaymentDecisions: {
    ...endpoints.listVariablePaymentDecisions,
    section: '4.3',
    tag: 'Payroll',
    summary: 'List the decisions on the variable payments that the client submitted',
    pathParameters: none,
    query: z.strictObject({ after }),
    response: VariablePaymentDecision,
  },
  listTimeBookings: {
    ...endpoints.listTimeBookings,
    section: '4.4',
    tag: 'Time',
    summary: 'List time bookings by person and day',
    pathParameters: none,
    query: z.strictObject({ ...period(LocalDate, 'day'), changedSince, after }).check(rule(inOrder), rule(oneStart)),
    response: TimeBookingPerson,
    delta: TimeBookingPersonDelta,
  },
  listSalaryHistory: {
    ...endpoints.listSalaryHistory,
    section: '4.5',
    tag: 'Payroll',
    summary: 'List the salary history of a payroll contract',
    pathParameters: contract,
    query: z.strictObject(period(YearMonth, 'month, such as 2026-01')).check(rule(inOrder)),
    response: SalaryHistoryEntry,
  },
  listAllSalaries: {
    ...endpoints.listAllSalaries,
    section: '4.5',
    tag: 'Payroll',
    summary: 'List the salary history of all payroll contracts',
    pathParameters: none,
    query: z.strictObject(period(YearMonth, 'month, such as 2026-01')).check(rule(inOrder)),
    response: SalaryHistoryEntry,
  },
  listAbsences: {
    ...endpoints.listAbsences,
    section: '4.6',
    tag: 'Time',
    summary: 'List the absences of a person',
    pathParameters: z.strictObject({ personId }),
    query: z.strictObject({ ...period(LocalDate, 'day'), changedSince }).check(rule(inOrder)),
    response: Absence,
    delta: AbsenceDelta,
  },
  listAllAbsences: {
    ...endpoints.listAllAbsences,
    section: '4.6',
    tag: 'Time',
    summary: 'List the absences of all persons',
    pathParameters: none,
    query: z.strictObject({ ...period(LocalDate, 'day'), changedSince, after }).check(rule(inOrder), rule(oneStart)),
    response: Absence,
    delta: AbsenceDelta,
  },
  getChanges: {
    ...endpoints.getChanges,
    section: '4.2',
    tag: 'Changes',
    summary: 'Wait for changes after a cursor',
    pathParameters: none,
    query: z.strictObject({
      after,
      wait: WaitSeconds.describe('How many seconds to wait for a change, 0 to 50. Default 0.').optional(),
    }),
    response: Changes,
  },
  createWebhookEndpoint: {
    ...endpoints.createWebhookEndpoint,
    section: '6',
    tag: 'Changes',
    summary: 'Register a URL that hears of changes',
    pathParameters: none,
    query: none,
    body: NewWebhookEndpoint,
    response: WebhookEndpointWithSecret,
  },
  listWebhookEndpoints: {
    ...endpoints.listWebhookEndpoints,
    section: '6',
    tag: 'Changes',
    summary: "List the client's webhook endpoints",
    pathParameters: none,
    query: none,
    response: WebhookEndpoint,
  },
  listWebhookDeliveries: {
    ...endpoints.listWebhookDeliveries,
    section: '6',
    tag: 'Changes',
    summary: 'List the last 100 attempts to send to a webhook endpoint',
    pathParameters: endpoint,
    query: none,
    response: WebhookDelivery,
  },
  testWebhookEndpoint: {
    ...endpoints.testWebhookEndpoint,
    section: '6',
    tag: 'Changes',
    summary: 'Send a test event to a webhook endpoint now',
    pathParameters: endpoint,
    query: none,
    response: WebhookDelivery,
  },
  rotateWebhookSecret: {
    ...endpoints.rotateWebhookSecret,
    section: '6',
    tag: 'Changes',
    summary: 'Rotate the secret of a webhook endpoint',
    pathParameters: endpoint,
    query: none,
    response: WebhookEndpointWithSecret,
  },
  deleteWebhookEndpoint: {
    ...endpoints.deleteWebhookEndpoint,
    section: '6',
    tag: 'Changes',
    summary: 'Remove a webhook endpoint',
    pathParameters: endpoint,
    query: none,
    response: WebhookEndpoint,
  },
};
