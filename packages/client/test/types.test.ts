import type { TokenProvider as AuthTokenProvider } from '@hr/auth';
import type * as models from '@hr/schemas';
import { expectTypeOf, test } from 'vitest';
import {
  createHrClient,
  isHrError,
  type Absence,
  type AbsenceChange,
  type AccessToken,
  type ChangeKind,
  type Changes,
  type HrClient,
  type HrClientEvent,
  type HrClientOptions,
  type HrError,
  type HrErrorCode,
  type HrList,
  type HrResponse,
  type Outcome,
  type Person,
  type PersonChange,
  type RequestInput,
  type SalaryHistoryEntry,
  type TimeBookingPerson,
  type TimeBookingPersonChange,
  type TokenProvider,
  type VariablePayment,
  type VariablePaymentDecision,
  type VariablePaymentSubmission,
  type WithResponse,
} from '../src/index.ts';
import type { Outbox, OutboxPayment } from '../src/mirror/index.ts';

type Persons = HrClient['persons'];
type Payroll = HrClient['payroll'];
type Time = HrClient['time'];

test('responses are the models, as a tolerant reader finds them', () => {
  expectTypeOf<Person>().toExtend<models.Lenient<models.Person>>();
  expectTypeOf<models.Lenient<models.Person>>().toExtend<Person>();
  expectTypeOf<models.Lenient<models.PersonDelta>>().toExtend<PersonChange>();
  expectTypeOf<PersonChange['erased']>().toEqualTypeOf<true | null | undefined>();
  expectTypeOf<keyof Person>().not.toExtend<'erased'>();
  expectTypeOf<Persons['update']>().returns.resolves.toEqualTypeOf<Person | undefined>();
  expectTypeOf<Payroll['submitVariablePayment']>().returns.resolves.toEqualTypeOf<VariablePayment>();
  expectTypeOf<Payroll['variablePayments']>().returns.toEqualTypeOf<HrList<VariablePayment>>();
  expectTypeOf<Payroll['salaryHistory']>().returns.toEqualTypeOf<HrList<SalaryHistoryEntry>>();
  expectTypeOf<Payroll['allSalaries']>().returns.toEqualTypeOf<HrList<SalaryHistoryEntry>>();
  expectTypeOf<Payroll['decisions']>().returns.toEqualTypeOf<HrList<VariablePaymentDecision>>();
  expectTypeOf<HrClient['changes']['get']>().returns.resolves.toEqualTypeOf<Changes>();
  expectTypeOf<Changes['changed']>().toEqualTypeOf<(ChangeKind | (string & {}))[]>();
  expectTypeOf<Time['absencesOverlapping']>().returns.toEqualTypeOf<HrList<Absence>>();
  expectTypeOf<Absence['startDate']>().toEqualTypeOf<string>();
  expectTypeOf<Absence['endDate']>().toEqualTypeOf<string | null | undefined>();
});

test('a list of time data is one of changes only with changedSince or after', () => {
  const time = {} as Time;
  const calls = () =>
    [
      time.bookings({ from: '2026-01-01' }),
      time.bookings({ changedSince: '2026-01-31' }),
      time.absences('1'),
      time.absences('1', { to: '2026-01-31', changedSince: '2026-01-31' }),
      time.bookings({ from: '2026-01-01', after: 'c' }),
      time.allAbsences({ from: '2026-01-01' }),
      time.allAbsences({ changedSince: '2026-01-31' }),
      time.allAbsences({ after: 'c' }),
    ] as const;
  type Lists = ReturnType<typeof calls>;
  expectTypeOf<Lists[0]>().toEqualTypeOf<HrList<TimeBookingPerson>>();
  expectTypeOf<Lists[1]>().toEqualTypeOf<HrList<TimeBookingPersonChange>>();
  expectTypeOf<Lists[2]>().toEqualTypeOf<HrList<Absence>>();
  expectTypeOf<Lists[3]>().toEqualTypeOf<HrList<AbsenceChange>>();
  expectTypeOf<Lists[4]>().toEqualTypeOf<HrList<TimeBookingPersonChange>>();
  expectTypeOf<Lists[5]>().toEqualTypeOf<HrList<Absence>>();
  expectTypeOf<Lists[6]>().toEqualTypeOf<HrList<AbsenceChange>>();
  expectTypeOf<Lists[7]>().toEqualTypeOf<HrList<AbsenceChange>>();
  expectTypeOf<AbsenceChange['startDate']>().toEqualTypeOf<string | null>();
});

test('a list of persons is one of changes only with changedSince or after', () => {
  const list = undefined as unknown as Persons['list'];
  const anyQuery = {} as { changedSince?: string };
  const calls = () =>
    [
      list(),
      list({}),
      list({ changedSince: undefined }),
      list({ changedSince: '2026-01-31' }),
      list(anyQuery),
      list({ after: 'c' }),
      list({} as { after?: string | undefined }),
    ] as const;
  type Lists = ReturnType<typeof calls>;
  expectTypeOf<Lists[0]>().toEqualTypeOf<HrList<Person>>();
  expectTypeOf<Lists[1]>().toEqualTypeOf<HrList<Person>>();
  expectTypeOf<Lists[2]>().toEqualTypeOf<HrList<Person>>();
  expectTypeOf<Lists[3]>().toEqualTypeOf<HrList<PersonChange>>();
  expectTypeOf<Lists[4]>().toEqualTypeOf<HrList<Person | PersonChange>>();
  expectTypeOf<Lists[5]>().toEqualTypeOf<HrList<PersonChange>>();
  expectTypeOf<Lists[6]>().toEqualTypeOf<HrList<Person | PersonChange>>();
  expectTypeOf<HrList<Person>['cursor']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<HrList<Person>>().resolves.toEqualTypeOf<Person[]>();
  expectTypeOf<HrList<Person>>().toExtend<AsyncIterable<Person>>();
});

test('a result has the head of its response', () => {
  type Result<Call extends (...args: never[]) => { withResponse(): unknown }> = Awaited<
    ReturnType<ReturnType<Call>['withResponse']>
  >;
  expectTypeOf<Result<Persons['update']>>().toEqualTypeOf<WithResponse<Person | undefined>>();
  expectTypeOf<Result<Payroll['submitVariablePayment']>['data']>().toEqualTypeOf<VariablePayment>();
  expectTypeOf<Result<Payroll['allSalaries']>['data']>().toEqualTypeOf<SalaryHistoryEntry[]>();
  expectTypeOf<WithResponse<unknown>['response']>().toEqualTypeOf<HrResponse>();
});

test('a raw request has the input of its operation', () => {
  const hr = {} as HrClient;
  const body = { compensationComponentId: 'BONUS', amount: 1 };
  const [path, query] = [{ contractId: '1-2' }, { billingPeriod: '2026-01' }];
  const calls = () => [
    hr.request('listPersons', {}),
    hr.request('listPersons', { path: undefined, query: undefined, body: undefined, idempotencyKey: undefined }),
    hr.request('listPersons', { query: { changedSince: undefined } }, { signal: undefined }),
    hr.request('updatePerson', { path: { id: '1' }, body: { addresses: undefined } }),
    hr.request('submitVariablePayment', { path, query, body, idempotencyKey: undefined }),
    hr.request('getChanges', { query: { after: 'c', wait: '5' } }),
    // @ts-expect-error -- No such operation.
    hr.request('listPeople', {}),
    // @ts-expect-error -- No input.
    hr.request('listPersons'),
    // @ts-expect-error -- No path.
    hr.request('listAbsences', {}),
    // @ts-expect-error -- No billing period.
    hr.request('submitVariablePayment', { path, body }),
    // @ts-expect-error -- No body.
    hr.request('updatePerson', { path: { id: '1' } }),
    // @ts-expect-error -- The path has another parameter.
    hr.request('updatePerson', { path: { personId: '1' }, body: {} }),
    // @ts-expect-error -- Another parameter of the query.
    hr.request('listPersons', { query: { since: '2026-01-31' } }),
    // @ts-expect-error -- It has no body.
    hr.request('listPersons', { body: {} }),
    // @ts-expect-error -- The service does not know the key of this operation.
    hr.request('createWebhookEndpoint', { body: { url: 'https://a.example' }, idempotencyKey: 'k' }),
    // @ts-expect-error -- A street beside a post-office box.
    hr.request('updatePerson', { path: { id: '1' }, body: { addresses: [{ street: 'Weg', postOfficeBox: '1' }] } }),
    // @ts-expect-error -- A payment without a value.
    hr.request('submitVariablePayment', { path, query, body: { compensationComponentId: 'BONUS' } }),
  ];
  expectTypeOf(calls).returns.items.toEqualTypeOf<Promise<Response>>();
  expectTypeOf<RequestInput<'listVariablePaymentDecisions'>['query']>().toEqualTypeOf<
    { after?: string | undefined } | undefined
  >();
});

test('a payment has a value, and an address a street or a post-office box', () => {
  const { persons, payroll } = {} as HrClient;
  const outbox = {} as Outbox;
  const payment = { billingPeriod: '2026-01', compensationComponentId: 'BONUS' };
  const [street, postOfficeBox] = ['Weg', '10 20 30'] as const;
  const row: { street?: string; postOfficeBox?: string } = {};
  const calls = (): unknown[] => [
    payroll.submitVariablePayment('1-2', { ...payment, hours: 1, amount: undefined, idempotencyKey: undefined }),
    outbox.submit({} as HrClient, '1-2', { ...payment, amount: 1 }),
    persons.update('1', {
      addresses: [{ street, postOfficeBox: undefined }, { postOfficeBox }],
      bankDetails: undefined,
    }),
    // @ts-expect-error -- No value.
    payroll.submitVariablePayment('1-2', payment),
    // @ts-expect-error -- The same.
    payroll.submitVariablePayment('1-2', { ...payment, amount: undefined }),
    // @ts-expect-error -- No value in the outbox.
    outbox.submit({} as HrClient, '1-2', payment),
    // @ts-expect-error -- Both.
    persons.update('1', { addresses: [{ street, postOfficeBox }] }),
    // @ts-expect-error -- Perhaps both.
    persons.update('1', { addresses: [row] }),
  ];
  expectTypeOf(calls).toBeFunction();
  expectTypeOf<OutboxPayment>().toExtend<VariablePaymentSubmission>();
});

test('arguments are strict', () => {
  const hr = createHrClient as unknown as () => HrClient;
  const calls = (): unknown[] => [
    // @ts-expect-error -- The billing period is never guessed.
    hr().payroll.submitVariablePayment('1-2', { compensationComponentId: 'BONUS', amount: 1 }),
    // @ts-expect-error -- A former name.
    hr().persons.update('1', { addresses: [{ postalCode: '10115' }] }),
    // @ts-expect-error -- Absences have no such filter.
    hr().time.absences('1', { billingPeriod: '2026-01' }),
    // @ts-expect-error -- Absences of one person have no cursor.
    hr().time.absences('1', { after: 'c' }),
    // @ts-expect-error -- A number of seconds.
    hr().changes.get({ wait: '5' }),
    // @ts-expect-error -- Both ends.
    hr().time.absencesOverlapping('1', { from: '2026-01-01' }),
  ];
  expectTypeOf(calls).toBeFunction();
});

test('codes, outcomes and events are closed lists', () => {
  expectTypeOf(isHrError).guards.toEqualTypeOf<HrError>();
  expectTypeOf<HrError['code']>().toEqualTypeOf<HrErrorCode>();
  expectTypeOf<HrErrorCode>().not.toEqualTypeOf<string>();
  expectTypeOf<Outcome>().toEqualTypeOf<'not-sent' | 'rejected' | 'accepted' | 'unknown'>();
  expectTypeOf<HrClientEvent['type']>().toEqualTypeOf<'request' | 'response' | 'retry' | 'invalid' | 'end'>();
});

test('the global fetch is a fetch, a plain object a provider', () => {
  expectTypeOf<typeof globalThis.fetch>().toExtend<NonNullable<HrClientOptions['fetch']>>();
  expectTypeOf<{
    getToken: () => Promise<AccessToken>;
    invalidate: () => void;
  }>().toExtend<TokenProvider>();
  expectTypeOf<AuthTokenProvider>().toExtend<TokenProvider>();
  expectTypeOf<() => string>().toExtend<HrClientOptions['auth']>();
  expectTypeOf<() => Promise<string>>().toExtend<HrClientOptions['auth']>();
});
