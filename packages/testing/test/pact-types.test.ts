import { problemType } from '@hr/schemas';
import { expectTypeOf, test } from 'vitest';
import {
  consumer,
  type ContractCloud,
  type ErrorStatus,
  type Example,
  type ExampleToken,
  type Interaction,
  type ProblemStatus,
  type ResponseExample,
} from '../src/pact/index.ts';

const hr = consumer({ name: 'types' });
const submission = {
  path: { contractId: '1-77' },
  query: { billingPeriod: '2026-01' },
  body: { compensationComponentId: 'BONUS', amount: 100 },
};

test('an operation has the statuses that are documented for it', () => {
  expectTypeOf<ProblemStatus<'listPersons'>>().toEqualTypeOf<400 | 401 | 403 | 429 | 503>();
  expectTypeOf<409>().toExtend<ProblemStatus<'listAbsences'>>();
  expectTypeOf<404>().toExtend<ProblemStatus<'updatePerson'>>();
  expectTypeOf<422>().toExtend<ProblemStatus<'submitVariablePayment'>>();
  expectTypeOf<ErrorStatus<'listPersons'>>().toEqualTypeOf<401 | 403 | 429 | 503>();
  expectTypeOf<ErrorStatus<'listAbsences'>>().toEqualTypeOf<401 | 403 | 404 | 409 | 429 | 503>();
});

test('an example has any fields of the model', () => {
  expectTypeOf<{ readonly id: '1'; readonly employments: readonly [] }>().toExtend<ResponseExample<'updatePerson'>>();
  expectTypeOf<readonly [{ readonly id: '1'; readonly jobTitle: null }]>().toExtend<ResponseExample<'listPersons'>>();
  expectTypeOf<readonly []>().toExtend<ResponseExample<'listPersons'>>();
  expectTypeOf<readonly [{ readonly id: '1' }, { readonly id: '2' }]>().toExtend<ResponseExample<'listPersons'>>();
  expectTypeOf<Example<{ list: string[]; inner?: { key: number } }>>().toEqualTypeOf<{
    readonly list?: readonly [] | readonly [string, ...string[]];
    readonly inner?: { readonly key?: number };
  }>();
});

test('the code under contract is told where to go, and gives what it gives', () => {
  const { run } = hr.interaction('listPersons', { example: [{ id: '1' }] });
  expectTypeOf(run<string[]>).returns.toEqualTypeOf<Promise<string[]>>();
  expectTypeOf(run).parameter(0).parameter(0).toHaveProperty('token').toEqualTypeOf<ExampleToken>();
  expectTypeOf(hr.errors('listPersons', [401])).toEqualTypeOf<readonly Interaction<ContractCloud>[]>();
});

test('misuse does not compile', () => {
  // Never called: that it compiles with these comments is the test.
  expectTypeOf(() => {
    // @ts-expect-error -- no such operation
    hr.interaction('listPeople', { example: [] });
    // @ts-expect-error -- no such state
    hr.interaction('listPersons', { given: ['a persn', { id: '1' }], example: [] });
    // @ts-expect-error -- no such parameter of the state
    hr.interaction('listPersons', { given: ['a person', { id: '1', shoeSize: 43 }], example: [] });
    // @ts-expect-error -- a state without its parameter
    hr.interaction('listPersons', { given: ['a person', {}], example: [] });
    // @ts-expect-error -- an operation that succeeds has an answer
    hr.interaction('listPersons', {});
    // @ts-expect-error -- a list
    hr.interaction('listPersons', { example: { id: '1' } });
    // @ts-expect-error -- no list
    hr.interaction('updatePerson', { request: { path: { id: '1' }, body: {} }, example: [{ id: '1' }] });
    // @ts-expect-error -- no such key
    hr.interaction('listPersons', { example: [{ id: '1', shoeSize: 43 }] });
    // @ts-expect-error -- no such key further in
    hr.interaction('listPersons', { example: [{ address: { planet: 'Earth' } }] });
    // @ts-expect-error -- not in the enum
    hr.interaction('listPersons', { example: [{ gender: 'OTHER' }] });
    // @ts-expect-error -- another type
    hr.interaction('listAbsences', { request: { path: { personId: '1' } }, example: [{ amount: '1' }] });
    // @ts-expect-error -- no such parameter
    hr.interaction('listPersons', { request: { query: { since: '2026-01-01' } }, example: [] });
    // @ts-expect-error -- parameters have the table's names, not those of the URL
    hr.interaction('listTimeBookings', { request: { query: { startDate: '2026-01-01' } }, example: [] });
    // @ts-expect-error -- the path has a parameter
    hr.interaction('listAbsences', { request: { query: { from: '2026-01-01' } }, example: [] });
    // @ts-expect-error -- the path has a parameter, so there is a request
    hr.interaction('listAbsences', { example: [] });
    // @ts-expect-error -- no body in a GET
    hr.interaction('listPersons', { request: { body: {} }, example: [] });
    // @ts-expect-error -- only submitting takes a key
    hr.interaction('listPersons', { request: { idempotencyKey: 'k' }, example: [] });
    // @ts-expect-error -- a query parameter is missing
    hr.interaction('submitVariablePayment', { request: { ...submission, query: {} }, example: {} });
    // @ts-expect-error -- a key of the body is missing
    hr.interaction('submitVariablePayment', { request: { ...submission, body: { amount: 1 } }, example: {} });
    hr.interaction('submitVariablePayment', {
      // @ts-expect-error -- no such key of the body
      request: { ...submission, body: { compensationComponentId: 'BONUS', amonut: 1 } },
      example: {},
    });
    // @ts-expect-error -- not a status of this operation
    hr.interaction('listPersons', { status: 404 });
    // @ts-expect-error -- no contract can bring it about
    hr.interaction('listPersons', { status: 500 });
    // @ts-expect-error -- not a status at all
    hr.interaction('listPersons', { status: 204, example: [] });
    // @ts-expect-error -- a problem is no list
    hr.interaction('listPersons', { status: 401, example: [] });
    // @ts-expect-error -- no such key of a problem
    hr.interaction('listPersons', { status: 401, example: { message: 'no' } });
    // @ts-expect-error -- not a status of this operation
    hr.errors('listPersons', [404]);
    // @ts-expect-error -- no state brings a 500 about
    hr.errors('listPersons', [500]);
    // @ts-expect-error -- not a kind of problem
    hr.interaction('listPersons', { status: 401, example: { type: 'urn:hr-cloud:problem:unauthorised' } });
    // @ts-expect-error -- the kind of another status
    hr.interaction('listPersons', { status: 401, example: { type: 'urn:hr-cloud:problem:forbidden' } });
    // @ts-expect-error -- not a kind of problem of this operation
    hr.errors('listPersons', [401], { example: { type: 'urn:hr-cloud:problem:not-found' } });
    // @ts-expect-error -- no filter
    hr.emptyList('listPersons', { given: ['a person', { id: '1' }], request: { query: {} } });
    hr.emptyList('listAbsences', {
      given: ['an absence', { personId: '1' }],
      // @ts-expect-error -- several filters that are no window
      request: { path: { personId: '1' }, query: { from: '2026-01-01', changedSince: '2026-01-02' } },
    });
    // @ts-expect-error -- no list
    hr.emptyList('updatePerson', { given: ['a person', { id: '1' }], request: { path: { id: '1' } } });
    // @ts-expect-error -- nothing exists
    hr.emptyList('listPersons', { request: { query: { changedSince: '2026-01-01' } } });
    // @ts-expect-error -- the path has a parameter
    hr.errors('listAbsences', [404]);
    // @ts-expect-error -- not a status of the token endpoint
    hr.tokenRequest({ status: 404 });
    // @ts-expect-error -- a refusal has no token
    hr.tokenRequest({ status: 401, example: { access_token: 'x' } });
    // @ts-expect-error -- no such key of a token
    hr.tokenRequest({ example: { refresh_token: 'x' } });
    // @ts-expect-error -- a consumer has a name
    consumer({});
  }).toBeFunction();
});

test('right use compiles', () => {
  expectTypeOf(() => {
    hr.interaction('submitVariablePayment', {
      given: [
        ['a person', { id: '4711', address: null }],
        ['a contract', { payrollContractId: '1-77', personId: '4711' }],
      ],
      request: { ...submission, idempotencyKey: 'k' },
      status: 200,
      example: { payrollContractId: '1-77', amount: 100 },
    });
    hr.interaction('listPersons', { request: { query: { changedSince: '2026-01-01' } }, example: [{ address: null }] });
    hr.interaction('listPersons', { status: 401 });
    hr.interaction('listAbsences', {
      request: { path: { personId: '1' }, query: { from: '2026-02-01', to: '2026-01-01' } },
      status: 400,
      example: { status: 400, errors: [{ pointer: '/from' }] },
    });
    hr.errors('listAbsences', [404, 409], { request: { path: { personId: '1' } } });
    hr.errors('listPersons', [401], { example: { type: '', requestId: '1' } });
    hr.interaction('listPersons', { status: 401, example: { type: problemType('unauthorized') } });
    hr.emptyList('listPersons', {
      given: ['a person who changed', { id: '1', systems: ['master'], since: '2026-01-01' }],
      request: { query: { changedSince: '2026-01-02' } },
    });
    hr.tokenRequest({ status: 400, authentication: 'basic', scope: null });
  }).toBeFunction();
});
