import { operations, type Operation } from '@hr/schemas';
import type { ProviderState } from '../states/provider-states.ts';
import {
  decided,
  problem,
  problemWith,
  when,
  type Case,
  type CaseRequest,
  type CaseRequestDetails,
  type Cases,
} from './behaviour-case.ts';

const known: readonly ProviderState[] = [['a contract', { payrollContractId: '1-77', personId: '4711' }]];

/** A valid request of an operation, to be made invalid. */
interface ValidRequest {
  readonly method: string;
  readonly address: string;
  readonly body: object | undefined;
}

export const validRequests = Object.entries<Operation>(operations).map(
  ([id, { method, path }]): [string, ValidRequest] => {
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'contractId' ? '1-77' : '4711'));
    const body = { submitVariablePayment: { compensationComponentId: 'BONUS', amount: 1 }, updatePerson: {} };
    const query = id === 'submitVariablePayment' ? '?billingPeriod=2026-01' : '';
    return [id, { method, address: address + query, body: body[id as keyof typeof body] }];
  },
);

/** A request with these details, and with more in its query. */
export function requestOf(
  { method, address, body }: ValidRequest,
  details: CaseRequestDetails = {},
  query = '',
): CaseRequest {
  return [`${method} ${address}${query && `${address.includes('?') ? '&' : '?'}${query}`}`, { body, ...details }];
}

type Expected = Case['expected'];
const unauthorized = (more = ''): Expected =>
  problemWith('unauthorized', { 'www-authenticate': `Bearer realm="hr-cloud"${more}` });
const forbiddenChallenge = 'Bearer realm="hr-cloud", error="insufficient_scope", scope="api:use"';
const mediaType = problem('unsupported-media-type');
const limited = problemWith('too-many-requests', { 'retry-after': 'SECONDS' });
const unavailable = problemWith('unavailable', { 'retry-after': '5' });
const tooLarge = `"${'x'.repeat(1024 * 1024)}"`;

type Rejected = readonly [what: string, expected: Expected, details?: CaseRequestDetails, query?: string];
const ofEach: readonly Rejected[] = [
  ['without a token', unauthorized(), { token: 'none' }],
  ['with an unknown token', unauthorized(', error="invalid_token"'), { token: 'rejected' }],
  ['with another authentication scheme', unauthorized(), { headers: { authorization: 'Basic YTpi' } }],
  [
    'without the scope of the API',
    problemWith('forbidden', { 'www-authenticate': forbiddenChallenge }),
    { token: 'without-scope' },
  ],
  ['that does not accept JSON', problem('not-acceptable'), { headers: { accept: 'text/html' } }],
  ['with an unknown parameter', problem('invalid-request', '/shoe~1Size unknown-name'), {}, 'shoe/Size=43'],
  ['with a query that is not UTF-8', problem('invalid-request'), {}, 'x=%ff'],
];
const ofEachWithBody: readonly Rejected[] = [
  ['with a body of another type', mediaType, { headers: { 'content-type': 'application/merge-patch+json' } }],
  ['with a compressed body', mediaType, { headers: { 'content-encoding': 'gzip' } }],
  ['with a body without a type', mediaType, { body: Buffer.from('{}'), headers: { 'content-type': undefined } }],
  ['with a body that is too large', problem('content-too-large'), { body: tooLarge }],
];
const ofEachState: readonly (readonly [when: string, expected: Expected, state: ProviderState])[] = [
  ['after the rate limit is used up', limited, ['a used-up rate limit']],
  ['while the service is unavailable', unavailable, ['an unavailable service']],
];

function casesOf([id, valid]: readonly [string, ValidRequest]): [string, Case][] {
  return [
    ...[...ofEach, ...(valid.body ? ofEachWithBody : [])].map(([what, expected, details, query]): [string, Case] => [
      `${id} rejects a request ${what}`,
      when(known, expected, requestOf(valid, details, query)),
    ]),
    ...ofEachState.map(([during, expected, state]): [string, Case] => [
      `${id} rejects a request ${during}`,
      when([...known, state], expected, requestOf(valid)),
    ]),
  ];
}

function notFound(...requests: readonly CaseRequest[]): Cases {
  return Object.fromEntries(
    requests.map((request): [string, Case] => [
      `${typeof request === 'string' ? request : request[0]} is not found`,
      when(known, problem('not-found'), request),
    ]),
  );
}

function notAllowed(request: string, allow: string): Cases {
  const expected = problemWith('method-not-allowed', { allow });
  return { [`${request} is not allowed`]: when([], expected, [request, { token: 'none' }]) };
}

/** Invalid requests of each operation, and the order of the checks (section 7). */
export const errorCases: Cases = decided({
  ...Object.fromEntries(validRequests.flatMap(casesOf)),
  'a repeated parameter is rejected': when(
    [],
    problem('invalid-request', '/changedSince rule'),
    'GET /api/v1/persons?changedSince=2026-01-01&changedSince=2026-01-01',
  ),
  'headers that are too large are rejected': when([], problem('headers-too-large'), [
    'GET /api/v1/persons',
    { headers: { 'x-long': 'x'.repeat(17_000) } },
  ]),
  'the scope is checked before the rate limit': when([['a used-up rate limit']], problem('forbidden'), [
    'GET /api/v1/persons',
    { token: 'without-scope' },
  ]),
  'the token is checked before the address': when([], problem('unauthorized'), [
    'GET /api/v1/persons?x=1',
    { token: 'none' },
  ]),
  ...notFound(
    'GET /',
    'GET /api/v1/persons/',
    'GET /api/v1/Persons',
    'GET /api/v1/nothing',
    ['POST /api/v1/nothing', { token: 'none' }],
    'GET /api/v1/persons//absences',
    'GET /api/v1/payrollContract/1-78/salaries/history',
    'GET /api/v1/persons/4712/absences',
  ),
  ...notAllowed('DELETE /api/v1/persons', 'GET'),
  ...notAllowed('GET /api/v1/persons/4711', 'PATCH'),
  ...notAllowed('PUT /api/v1/payrollContract/1-77/variable-payments', 'GET, POST'),
  ...notAllowed('OPTIONS /api/v1/time-bookings', 'GET'),
  ...notAllowed('GET /api/oauth2/token', 'POST'),
});
