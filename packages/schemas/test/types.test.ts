import { expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import type * as schemas from '../src/index.ts';
import { responseCheck, type ResponseFault } from '../src/checks.ts';
import {
  operations,
  problemsOf,
  type Absence,
  type Address,
  type Body,
  type ChangeOf,
  type Lenient,
  type ListOperationId,
  type OperationId,
  type PathParameters,
  type Person,
  type PersonDelta,
  type PersonPatch,
  type PostOfficeBox,
  type ProblemOf,
  type Query,
  type ResponseOf,
  type StreetAddress,
  type VariablePayment,
  type VariablePaymentRequest,
  type WireNames,
} from '../src/index.ts';

test('bodies', () => {
  expectTypeOf<Body<'updatePerson'>>().toEqualTypeOf<PersonPatch>();
  expectTypeOf<Body<'submitVariablePayment'>>().toEqualTypeOf<VariablePaymentRequest>();
  expectTypeOf<Body<'listPersons'>>().toEqualTypeOf<undefined>();
});

test('an address is a street address or a post-office box', () => {
  const [street, houseNumber, postOfficeBox] = ['Hauptstr.', '5a', '10 20 30'] as const;
  type Addresses = NonNullable<PersonPatch['addresses']>;
  const addresses: Addresses = [
    {},
    { street, houseNumber, postOfficeBox: undefined },
    { street, houseNumber, postOfficeBox: '' },
    { street: '', houseNumber: undefined, postOfficeBox },
    // @ts-expect-error -- Beside a post-office box, the street is empty.
    { street, postOfficeBox },
    // @ts-expect-error -- And the house number.
    { houseNumber, postOfficeBox },
  ];
  expectTypeOf(addresses).items.toEqualTypeOf<Address>();
  expectTypeOf<Person['address']>().toEqualTypeOf<Address | undefined>();
  expectTypeOf<StreetAddress>().toExtend<Address>();
  expectTypeOf<PostOfficeBox>().toExtend<Address>();
  expectTypeOf<Address['street']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<{ street?: string; postOfficeBox?: string }>().not.toExtend<Address>();
  // A response may break the rule.
  expectTypeOf<{ street: string; postOfficeBox: string }>().toExtend<Lenient<Address>>();
});

test('a payment has at least one value', () => {
  const compensationComponentId = 'BONUS';
  const payments: VariablePaymentRequest[] = [
    { compensationComponentId, amount: 1 },
    { compensationComponentId, hours: 1 },
    { compensationComponentId, days: 1 },
    { compensationComponentId, hourlyFactor: 1 },
    { compensationComponentId, percentage: 1 },
    { compensationComponentId, correctionPeriod: undefined, amount: undefined, hours: 1, days: 2 },
    // @ts-expect-error -- No value.
    { compensationComponentId },
    // @ts-expect-error -- The same.
    { compensationComponentId, amount: undefined },
    // @ts-expect-error -- A wrong type beside a value.
    { compensationComponentId, amount: '1', hours: 1 },
  ];
  expectTypeOf(payments).items.toEqualTypeOf<Body<'submitVariablePayment'>>();
  expectTypeOf<VariablePaymentRequest['amount']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<{ compensationComponentId: string; amount?: number }>().not.toExtend<VariablePaymentRequest>();
});

test('parameters', () => {
  expectTypeOf<PathParameters<'updatePerson'>>().toEqualTypeOf<{ id: string }>();
  expectTypeOf<PathParameters<'listSalaryHistory'>>().toEqualTypeOf<{ contractId: string }>();
  expectTypeOf<Query<'submitVariablePayment'>>().toEqualTypeOf<{ billingPeriod: string }>();
  expectTypeOf<Query<'listAbsences'>>().toEqualTypeOf<{
    from?: string | undefined;
    to?: string | undefined;
    changedSince?: string | undefined;
  }>();
  expectTypeOf<Query<'getChanges'>>().toEqualTypeOf<{ after?: string | undefined; wait?: string | undefined }>();
  expectTypeOf<keyof WireNames>().toExtend<OperationId>();
});

test('responses are as a tolerant reader finds them', () => {
  expectTypeOf<ResponseOf<'listPersons'>>().toEqualTypeOf<Lenient<Person>>();
  expectTypeOf<ChangeOf<'listPersons'>>().toEqualTypeOf<Lenient<PersonDelta>>();
  expectTypeOf<ChangeOf<'listAbsences'>['startDate']>().toEqualTypeOf<string | null>();
  expectTypeOf<ChangeOf<'listSalaryHistory'>>().toEqualTypeOf<never>();
  expectTypeOf<ResponseOf<'updatePerson'>>().toEqualTypeOf<Lenient<Person>>();
  expectTypeOf<ResponseOf<'listVariablePayments'>>().toEqualTypeOf<Lenient<VariablePayment>>();
  expectTypeOf<ResponseOf<'listAbsences'>['id']>().toEqualTypeOf<string>();
  expectTypeOf<ResponseOf<'listAbsences'>['endDate']>().toEqualTypeOf<string | null | undefined>();
  expectTypeOf<ResponseOf<'listPersons'>['gender']>().toEqualTypeOf<
    'MALE' | 'FEMALE' | 'INTERSEX' | 'UNSPECIFIED' | (string & {}) | null | undefined
  >();
  expectTypeOf<NonNullable<NonNullable<ResponseOf<'listPersons'>['address']>['zipCode']>>().toEqualTypeOf<string>();
  expectTypeOf<ResponseOf<'listTimeBookings'>['days'][number]['date']>().toEqualTypeOf<string>();
  expectTypeOf<Person>().toExtend<Lenient<Person>>();
  expectTypeOf<PersonDelta>().toExtend<Lenient<Person>>();
  expectTypeOf(responseCheck('listPersons')).toEqualTypeOf<
    (value: unknown, limit?: number) => readonly ResponseFault[]
  >();
});

test('an open enum completes what is known and takes the rest', () => {
  type PaymentTime = NonNullable<NonNullable<Person['employments']>[number]['paymentTime']>;
  expectTypeOf<'FIFTEENTH'>().toExtend<PaymentTime>();
  expectTypeOf<'LAST_DAY'>().toExtend<PaymentTime>();
  expectTypeOf<PaymentTime>().toExtend<string>();
});

test('lists', () => {
  expectTypeOf<ListOperationId>().toEqualTypeOf<
    | 'listPersons'
    | 'listVariablePayments'
    | 'listVariablePaymentDecisions'
    | 'listTimeBookings'
    | 'listSalaryHistory'
    | 'listAllSalaries'
    | 'listAbsences'
    | 'listAllAbsences'
    | 'listWebhookEndpoints'
    | 'listWebhookDeliveries'
  >();
  expectTypeOf(operations.listPersons.list).toEqualTypeOf<true>();
});

type IsAny<T> = 0 extends 1 & T ? true : false;
/** The names of a type, at any depth, whose type is any. */
type AnyIn<T, Path extends string = ''> =
  IsAny<T> extends true
    ? Path
    : T extends readonly (infer Element)[]
      ? AnyIn<Element, `${Path}[]`>
      : T extends object
        ? { [Key in keyof T & string]-?: AnyIn<T[Key], `${Path}.${Key}`> }[keyof T & string]
        : never;

test('nothing is any', () => {
  // oxlint-disable-next-line typescript/no-explicit-any -- what the search must find
  expectTypeOf<AnyIn<{ a: any[] }>>().toEqualTypeOf<'.a[]'>();
  expectTypeOf<AnyIn<{ [Id in OperationId]: ResponseOf<Id> }>>().toBeNever();
  expectTypeOf<AnyIn<{ [Id in OperationId]: Body<Id> }>>().toBeNever();
  expectTypeOf<AnyIn<{ [Id in OperationId]: Query<Id> }>>().toBeNever();
  expectTypeOf<AnyIn<{ [Id in OperationId]: PathParameters<Id> }>>().toBeNever();
  expectTypeOf<AnyIn<Absence | Person | PersonDelta>>().toBeNever();
});

test('an operation has the problems of its parts', () => {
  type Always = 'invalid-request' | 'unauthorized' | 'forbidden' | 'not-acceptable' | 'request-timeout';
  type Load = 'too-many-requests' | 'headers-too-large' | 'internal-error' | 'unavailable';
  expectTypeOf<ProblemOf<'listPersons'>>().toEqualTypeOf<Always | Load | 'changes-expired' | 'cursor-expired'>();
  expectTypeOf<ProblemOf<'getChanges'>>().toEqualTypeOf<Always | Load | 'cursor-expired'>();
  expectTypeOf<ProblemOf<'listAbsences'>>().toEqualTypeOf<
    Always | Load | 'changes-expired' | 'not-found' | 'time-component-version'
  >();
  expectTypeOf(problemsOf('updatePerson')).toEqualTypeOf<
    readonly (Always | Load | 'not-found' | 'precondition-failed' | 'content-too-large' | 'unsupported-media-type')[]
  >();
});

test('the interfaces are what the models infer', () => {
  expectTypeOf<z.output<typeof schemas.Absence>>().toEqualTypeOf<schemas.Absence>();
  expectTypeOf<z.output<typeof schemas.AbsenceDelta>>().toEqualTypeOf<schemas.AbsenceDelta>();
  expectTypeOf<z.output<typeof schemas.Address>>().branded.toEqualTypeOf<schemas.Address>();
  expectTypeOf<z.output<typeof schemas.BankDetails>>().toEqualTypeOf<schemas.BankDetails>();
  expectTypeOf<z.output<typeof schemas.Changes>>().toEqualTypeOf<schemas.Changes>();
  expectTypeOf<z.output<typeof schemas.CustomField>>().toEqualTypeOf<schemas.CustomField>();
  expectTypeOf<z.output<typeof schemas.Employment>>().toEqualTypeOf<schemas.Employment>();
  expectTypeOf<z.output<typeof schemas.Person>>().toEqualTypeOf<schemas.Person>();
  expectTypeOf<z.output<typeof schemas.PersonDelta>>().toEqualTypeOf<schemas.PersonDelta>();
  expectTypeOf<z.output<typeof schemas.PersonPatch>>().toEqualTypeOf<schemas.PersonPatch>();
  expectTypeOf<z.output<typeof schemas.PostOfficeBox>>().toEqualTypeOf<schemas.PostOfficeBox>();
  expectTypeOf<z.output<typeof schemas.SalaryHistoryEntry>>().toEqualTypeOf<schemas.SalaryHistoryEntry>();
  expectTypeOf<z.output<typeof schemas.StreetAddress>>().toEqualTypeOf<schemas.StreetAddress>();
  expectTypeOf<z.output<typeof schemas.TimeBookingDay>>().toEqualTypeOf<schemas.TimeBookingDay>();
  expectTypeOf<z.output<typeof schemas.TimeBookingDayDelta>>().toEqualTypeOf<schemas.TimeBookingDayDelta>();
  expectTypeOf<z.output<typeof schemas.TimeBookingPerson>>().toEqualTypeOf<schemas.TimeBookingPerson>();
  expectTypeOf<z.output<typeof schemas.TimeBookingPersonDelta>>().toEqualTypeOf<schemas.TimeBookingPersonDelta>();
  expectTypeOf<z.output<typeof schemas.VariablePayment>>().toEqualTypeOf<schemas.VariablePayment>();
  expectTypeOf<z.output<typeof schemas.VariablePaymentDecision>>().toEqualTypeOf<schemas.VariablePaymentDecision>();
  expectTypeOf<
    z.output<typeof schemas.VariablePaymentRequest>
  >().branded.toEqualTypeOf<schemas.VariablePaymentRequest>();
  expectTypeOf<z.output<typeof schemas.NewWebhookEndpoint>>().toEqualTypeOf<schemas.NewWebhookEndpoint>();
  expectTypeOf<z.output<typeof schemas.WebhookDelivery>>().toEqualTypeOf<schemas.WebhookDelivery>();
  expectTypeOf<z.output<typeof schemas.WebhookEndpoint>>().toEqualTypeOf<schemas.WebhookEndpoint>();
  expectTypeOf<z.output<typeof schemas.WebhookEndpointWithSecret>>().toEqualTypeOf<schemas.WebhookEndpointWithSecret>();
  type Responses = { [Id in OperationId]: Lenient<z.output<(typeof operations)[Id]['response']>> };
  expectTypeOf<{ [Id in OperationId]: ResponseOf<Id> }>().toEqualTypeOf<Responses>();
  expectTypeOf<ChangeOf<'listTimeBookings'>>().toEqualTypeOf<Lenient<schemas.TimeBookingPersonDelta>>();
  expectTypeOf<ChangeOf<'listAbsences'>>().toEqualTypeOf<Lenient<schemas.AbsenceDelta>>();
  type Table = typeof operations;
  type Parameters = { [Id in OperationId]: [z.output<Table[Id]['pathParameters']>, z.output<Table[Id]['query']>] };
  expectTypeOf<Parameters>().toEqualTypeOf<{ [Id in OperationId]: [PathParameters<Id>, Query<Id>] }>();
});
