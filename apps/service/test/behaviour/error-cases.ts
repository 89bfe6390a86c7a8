import { operations } from '@hr/schemas';
import type { Operation, ProblemKind } from '@hr/schemas';
import type { ProviderState } from '@hr/testing/states';
import { expect } from 'vitest';
import type { Ask } from './ask.ts';
import { problem } from './case.ts';
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

function ofEach(title: string, make: (good: Good) => Case | undefined): Cases {
  return Object.fromEntries(
    goods.flatMap(([id, good]): [string, Case][] => {
      const made = make(good);
      return made ? [[`${id} ${title}`, { given: known, ...made }]] : [];
    }),
  );
}

function refused(title: string, details: Details, kind: ProblemKind, headers: Record<string, string> = {}): Cases {
  return ofEach(title, (good) => ({ asks: [askFor(good, details)], told: withHeaders(kind, headers) }));
}

function withHeaders(kind: ProblemKind, headers: Record<string, string>): Case['told'] {
  const told = problem(kind);
  return {
    ...told,
    headers: expect.objectContaining({ 'content-type': 'application/problem+json', ...headers }) as never,
  };
}

const challenge = 'Bearer realm="hr-cloud"';
const withBody = (spoil: (good: Good) => Case) => (good: Good) => (good.body ? spoil(good) : undefined);

function misses(...asks: readonly Ask[]): Cases {
  return Object.fromEntries(
    asks.map((asked): [string, Case] => {
      const name = typeof asked === 'string' ? asked : asked[0];
      return [`${name} is not there`, { given: known, asks: [asked], told: problem('not-found') }];
    }),
  );
}

function forbidden(method: string, address: string, allow: string): Cases {
  const asks: Case['asks'] = [[`${method} ${address}`, { token: 'none' }]];
  return { [`${method} ${address} is not allowed`]: { asks, told: withHeaders('method-not-allowed', { allow }) } };
}

/** What each operation refuses, in the order in which it looks. */
export const errorCases: Cases = {
  ...refused('without a token', { token: 'none' }, 'unauthorized', { 'www-authenticate': challenge }),
  ...refused('with a token that is unknown', { token: 'rejected' }, 'unauthorized', {
    'www-authenticate': `${challenge}, error="invalid_token"`,
  }),
  ...refused('with another scheme', { headers: { authorization: 'Basic YTpi' } }, 'unauthorized', {
    'www-authenticate': challenge,
  }),
  ...refused('without the scope', { token: 'without-scope' }, 'forbidden', {
    'www-authenticate': `${challenge}, error="insufficient_scope", scope="api:use"`,
  }),
  ...refused('for who takes no JSON', { headers: { accept: 'text/html' } }, 'not-acceptable'),
  ...ofEach(
    'with a body that is no JSON by its type',
    withBody((good) => ({
      asks: [askFor(good, { headers: { 'content-type': 'application/merge-patch+json' } })],
      told: problem('unsupported-media-type'),
    })),
  ),
  ...ofEach(
    'with a body that is compressed',
    withBody((good) => ({
      asks: [askFor(good, { headers: { 'content-encoding': 'gzip' } })],
      told: problem('unsupported-media-type'),
    })),
  ),
  ...ofEach(
    'with a body without a type',
    withBody((good) => ({
      asks: [askFor(good, { body: Buffer.from('{}'), headers: { 'content-type': undefined } })],
      told: problem('unsupported-media-type'),
    })),
  ),
  ...ofEach(
    'with a body that is too large',
    withBody((good) => ({
      asks: [askFor(good, { body: `"${'x'.repeat(1024 * 1024)}"` })],
      told: problem('content-too-large'),
    })),
  ),
  ...ofEach('with a parameter that is unknown', (good) => ({
    asks: [askFor(good, {}, 'shoe/Size=43')],
    told: problem('invalid-request', '/shoe~1Size unknown-name'),
  })),
  ...ofEach('with a query that is no UTF-8', (good) => ({
    asks: [askFor(good, {}, 'x=%ff')],
    told: problem('invalid-request'),
  })),
  ...ofEach('once the limit of requests is used up', (good) => ({
    given: [...known, ['a used-up rate limit']],
    asks: [askFor(good)],
    told: withHeaders('too-many-requests', { 'retry-after': 'SECONDS' }),
  })),
  ...ofEach('while the service is unavailable', (good) => ({
    given: [...known, ['an unavailable service']],
    asks: [askFor(good)],
    told: withHeaders('unavailable', { 'retry-after': '5' }),
  })),
  'a parameter that is repeated': {
    asks: ['GET /api/v1/persons?changedSince=2026-01-01&changedSince=2026-01-01'],
    told: problem('invalid-request', '/changedSince rule'),
  },
  'headers that are too large': {
    asks: [['GET /api/v1/persons', { headers: { 'x-long': 'x'.repeat(17_000) } }]],
    told: problem('headers-too-large'),
  },
  'a token without the scope, once the limit is used up': {
    given: [['a used-up rate limit']],
    asks: [['GET /api/v1/persons', { token: 'without-scope' }]],
    told: problem('forbidden'),
  },
  'no token, though the address is wrong as well': {
    asks: [['GET /api/v1/persons?x=1', { token: 'none' }]],
    told: problem('unauthorized'),
  },
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
  ...forbidden('DELETE', '/api/v1/persons', 'GET'),
  ...forbidden('GET', '/api/v1/persons/4711', 'PATCH'),
  ...forbidden('PUT', '/api/v1/payrollContract/1-77/variable-payments', 'GET, POST'),
  ...forbidden('OPTIONS', '/api/v1/time-bookings', 'GET'),
  ...forbidden('GET', '/api/oauth2/token', 'POST'),
};
