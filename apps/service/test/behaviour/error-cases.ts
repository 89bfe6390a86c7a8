import { operations, type Operation, type ProblemKind } from '@hr/schemas';
import type { ProviderState } from '@hr/testing/states';
import { expect } from 'vitest';
import type { Ask } from './ask.ts';
import { problem, when, type Case, type Cases } from './case.ts';

const known: readonly ProviderState[] = [['a contract', { payrollContractId: '1-77', personId: '4711' }]];

/** A good request of each operation, which can be spoiled. */
interface Good {
  readonly method: string;
  readonly address: string;
  readonly body: object | undefined;
}

const goods = Object.entries<Operation>(operations).map(([id, { method, path }]): readonly [string, Good] => {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'contractId' ? '1-77' : '4711'));
  const body = { submitVariablePayment: { compensationComponentId: 'BONUS', amount: 1 }, updatePerson: {} };
  const query = id === 'submitVariablePayment' ? '?billingPeriod=2026-01' : '';
  return [id, { method, address: address + query, body: body[id as keyof typeof body] }];
});

type Details = Exclude<Ask, string>[1];

/** The good request of an operation, but for these details, and with more in its query. */
function askFor({ method, address, body }: Good, details: Details = {}, more = ''): Ask {
  return [`${method} ${address}${more && `${address.includes('?') ? '&' : '?'}${more}`}`, { body, ...details }];
}

function withHeaders(kind: ProblemKind, headers: Record<string, string>): Case['told'] {
  const told = { 'content-type': 'application/problem+json', ...headers };
  return { ...problem(kind), headers: expect.objectContaining(told) as never };
}

const unauthorized = (more = ''): Case['told'] =>
  withHeaders('unauthorized', { 'www-authenticate': `Bearer realm="hr-cloud"${more}` });
const forbiddenChallenge = 'Bearer realm="hr-cloud", error="insufficient_scope", scope="api:use"';
const mediaType = problem('unsupported-media-type');
const limited = withHeaders('too-many-requests', { 'retry-after': 'SECONDS' });
const unavailable = withHeaders('unavailable', { 'retry-after': '5' });
const tooLarge = `"${'x'.repeat(1024 * 1024)}"`;

/** What each operation refuses, and what those refuse that have a body. */
const ofEach: readonly (readonly [title: string, told: Case['told'], details?: Details, query?: string])[] = [
  ['without a token', unauthorized(), { token: 'none' }],
  ['with a token that is unknown', unauthorized(', error="invalid_token"'), { token: 'rejected' }],
  ['with another scheme', unauthorized(), { headers: { authorization: 'Basic YTpi' } }],
  [
    'without the scope',
    withHeaders('forbidden', { 'www-authenticate': forbiddenChallenge }),
    { token: 'without-scope' },
  ],
  ['for who takes no JSON', problem('not-acceptable'), { headers: { accept: 'text/html' } }],
  ['with an unknown parameter', problem('invalid-request', '/shoe~1Size unknown-name'), {}, 'shoe/Size=43'],
  ['with a query that is no UTF-8', problem('invalid-request'), {}, 'x=%ff'],
];
const ofEachWithBody: typeof ofEach = [
  ['with a body of another type', mediaType, { headers: { 'content-type': 'application/merge-patch+json' } }],
  ['with a body that is compressed', mediaType, { headers: { 'content-encoding': 'gzip' } }],
  ['with a body without a type', mediaType, { body: Buffer.from('{}'), headers: { 'content-type': undefined } }],
  ['with a body that is too large', problem('content-too-large'), { body: tooLarge }],
];
const ofEachState: readonly (readonly [title: string, told: Case['told'], state: ProviderState])[] = [
  ['once the limit of requests is used up', limited, ['a used-up rate limit']],
  ['while the service is unavailable', unavailable, ['an unavailable service']],
];

function casesOf([id, good]: readonly [string, Good]): [string, Case][] {
  return [
    ...[...ofEach, ...(good.body ? ofEachWithBody : [])].map(([title, told, details, query]): [string, Case] => [
      `${id} ${title}`,
      when(known, told, askFor(good, details, query)),
    ]),
    ...ofEachState.map(([title, told, state]): [string, Case] => [
      `${id} ${title}`,
      when([...known, state], told, askFor(good)),
    ]),
  ];
}

function misses(...asks: readonly Ask[]): Cases {
  return Object.fromEntries(
    asks.map((asked): [string, Case] => {
      const name = typeof asked === 'string' ? asked : asked[0];
      return [`${name} is not there`, when(known, problem('not-found'), asked)];
    }),
  );
}

function forbidden(asked: string, allow: string): Cases {
  const told = withHeaders('method-not-allowed', { allow });
  return { [`${asked} is not allowed`]: when([], told, [asked, { token: 'none' }]) };
}

/** What each operation refuses, in the order in which it looks. */
export const errorCases: Cases = {
  ...Object.fromEntries(goods.flatMap(casesOf)),
  'a parameter that is repeated': when(
    [],
    problem('invalid-request', '/changedSince rule'),
    'GET /api/v1/persons?changedSince=2026-01-01&changedSince=2026-01-01',
  ),
  'headers that are too large': when([], problem('headers-too-large'), [
    'GET /api/v1/persons',
    { headers: { 'x-long': 'x'.repeat(17_000) } },
  ]),
  'a token without the scope, once the limit is used up': when([['a used-up rate limit']], problem('forbidden'), [
    'GET /api/v1/persons',
    { token: 'without-scope' },
  ]),
  'no token, though the address is wrong as well': when([], problem('unauthorized'), [
    'GET /api/v1/persons?x=1',
    { token: 'none' },
  ]),
  ...misses(
    'GET /',
    'GET /api/v1/persons/',
    'GET /api/v1/Persons',
    'GET /api/v1/nothing',
    ['POST /api/v1/nothing', { token: 'none' }],
    'GET /api/v1/persons//absences',
    'GET /api/v1/payrollContract/1-78/salaries/history',
    'GET /api/v1/persons/4712/absences',
  ),
  ...forbidden('DELETE /api/v1/persons', 'GET'),
  ...forbidden('GET /api/v1/persons/4711', 'PATCH'),
  ...forbidden('PUT /api/v1/payrollContract/1-77/variable-payments', 'GET, POST'),
  ...forbidden('OPTIONS /api/v1/time-bookings', 'GET'),
  ...forbidden('GET /api/oauth2/token', 'POST'),
};
