import { expectTypeOf, test } from 'vitest';
import { responseCheck, operations, problemsOf } from '../src/index.ts';
import type {
  Absence,
  Body,
  ChangeOf,
  Lenient,
  ListOperationId,
  OperationId,
  PathParameters,
  Person,
  PersonDelta,
  PersonPatch,
  ProblemOf,
  Query,
  ResponseFault,
  ResponseOf,
  VariablePayment,
  VariablePaymentRequest,
  WireNames,
} from '../src/index.ts';

test('bodies', () => {
  expectTypeOf<Body<'updatePerson'>>().toEqualTypeOf<PersonPatch>();
  expectTypeOf<Body<'submitVariablePayment'>>().toEqualTypeOf<VariablePaymentRequest>();
  expectTypeOf<Body<'listPersons'>>().toEqualTypeOf<undefined>();
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
  expectTypeOf(responseCheck('listPersons')).toEqualTypeOf<(value: unknown) => readonly ResponseFault[]>();
});

test('an open enum completes what is known and takes the rest', () => {
  type PaymentTime = NonNullable<NonNullable<Person['employments']>[number]['paymentTime']>;
  expectTypeOf<'FIFTEENTH'>().toExtend<PaymentTime>();
  expectTypeOf<'LAST_DAY'>().toExtend<PaymentTime>();
  expectTypeOf<PaymentTime>().toExtend<string>();
});

test('lists', () => {
  expectTypeOf<ListOperationId>().toEqualTypeOf<
    'listPersons' | 'listVariablePayments' | 'listTimeBookings' | 'listSalaryHistory' | 'listAbsences'
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
  expectTypeOf<ProblemOf<'listPersons'>>().toEqualTypeOf<Always | Load>();
  expectTypeOf<ProblemOf<'listAbsences'>>().toEqualTypeOf<Always | Load | 'not-found' | 'time-component-version'>();
  expectTypeOf(problemsOf('updatePerson')).toEqualTypeOf<
    readonly (Always | Load | 'not-found' | 'precondition-failed' | 'content-too-large' | 'unsupported-media-type')[]
  >();
});
