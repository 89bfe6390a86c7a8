import type { AccessToken, TokenProvider } from '@hr/auth';
import type {
  Absence,
  Person,
  PersonDelta,
  Lenient,
  SalaryHistoryEntry,
  TimeBookingPerson,
  VariablePayment,
} from '@hr/schemas';
import { expectTypeOf, test } from 'vitest';
import { createHrClient, isHrError } from '../src/index.ts';
import type { HrClient, HrClientEvent, HrClientOptions, HrError, HrErrorCode, Outcome } from '../src/index.ts';

type Persons = HrClient['persons'];
type Payroll = HrClient['payroll'];
type Time = HrClient['time'];

test('answers are the models, as a tolerant reader finds them', () => {
  expectTypeOf<Persons['list']>().returns.resolves.toEqualTypeOf<Lenient<PersonDelta>[]>();
  expectTypeOf<Persons['stream']>().returns.toEqualTypeOf<AsyncIterable<Lenient<PersonDelta>>>();
  expectTypeOf<Persons['update']>().returns.resolves.toEqualTypeOf<Lenient<Person> | undefined>();
  expectTypeOf<Payroll['submitVariablePayment']>().returns.resolves.toEqualTypeOf<Lenient<VariablePayment>>();
  expectTypeOf<Payroll['variablePayments']>().returns.resolves.toEqualTypeOf<Lenient<VariablePayment>[]>();
  expectTypeOf<Payroll['salaryHistory']>().returns.resolves.toEqualTypeOf<Lenient<SalaryHistoryEntry>[]>();
  expectTypeOf<Time['bookings']>().returns.resolves.toEqualTypeOf<Lenient<TimeBookingPerson>[]>();
  expectTypeOf<Time['bookingsStream']>().returns.toEqualTypeOf<AsyncIterable<Lenient<TimeBookingPerson>>>();
  expectTypeOf<Time['absences']>().returns.resolves.toEqualTypeOf<Lenient<Absence>[]>();
  expectTypeOf<Time['absencesOverlapping']>().returns.resolves.toEqualTypeOf<Lenient<Absence>[]>();
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
});
