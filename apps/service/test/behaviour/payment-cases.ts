import type { VariablePaymentRequest } from '@hr/schemas';
import type { ProviderState } from '@hr/testing/states';
import type { Ask } from './ask.ts';
import { having, ok, problem } from './case.ts';
import type { Case, Cases } from './case.ts';

const path = '/api/v1/payrollContract/1-77/variable-payments';
const contract: ProviderState = ['a contract', { payrollContractId: '1-77' }];
const component = { compensationComponentId: 'BONUS' };

function submit(body: unknown, { query = '?billingPeriod=2026-01', key = undefined as string | undefined } = {}): Ask {
  return [`POST ${path}${query}`, { body, headers: { 'idempotency-key': key } }];
}

function takes(body: VariablePaymentRequest): Case {
  const shown = { payrollContractId: '1-77', billingPeriod: '2026-01', correctionPeriod: '2026-01', ...body };
  return { given: [contract], asks: [submit(body)], told: ok(shown) };
}

function refuses(body: unknown, ...faults: readonly string[]): Case {
  return { given: [contract], asks: [submit(body)], told: problem('invalid-request', ...faults) };
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
const submitted = { payrollContractId: '1-77', billingPeriod: '2026-01', correctionPeriod: '2026-01', ...bonus };
const approved = (billingPeriod: string, amount: number): ProviderState => [
  'an approved payment',
  { payrollContractId: '1-77', billingPeriod, amount, hours: null, days: null, hourlyFactor: null, percentage: null },
];

/** Variable payments (section 4.3). */
export const paymentCases: Cases = {
  'of an amount': takes(bonus),
  'of hours at a factor, of a month before': takes({
    ...component,
    hours: 7.5,
    hourlyFactor: 1.25,
    correctionPeriod: '2025-12',
  }),
  'of days': takes({ ...component, days: 0.5 }),
  'of a percentage': takes({ ...component, percentage: 12.5 }),
  'of every value': takes({ ...component, amount: 1, hours: 2, days: 3, hourlyFactor: 4, percentage: 5 }),
  'that takes back': takes({ ...component, amount: -0.01 }),
  'of nothing': takes({ ...component, amount: 0 }),
  'of as much as can be': takes({ ...component, amount: 1e12, hours: -1e12 }),
  'of very little': takes({ ...component, amount: 1e-7, hours: 0.1 + 0.2 }),
  'of more than can be': refuses({ ...component, amount: 1_000_000_000_000.1 }, '/amount out-of-range'),
  ...Object.fromEntries(
    ['1e-400', '1e999', '12345678901234567890', '0.1000000000000000000001'].map((number) => [
      `of ${number}, which a double does not hold`,
      refuses(`{"compensationComponentId":"BONUS","hours":1.50e1,"amount":${number}}`, '/amount rule'),
    ]),
  ),
  'of no value': refuses(component, ' rule'),
  'without a component': refuses({ amount: 1 }, '/compensationComponentId required'),
  'with nothing at all': refuses({}, '/compensationComponentId required'),
  'of an empty component': refuses({ ...bonus, compensationComponentId: '' }, '/compensationComponentId too-short'),
  'of an amount as text': refuses({ ...component, amount: '250' }, '/amount wrong-type'),
  'of an amount of null': refuses({ ...component, amount: null }, '/amount wrong-type'),
  'with a month that does not exist': refuses(
    { ...bonus, correctionPeriod: '2026-13' },
    '/correctionPeriod wrong-format',
  ),
  'with something unknown': refuses({ ...bonus, masterCostCenter: '4' }, '/masterCostCenter unknown-name'),
  'without a billing period': {
    given: [contract],
    asks: [submit(bonus, { query: '' })],
    told: problem('invalid-request', '/billingPeriod required'),
  },
  'of a billing period that does not exist': {
    given: [contract],
    asks: [submit(bonus, { query: '?billingPeriod=2026-1' })],
    told: problem('invalid-request', '/billingPeriod wrong-format'),
  },
  'with a wrong period and a wrong body': {
    given: [contract],
    asks: [submit({ amount: 'x' }, { query: '?billingPeriod=2026-00&x=1' })],
    told: problem('invalid-request'),
  },
  'to a contract that is unknown': { asks: [submit(bonus)], told: problem('not-found') },
  'of a contract of somebody who was erased': {
    given: [
      ['a contract', { payrollContractId: '1-77', personId: '1' }],
      ['an erased person', { id: '1' }],
    ],
    asks: [`GET ${path}`],
    told: problem('not-found'),
  },

  'that was not approved is not read': { given: [contract], asks: [submit(bonus), `GET ${path}`], told: ok([]) },
  'that was approved is read': {
    given: [approved('2026-01', 250)],
    asks: [`GET ${path}`],
    told: ok([
      having({ payrollContractId: '1-77', billingPeriod: '2026-01', correctionPeriod: '2026-01', amount: 250 }),
    ]),
  },
  'are by billing period, then as they came': {
    given: [approved('2026-02', 1), approved('2026-01', 3), approved('2026-02', 0), approved('2025-12', 2)],
    asks: [`GET ${path}`],
    told: ok([2, 3, 1, 0].map((amount) => having({ amount }))),
  },
  'of a billing period': {
    given: [approved('2026-02', 1), approved('2026-01', 3)],
    asks: [`GET ${path}?billingPeriod=2026-01`],
    told: ok([having({ amount: 3 })]),
  },
  'of a billing period without any': {
    given: [approved('2026-02', 1)],
    asks: [`GET ${path}?billingPeriod=2030-01`],
    told: ok([]),
  },
  'of a contract that has an id like a path': {
    given: [['a contract', { payrollContractId: '1/77 ä' }]],
    asks: [`GET /api/v1/payrollContract/${encodeURIComponent('1/77 ä')}/variable-payments`],
    told: ok([]),
  },

  'with a key that made it already': {
    given: [keyed],
    asks: [submit(bonus, { key: 'run-1/7' })],
    told: ok(submitted),
  },
  'with a key that made the same, written otherwise': {
    given: [keyed],
    asks: [
      submit('{"amount":2.50e2,"correctionPeriod":"2026-01","compensationComponentId":"BONUS"}', { key: 'run-1/7' }),
    ],
    told: ok(submitted),
  },
  'with a key that made another': {
    given: [keyed],
    asks: [submit({ ...bonus, amount: 251 }, { key: 'run-1/7' })],
    told: problem('idempotency-key-reused'),
  },
  'with a key whose request has not ended': {
    given: [inFlight],
    asks: [submit(bonus, { key: 'run-1/7' })],
    told: problem('idempotency-key-in-flight'),
  },
  'with another key than that of a request that has not ended': {
    given: [inFlight],
    asks: [submit(bonus, { key: 'run-1/8' })],
    told: ok(submitted),
  },
  'with a key that made it already, beside a request that has not ended': {
    given: [keyed, inFlight],
    asks: [submit(bonus, { key: 'run-1/7' })],
    told: ok(submitted),
  },
  'with a key that made one of another month': {
    given: [keyed],
    asks: [submit(bonus, { key: 'run-1/7', query: '?billingPeriod=2026-02' })],
    told: problem('idempotency-key-reused'),
  },
  'with a key that made one of another contract': {
    given: [keyed, ['a contract', { payrollContractId: '1-78' }]],
    asks: [
      [
        'POST /api/v1/payrollContract/1-78/variable-payments?billingPeriod=2026-01',
        { body: bonus, headers: { 'idempotency-key': 'run-1/7' } },
      ],
    ],
    told: problem('idempotency-key-reused'),
  },
  'with a key of one that was refused is made': {
    given: [contract],
    asks: [submit({ amount: 1 }, { key: 'k' }), submit(bonus, { key: 'k' })],
    told: ok(submitted),
  },
  'twice with a key': {
    given: [contract],
    asks: [submit(bonus, { key: 'k' }), submit(bonus, { key: 'k' })],
    told: ok(submitted),
  },
  'with another key': {
    given: [keyed],
    asks: [submit({ ...bonus, amount: 1 }, { key: 'K' })],
    told: ok({ ...submitted, amount: 1 }),
  },
  'with a key of other than visible characters': {
    given: [contract],
    asks: [submit(bonus, { key: 'a b' })],
    told: problem('invalid-request', '/Idempotency-Key wrong-format'),
  },
  'with an empty key': {
    given: [contract],
    asks: [submit(bonus, { key: '' })],
    told: { status: 400 },
  },
};
