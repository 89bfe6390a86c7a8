import type { VariablePaymentRequest } from '@hr/schemas';
import type { ProviderState } from '@hr/testing/states';
import type { Ask } from './ask.ts';
import { having, ok, problem, when, type Case, type Cases } from './case.ts';

const path = '/api/v1/payrollContract/1-77/variable-payments';
const contract: ProviderState = ['a contract', { payrollContractId: '1-77' }];
const ofMonth = { payrollContractId: '1-77', billingPeriod: '2026-01', correctionPeriod: '2026-01' };
const component = { compensationComponentId: 'BONUS' };

function submit(body: unknown, { query = '?billingPeriod=2026-01', key = undefined as string | undefined } = {}): Ask {
  return [`POST ${path}${query}`, { body, headers: { 'idempotency-key': key } }];
}

function takes(values: Omit<VariablePaymentRequest, 'compensationComponentId'>): Case {
  return when([contract], ok({ ...ofMonth, ...component, ...values }), submit({ ...component, ...values }));
}

function reads(given: readonly ProviderState[], query: string, ...shown: readonly object[]): Case {
  return when(given, ok(shown.map(having)), `GET ${path}${query}`);
}

function refuses(body: unknown, ...faults: readonly string[]): Case {
  return when([contract], problem('invalid-request', ...faults), submit(body));
}

const bonus = { ...component, amount: 250 };
const keyed: ProviderState = [
  'a payment submitted with a key',
  { idempotencyKey: 'run-1/7', payrollContractId: '1-77', billingPeriod: '2026-01', payment: bonus },
];
const inFlight: ProviderState = [
  'a payment being submitted with a key',
  { idempotencyKey: 'run-1/7', payrollContractId: '1-77' },
];
const submitted = { ...ofMonth, ...bonus };
const approved = (billingPeriod: string, amount: number): ProviderState => [
  'an approved payment',
  { payrollContractId: '1-77', billingPeriod, amount, hours: null, days: null, hourlyFactor: null, percentage: null },
];
const reused = problem('idempotency-key-reused');
const withKey = (key: string, body: unknown = bonus): Ask => submit(body, { key });
const written = '{"amount":2.50e2,"correctionPeriod":"2026-01","compensationComponentId":"BONUS"}';
const toAnotherContract: Ask = [
  'POST /api/v1/payrollContract/1-78/variable-payments?billingPeriod=2026-01',
  { body: bonus, headers: { 'idempotency-key': 'run-1/7' } },
];

/** Variable payments (section 4.3). */
export const paymentCases: Cases = {
  'of an amount': takes({ amount: 250 }),
  'of hours at a factor, of a month before': takes({ hours: 7.5, hourlyFactor: 1.25, correctionPeriod: '2025-12' }),
  'of days': takes({ days: 0.5 }),
  'of a percentage': takes({ percentage: 12.5 }),
  'of every value': takes({ amount: 1, hours: 2, days: 3, hourlyFactor: 4, percentage: 5 }),
  ...Object.fromEntries(
    ['1e-400', '1e999', '12345678901234567890', '0.1000000000000000000001'].map((number) => [
      `of ${number}, which a double does not hold`,
      refuses(`{"compensationComponentId":"BONUS","hours":1.50e1,"amount":${number}}`, '/amount rule'),
    ]),
  ),
  'of no value': refuses(component, ' rule'),
  'with a wrong query and a wrong body': when(
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
  'to a contract that is unknown': when([], problem('not-found'), submit(bonus)),
  'of a contract of somebody who was erased': when(
    [
      ['a contract', { payrollContractId: '1-77', personId: '1' }],
      ['an erased person', { id: '1' }],
    ],
    problem('not-found'),
    `GET ${path}`,
  ),

  'that was not approved is not read': when([contract], ok([]), submit(bonus), `GET ${path}`),
  'that was approved is read': reads([approved('2026-01', 250)], '', { ...ofMonth, amount: 250 }),
  'are by billing period, then as they came': reads(
    [approved('2026-02', 1), approved('2026-01', 3), approved('2026-02', 0), approved('2025-12', 2)],
    '',
    ...[2, 3, 1, 0].map((amount) => ({ amount })),
  ),
  'of a billing period': reads([approved('2026-02', 1), approved('2026-01', 3)], '?billingPeriod=2026-01', {
    amount: 3,
  }),
  'of a billing period without any': reads([approved('2026-02', 1)], '?billingPeriod=2030-01'),
  'of a contract that has an id like a path': when(
    [['a contract', { payrollContractId: '1/77 ä' }]],
    ok([]),
    `GET /api/v1/payrollContract/${encodeURIComponent('1/77 ä')}/variable-payments`,
  ),

  'with a key that made it already': when([keyed], ok(submitted), withKey('run-1/7')),
  'with a key that made the same, written otherwise': when([keyed], ok(submitted), withKey('run-1/7', written)),
  'with a key that made another': when([keyed], reused, withKey('run-1/7', { ...bonus, amount: 251 })),
  'with a key whose request has not ended': when([inFlight], problem('idempotency-key-in-flight'), withKey('run-1/7')),
  'with another key than that of a request that has not ended': when([inFlight], ok(submitted), withKey('run-1/8')),
  'with a key that made it, beside a request that has not ended': when(
    [keyed, inFlight],
    ok(submitted),
    withKey('run-1/7'),
  ),
  'with a key that made one of another month': when(
    [keyed],
    reused,
    submit(bonus, { key: 'run-1/7', query: '?billingPeriod=2026-02' }),
  ),
  'with a key that made one of another contract': when(
    [keyed, ['a contract', { payrollContractId: '1-78' }]],
    reused,
    toAnotherContract,
  ),
  'with a key of one that was refused is made': when(
    [contract],
    ok(submitted),
    withKey('k', { amount: 1 }),
    withKey('k'),
  ),
  'twice with a key': when([contract], ok(submitted), withKey('k'), withKey('k')),
  'with another key': when([keyed], ok({ ...submitted, amount: 1 }), withKey('K', { ...bonus, amount: 1 })),
  'with a key of other than visible characters': when(
    [contract],
    problem('invalid-request', '/Idempotency-Key wrong-format'),
    withKey('a b'),
  ),
  'with an empty key': when([contract], { status: 400 }, withKey('')),
};
