import { operations } from '@hr/schemas';
import type { Operation, ProblemKind } from '@hr/schemas';
import type { ProviderState } from '@hr/testing/states';
import { expect } from 'vitest';
import type { Ask } from './ask.ts';
import { problem, when } from './case.ts';
import type { Case, Cases } from './case.ts';

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

function askFor({ method, address, body }: Good, details: Details = {}, more = ''): Ask {
  return [`${method} ${address}${more && `${address.includes('?') ? '&' : '?'}${more}`}`, { body, ...details }];
}

function ofEach(title: string, make: (good: Good) => Case, some = goods): Cases {
  return Object.fromEntries(some.map(([id, good]) => [`${id} ${title}`, make(good)]));
}

/** The same change of the good request of each operation, or of each that has a body. */
function refused(title: string, details: Details, told: Case['told'], some = goods): Cases {
  return ofEach(title, (good) => when(known, told, askFor(good, details)), some);
}

const withBody = goods.filter(([, { body }]) => body);

function withHeaders(kind: ProblemKind, headers: Record<string, string>): Case['told'] {
  const told = { 'content-type': 'application/problem+json', ...headers };
  return { ...problem(kind), headers: expect.objectContaining(told) as never };
}

const challenge = 'Bearer realm="hr-cloud"';
const unauthorized = (more = ''): Case['told'] => withHeaders('unauthorized', { 'www-authenticate': challenge + more });
const noMediaType = problem('unsupported-media-type');

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
  ...refused('without a token', { token: 'none' }, unauthorized()),
  ...refused('with a token that is unknown', { token: 'rejected' }, unauthorized(', error="invalid_token"')),
  ...refused('with another scheme', { headers: { authorization: 'Basic YTpi' } }, unauthorized()),
  ...refused(
    'without the scope',
    { token: 'without-scope' },
    withHeaders('forbidden', { 'www-authenticate': `${challenge}, error="insufficient_scope", scope="api:use"` }),
  ),
  ...refused('for who takes no JSON', { headers: { accept: 'text/html' } }, problem('not-acceptable')),
  ...refused(
    'with a body that is no JSON by its type',
    { headers: { 'content-type': 'application/merge-patch+json' } },
    noMediaType,
    withBody,
  ),
  ...refused('with a body that is compressed', { headers: { 'content-encoding': 'gzip' } }, noMediaType, withBody),
  ...refused(
    'with a body without a type',
    { body: Buffer.from('{}'), headers: { 'content-type': undefined } },
    noMediaType,
    withBody,
  ),
  ...refused(
    'with a body that is too large',
    { body: `"${'x'.repeat(1024 * 1024)}"` },
    problem('content-too-large'),
    withBody,
  ),
  ...ofEach('with a parameter that is unknown', (good) =>
    when(known, problem('invalid-request', '/shoe~1Size unknown-name'), askFor(good, {}, 'shoe/Size=43')),
  ),
  ...ofEach('with a query that is no UTF-8', (good) =>
    when(known, problem('invalid-request'), askFor(good, {}, 'x=%ff')),
  ),
  ...ofEach('once the limit of requests is used up', (good) =>
    when(
      [...known, ['a used-up rate limit']],
      withHeaders('too-many-requests', { 'retry-after': 'SECONDS' }),
      askFor(good),
    ),
  ),
  ...ofEach('while the service is unavailable', (good) =>
    when([...known, ['an unavailable service']], withHeaders('unavailable', { 'retry-after': '5' }), askFor(good)),
  ),
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
