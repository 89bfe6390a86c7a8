import type { Person } from '@hr/schemas';
import { startFakeHrCloud, type FakeHrCloud, type RecordedRequest, type RunningFakeHrCloud } from '@hr/testing/fake';
import { fixtures } from '@hr/testing/fixtures';
import { hrCloudHandlers } from '@hr/testing/msw';
import { describe, expectTypeOf, test } from 'vitest';

const { absence, employment, person, salaryHistoryEntry, timeBookingDay, variablePaymentRequest } = fixtures();

function calls(fake: FakeHrCloud): void {
  fake.state('a person', { id: '1', lastName: null });
  fake.state('an unavailable service');
  // @ts-expect-error -- there is no such state
  fake.state('a persom', { id: '1' });
  // @ts-expect-error -- a person has an id
  fake.state('a person', { lastName: 'Ek' });
  // @ts-expect-error -- a name is text
  fake.state('a person', { id: '1', lastName: 5 });
  // @ts-expect-error -- a person has no such field
  fake.state('a person', { id: '1', shoeSize: 43 });
}

function additions({ persons, contracts, absences, timeDays, payments }: FakeHrCloud): void {
  persons.add(person.build());
  persons.add({});
  // @ts-expect-error -- a person has no such field
  persons.add({ shoeSize: 43 });
  contracts.add({ ...employment.build(), personId: '1', salaries: salaryHistoryEntry.list(2) });
  // @ts-expect-error -- a contract belongs to a person
  contracts.add({});
  absences.add(absence.build());
  // @ts-expect-error -- an absence has a first day
  absences.add({ personId: '1' });
  timeDays.add({ ...timeBookingDay.build(), personId: '1' });
  payments.add({
    ...variablePaymentRequest.build(),
    payrollContractId: '1',
    billingPeriod: '2026-01',
    state: 'approved',
  });
  // @ts-expect-error -- a payment has no such state
  payments.add({ ...variablePaymentRequest.build(), payrollContractId: '1', billingPeriod: '2026-01', state: 'paid' });
}

function tokenFailures(fake: FakeHrCloud): void {
  fake.failNext('requestToken', 401);
  fake.failNext('submitVariablePayment', { status: 409, retryAfterSeconds: 1 });
  // @ts-expect-error -- only payments have keys
  fake.failNext('listPersons', 409);
  // @ts-expect-error -- a token is refused by 400 or 401
  fake.failNext('requestToken', 403);
  // @ts-expect-error -- no request for a token brings a key
  fake.failNext('requestToken', { status: 409 });
}

describe('types', () => {
  test('a state takes the parameters of its name', () => {
    expectTypeOf(calls).returns.toBeVoid();
  });

  test('records are those of the models, and those of the builders', () => {
    expectTypeOf(additions).returns.toBeVoid();
    expectTypeOf<FakeHrCloud['persons']['add']>().returns.toEqualTypeOf<Person>();
  });

  test('a failure is of an operation, and one that there is', () => {
    type FailCall = Parameters<FakeHrCloud['failNext']>;
    expectTypeOf<['listPersons', 503, 2]>().toExtend<FailCall>();
    expectTypeOf<['requestToken', { delayMs: 10 }]>().toExtend<FailCall>();
    expectTypeOf<['updatePerson', { status: 429; retryAfterSeconds: 1 }]>().toExtend<FailCall>();
    expectTypeOf<['listPeople', 503]>().not.toExtend<FailCall>();
    // What is not found depends on the request.
    expectTypeOf<['listPersons', 404]>().not.toExtend<FailCall>();
    expectTypeOf<['listPersons', 'truncated']>().not.toExtend<FailCall>();
    expectTypeOf(tokenFailures).returns.toBeVoid();
  });

  test('a running fake is a fake with an address, which can be awaited away', () => {
    expectTypeOf(startFakeHrCloud).returns.resolves.toEqualTypeOf<RunningFakeHrCloud>();
    expectTypeOf<RunningFakeHrCloud>().toExtend<FakeHrCloud & AsyncDisposable>();
    expectTypeOf(hrCloudHandlers).parameter(0).toEqualTypeOf<Pick<FakeHrCloud, 'fetch'>>();
    expectTypeOf<FakeHrCloud['requests'][number]>().toEqualTypeOf<RecordedRequest>();
    expectTypeOf<RecordedRequest['body']>().toEqualTypeOf<unknown>();
    expectTypeOf<RecordedRequest['status']>().toEqualTypeOf<number | undefined>();
  });
});
