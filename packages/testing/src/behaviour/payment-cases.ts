import type { VariablePaymentRequest } from '@hr/schemas';
import type { ProviderState } from '../states/provider-states.ts';
import { decided, having, ok, problem, when, type Case, type Cases, type CaseRequest } from './behaviour-case.ts';

const path = '/api/v1/payrollContract/1-77/variable-payments';
const contract: ProviderState = ['a contract', { payrollContractId: '1-77' }];
const ofMonth = { payrollContractId: '1-77', billingPeriod: '2026-01', correctionPeriod: '2026-01' };
const component = { compensationComponentId: 'BONUS' };

function submit(
  body: unknown,
  { query = '?billingPeriod=2026-01', key }: { query?: string; key?: string } = {},
): CaseRequest {
  return [`POST ${path}${query}`, { body, headers: { 'idempotency-key': key } }];
}

function accepts(values: Omit<VariablePaymentRequest, 'compensationComponentId'>): Case {
  return when([contract], ok({ ...ofMonth, ...component, ...values }), submit({ ...component, ...values }));
}

function rejects(body: unknown, ...faults: readonly string[]): Case {
  return when([contract], problem('invalid-request', ...faults), submit(body));
}

function lists(given: readonly ProviderState[], query: string, ...shown: readonly object[]): Case {
  return when(given, ok(shown.map((each) => having(each))), `GET ${path}${query}`);
}

const bonus = { ...component, amount: 250 };
const submitted = { ...ofMonth, ...bonus };
const keyed: ProviderState = [
  'a payment submitted with a key',
  { idempotencyKey: 'run-1/7', payrollContractId: '1-77', billingPeriod: '2026-01', payment: bonus },
];
const inFlight: ProviderState = [
  'a payment being submitted with a key',
  { idempotencyKey: 'run-1/7', payrollContractId: '1-77' },
];
const approved = (billingPeriod: string, amount: number): ProviderState => [
  'an approved payment',
  { payrollContractId: '1-77', billingPeriod, amount, hours: null, days: null, hourlyFactor: null, percentage: null },
];
const reused = problem('idempotency-key-reused');
const withKey = (key: string, body: unknown = bonus): CaseRequest => submit(body, { key });
const writtenOtherwise = '{"amount":2.50e2,"correctionPeriod":"2026-01","compensationComponentId":"BONUS"}';
const toAnotherContract: CaseRequest = [
  'POST /api/v1/payrollContract/1-78/variable-payments?billingPeriod=2026-01',
  { body: bonus, headers: { 'idempotency-key': 'run-1/7' } },
];

/** Variable payments (section 4.3). */
export const paymentCases: Cases = {
  'a payment of an amount is accepted': accepts({ amount: 250 }),
  'a payment of hours at a factor for an earlier month is accepted': accepts({
    hours: 7.5,
    hourlyFactor: 1.25,
    correctionPeriod: '2025-12',
  }),
  'a payment of days is accepted': accepts({ days: 0.5 }),
  'a payment of a percentage is accepted': accepts({ percentage: 12.5 }),
  'a payment of all values is accepted': accepts({ amount: 1, hours: 2, days: 3, hourlyFactor: 4, percentage: 5 }),
  ...decided({
    ...Object.fromEntries(
      ['1e-400', '1e999', '12345678901234567890', '0.1000000000000000000001'].map((number) => [
        `a payment of ${number}, which a double cannot represent, is rejected`,
        rejects(`{"compensationComponentId":"BONUS","hours":1.50e1,"amount":${number}}`, '/amount rule'),
      ]),
    ),
    'a payment without a value is rejected': rejects(component, ' rule'),
    'a rejected payment reports the faults of query and body': when(
      [contract],
      problem(
        'invalid-request',
        '/period unknown-name',
        '/billingPeriod required',
        '/compensationComponentId required',
        '/amount wrong-type',
      ),
      submit({ amount: 'x' }, { query: '?period=2026-03' }),
    ),
    'a payment to an unknown contract is rejected': when([], problem('not-found'), submit(bonus)),
    'the list of payments is not found for a contract of an erased person': when(
      [
        ['a contract', { payrollContractId: '1-77', personId: '1' }],
        ['an erased person', { id: '1' }],
      ],
      problem('not-found'),
      `GET ${path}`,
    ),

    'a payment is not listed before its approval': when([contract], ok([]), submit(bonus), `GET ${path}`),
    'an approved payment is listed': lists([approved('2026-01', 250)], '', { ...ofMonth, amount: 250 }),
    'payments are sorted by billing period, then by submission': lists(
      [approved('2026-02', 1), approved('2026-01', 3), approved('2026-02', 0), approved('2025-12', 2)],
      '',
      ...[2, 3, 1, 0].map((amount) => ({ amount })),
    ),
    'payments can be filtered by billing period': lists(
      [approved('2026-02', 1), approved('2026-01', 3)],
      '?billingPeriod=2026-01',
      { amount: 3 },
    ),
    'the list of payments of a billing period without any is empty': lists(
      [approved('2026-02', 1)],
      '?billingPeriod=2030-01',
    ),
    'the id of a contract can contain a slash': when(
      [['a contract', { payrollContractId: '1/77 ä' }]],
      ok([]),
      `GET /api/v1/payrollContract/${encodeURIComponent('1/77 ä')}/variable-payments`,
    ),

    'a repeated key gets the response of its payment': when([keyed], ok(submitted), withKey('run-1/7')),
    'a repeated key gets that response for an equal body in another notation': when(
      [keyed],
      ok(submitted),
      withKey('run-1/7', writtenOtherwise),
    ),
    'a repeated key with another body is rejected': when(
      [keyed],
      reused,
      withKey('run-1/7', { ...bonus, amount: 251 }),
    ),
    'a key in flight is rejected': when([inFlight], problem('idempotency-key-in-flight'), withKey('run-1/7')),
    'another key than one in flight is accepted': when([inFlight], ok(submitted), withKey('run-1/8')),
    'a repeated key gets its response also while a request with it is in flight': when(
      [keyed, inFlight],
      ok(submitted),
      withKey('run-1/7'),
    ),
    'a repeated key for another month is rejected': when(
      [keyed],
      reused,
      submit(bonus, { key: 'run-1/7', query: '?billingPeriod=2026-02' }),
    ),
    'a repeated key for another contract is rejected': when(
      [keyed, ['a contract', { payrollContractId: '1-78' }]],
      reused,
      toAnotherContract,
    ),
    'a key of a rejected payment can be used again': when(
      [contract],
      ok(submitted),
      withKey('k', { amount: 1 }),
      withKey('k'),
    ),
    'two requests with the same key get the same response': when([contract], ok(submitted), withKey('k'), withKey('k')),
    'another key submits another payment': when(
      [keyed],
      ok({ ...submitted, amount: 1 }),
      withKey('K', { ...bonus, amount: 1 }),
    ),
    'a key with a space is rejected': when(
      [contract],
      problem('invalid-request', '/Idempotency-Key wrong-format'),
      withKey('a b'),
    ),
    'an empty key is rejected': when([contract], { status: 400 }, withKey('')),
  }),
};
