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
  type Outcome,
  type Person,
  type PersonChange,
  type SalaryHistoryEntry,
  type TimeBookingPerson,
  type TimeBookingPersonChange,
  type TokenProvider,
  type VariablePayment,
  type VariablePaymentDecision,
} from '../src/index.ts';

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
