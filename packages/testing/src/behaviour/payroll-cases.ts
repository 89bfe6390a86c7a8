import type { VariablePaymentRequest } from '@hr/schemas';
import type { ProviderState } from '../states/provider-states.ts';
import {
  casesOf,
  decided,
  having,
  notFound,
  ok,
  problem,
  when,
  type Case,
  type Cases,
  type CaseRequest,
} from './behaviour-case.ts';

const path = '/api/v1/payrollContract/1-77/variable-payments';
const list = `GET ${path}`;
const contract: ProviderState = ['a contract', { payrollContractId: '1-77' }];
const otherContract: ProviderState = ['a contract', { payrollContractId: '1-78' }];
const ofMonth = { payrollContractId: '1-77', billingPeriod: '2026-01', correctionPeriod: '2026-01' };
const component = { compensationComponentId: 'BONUS' };
const bonus = { ...component, amount: 250 };
const small = { ...component, amount: 1 };
const submitted = { ...ofMonth, ...bonus };
const otherMonth = '?billingPeriod=2026-02';
const otherPath = path.replace('1-77', '1-78');
const KEY = 'run-1/7';

interface Sent {
  readonly key?: string;
  readonly query?: string;
  readonly to?: string;
}

function submit(body: unknown, { key, query = '?billingPeriod=2026-01', to = path }: Sent = {}): CaseRequest {
  return [`POST ${to}${query}`, { body, headers: { 'idempotency-key': key } }];
}

function withKey(body: unknown = bonus, sent: Sent = {}): CaseRequest {
  return submit(body, { key: KEY, ...sent });
}

function accepts(values: Omit<VariablePaymentRequest, 'compensationComponentId'>): Case {
  return when([contract], ok({ ...ofMonth, ...component, ...values }), submit({ ...component, ...values }));
}

function rejects(request: CaseRequest, ...faults: readonly string[]): Case {
  return when([contract], problem('invalid-request', ...faults), request);
}

/** The approved payments, given as months and amounts, are listed as these amounts. */
function lists(
  given: readonly (readonly [month: string, amount: number])[],
  query: string,
  ...amounts: number[]
): Case {
  const states = given.map(([billingPeriod, amount]): ProviderState => {
    const others = { hours: null, days: null, hourlyFactor: null, percentage: null };
    return ['an approved payment', { payrollContractId: '1-77', billingPeriod, amount, ...others }];
  });
  return when(states, ok(amounts.map((amount) => having({ amount }))), list + query);
}

const keyed: ProviderState = [
  'a payment submitted with a key',
  { idempotencyKey: KEY, payrollContractId: '1-77', billingPeriod: '2026-01', payment: bonus },
];
const inFlight: ProviderState = [
  'a payment being submitted with a key',
  { idempotencyKey: KEY, payrollContractId: '1-77' },
];
const reused = problem('idempotency-key-reused');
const writtenOtherwise = '{"amount":2.50e2,"correctionPeriod":"2026-01","compensationComponentId":"BONUS"}';

/** Variable payments (section 4.3). */
export const paymentCases: Cases = {
  'a payment of an amount is accepted': accepts({ amount: 250 }),
  'a payment of hours of an earlier month is accepted': accepts({
    hours: 7.5,
    hourlyFactor: 1.25,
    correctionPeriod: '2025-12',
  }),
  'a payment of days is accepted': accepts({ days: 0.5 }),
  'a payment of a percentage is accepted': accepts({ percentage: 12.5 }),
  'a payment of all values is accepted': accepts({ amount: 1, hours: 2, days: 3, hourlyFactor: 4, percentage: 5 }),
  ...decided({
    ...casesOf(['1e-400', '1e999', '12345678901234567890', '0.1000000000000000000001'], (number) => [
      `a payment of ${number}, which a double cannot represent, is rejected`,
      rejects(submit(`{"compensationComponentId":"BONUS","hours":1.50e1,"amount":${number}}`), '/amount rule'),
    ]),
    'a payment without a value is rejected': rejects(submit(component), ' rule'),
    'a rejected payment reports the faults of query and body': rejects(
      submit({ amount: 'x' }, { query: '?period=2026-03' }),
      '/period unknown-name',
      '/billingPeriod required',
      '/compensationComponentId required',
      '/amount wrong-type',
    ),
    'a payment to an unknown contract is rejected': notFound([], submit(bonus)),
    'the payments of a contract of an erased person are not found': notFound(
      [
        ['a contract', { payrollContractId: '1-77', personId: '1' }],
        ['an erased person', { id: '1' }],
      ],
      list,
    ),

    'a payment is not listed before its approval': when([contract], ok([]), submit(bonus), list),
    'an approved payment is listed': when(
      [['an approved payment', { payrollContractId: '1-77', billingPeriod: '2026-01', amount: 250 }]],
      ok([having({ ...ofMonth, amount: 250 })]),
      list,
    ),
    'payments are sorted by billing period, then by submission': lists(
      [
        ['2026-02', 1],
        ['2026-01', 3],
        ['2026-02', 0],
        ['2025-12', 2],
      ],
      '',
      2,
      3,
      1,
      0,
    ),
    'payments can be filtered by month': lists(
      [
        ['2026-02', 1],
        ['2026-01', 3],
      ],
      '?billingPeriod=2026-01',
      3,
    ),
    'the list of payments of a month without any is empty': lists([['2026-02', 1]], '?billingPeriod=2030-01'),
    'the id of a contract can contain a slash': when(
      [['a contract', { payrollContractId: '1/77 ä' }]],
      ok([]),
      `GET /api/v1/payrollContract/${encodeURIComponent('1/77 ä')}/variable-payments`,
    ),

    'a repeated key gets the response of its payment': when([keyed], ok(submitted), withKey()),
    'a repeated key accepts another notation': when([keyed], ok(submitted), withKey(writtenOtherwise)),
    'a repeated key with another body is rejected': when([keyed], reused, withKey({ ...bonus, amount: 251 })),
    'a key in flight is rejected': when([inFlight], problem('idempotency-key-in-flight'), withKey()),
    'another key than one in flight is accepted': when([inFlight], ok(submitted), withKey(bonus, { key: 'run-1/8' })),
    'a repeated key gets its response also while it is in flight': when([keyed, inFlight], ok(submitted), withKey()),
    'a repeated key for another month is rejected': when([keyed], reused, withKey(bonus, { query: otherMonth })),
    'a repeated key for another contract is rejected': when(
      [keyed, otherContract],
      reused,
      withKey(bonus, { to: otherPath }),
    ),
    'a key of a rejected payment can be used again': when([contract], ok(submitted), withKey({ amount: 1 }), withKey()),
    'two requests with the same key get the same response': when([contract], ok(submitted), withKey(), withKey()),
    'another key submits another payment': when([keyed], ok({ ...ofMonth, ...small }), withKey(small, { key: 'K' })),
    'a key with a space is rejected': rejects(withKey(bonus, { key: 'a b' }), '/Idempotency-Key wrong-format'),
    'an empty key is rejected': when([contract], { status: 400 }, withKey(bonus, { key: '' })),
  }),
};

const decisions = 'GET /api/v1/variable-payment-decisions';
const decision = { ...ofMonth, ...bonus, hours: null, days: null, hourlyFactor: null, percentage: null };

/** The decisions on payments of these states are listed so. */
function decides(given: readonly ProviderState[], ...shown: readonly object[]): Case {
  return when(given, ok(shown.map((each) => ({ ...each, decidedAt: 'an instant' }))), decisions);
}

/** The decisions on variable payments, an extension (section 4.3). */
export const decisionCases: Cases = decided({
  'a rejected payment is listed with its key and the reason': decides(
    [['a decided payment', { ...decision, state: 'rejected', idempotencyKey: KEY, reason: 'Already paid.' }]],
    { ...submitted, state: 'rejected', idempotencyKey: KEY, reason: 'Already paid.' },
  ),
  'a decision has neither a key nor a reason if there is none': decides(
    [['a decided payment', { ...decision, state: 'approved' }]],
    { ...submitted, state: 'approved' },
  ),
  'decisions are in the order of the submission': decides(
    [
      ['a decided payment', { ...decision, billingPeriod: '2026-02', state: 'rejected' }],
      ['an approved payment', { ...decision, billingPeriod: '2026-03' }],
      ['a decided payment', { ...decision, state: 'approved' }],
    ],
    { ...submitted, billingPeriod: '2026-02', state: 'rejected' },
    { ...submitted, billingPeriod: '2026-03', state: 'approved' },
    { ...submitted, state: 'approved' },
  ),
  'a payment without a decision is not listed': when([contract], ok([]), submit(bonus), decisions),
  'a repeated key of a rejected payment gets the response of its payment': when(
    [['a decided payment', { ...decision, state: 'rejected', idempotencyKey: KEY }]],
    ok(submitted),
    withKey(),
  ),
  'the decisions on the payments of an erased person are not listed': when(
    [
      ['a contract', { payrollContractId: '1-77', personId: '1' }],
      ['a decided payment', { ...decision, state: 'approved' }],
      ['an erased person', { id: '1' }],
    ],
    ok([]),
    decisions,
  ),
});

const history = 'GET /api/v1/payrollContract/1-77/salaries/history';
const salary = (year: number, month: number): ProviderState => ['a salary', { payrollContractId: '1-77', year, month }];
const salaries = [salary(2026, 2), salary(2025, 12), salary(2026, 1), salary(2026, 10)];

function months(query: string, ...shown: readonly string[]): Case {
  const entries = shown.map((each) => {
    const [year, month] = each.split('-').map(Number);
    return having({ payrollContractId: '1-77', year, month });
  });
  return when(salaries, ok(entries), history + query);
}

const all = 'GET /api/v1/salaries/history';
const ofAll: readonly ProviderState[] = [
  salary(2026, 1),
  ['a salary', { payrollContractId: 'a', year: 2025, month: 11 }],
  salary(2025, 12),
  ['a salary', { payrollContractId: 'A', year: 2026, month: 2 }],
];

/** The salaries of all contracts, each given as contract and month. */
function allSalaries(query: string, ...shown: readonly string[]): Case {
  const entries = shown.map((each) => {
    const [payrollContractId, date = ''] = each.split(' ');
    const [year, month] = date.split('-').map(Number);
    return having({ payrollContractId, year, month });
  });
  return when(ofAll, ok(entries), all + query);
}
const allMonths = months('', '2025-12', '2026-01', '2026-02', '2026-10');

/** The salary history (section 4.5). */
export const salaryCases: Cases = {
  'the salary history has all months of the contract': allMonths,
  'the salary history can begin with a month': months('?from=2026-01', '2026-01', '2026-02', '2026-10'),
  'the salary history can end with a month': months('?to=2026-01', '2025-12', '2026-01'),
  'the salary history can be of one month': months('?from=2026-02&to=2026-02', '2026-02'),
  'the salary history of months without a salary is empty': months('?from=2026-03&to=2026-09'),
  'the salary history of a contract without salaries is empty': when([contract], ok([]), history),
  ...decided({
    'the salary history is sorted by month': allMonths,
    'the salary history of an unknown contract is not found': notFound([], history),
    'the salaries of all contracts are sorted by contract and month': allSalaries(
      '',
      '1-77 2025-12',
      '1-77 2026-01',
      'A 2026-02',
      'a 2025-11',
    ),
    'the salaries of all contracts can begin and end with a month': allSalaries(
      '?from=2025-12&to=2026-01',
      '1-77 2025-12',
      '1-77 2026-01',
    ),
    'the salaries of all contracts are empty if there are none': when([contract], ok([]), all),
    'the salaries of all contracts leave out those of an erased person': when(
      [['a contract', { payrollContractId: 'a', personId: '1' }], ...ofAll, ['an erased person', { id: '1' }]],
      ok(['1-77', '1-77', 'A'].map((payrollContractId) => having({ payrollContractId }))),
      all,
    ),
  }),
};
