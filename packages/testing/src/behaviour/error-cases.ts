import { operations, type OperationId } from '@hr/schemas';
import type { ProviderState } from '../states/provider-states.ts';
import {
  casesOf,
  decided,
  notFound,
  problem,
  problemWith,
  when,
  type Case,
  type CaseRequest,
  type CaseRequestDetails,
  type Cases,
} from './behaviour-case.ts';
import { contract } from './given.ts';

export const operationIds = Object.keys(operations) as OperationId[];

const bodies: Readonly<Partial<Record<string, object>>> = {
  submitVariablePayment: { compensationComponentId: 'BONUS', amount: 1 },
  updatePerson: {},
  createWebhookEndpoint: { url: 'https://hooks.example.com/hr' },
};

/** A request of an operation, which is valid but for these details, and for more in its query. */
export function requestOf(id: OperationId, details: CaseRequestDetails = {}, more = ''): CaseRequest {
  const { method, path } = operations[id];
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'contractId' ? '1-77' : '4711'));
  const query = [id === 'submitVariablePayment' ? 'billingPeriod=2026-01' : '', more].filter(Boolean).join('&');
  return [`${method} ${address}${query && `?${query}`}`, { body: bodies[id], ...details }];
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

const rejections = operationIds.flatMap((id) =>
  [...ofEach, ...(bodies[id] ? ofEachWithBody : [])].map((each) => [id, each] as const),
);
const rejectionsInStates = operationIds.flatMap((id) => ofEachState.map((each) => [id, each] as const));

const unknownAddresses: readonly CaseRequest[] = [
  'GET /',
  'GET /api/v1/persons/',
  'GET /api/v1/Persons',
  'GET /api/v1/nothing',
  ['POST /api/v1/nothing', { token: 'none' }],
  'GET /api/v1/persons//absences',
  'GET /api/v1/payrollContract/1-78/salaries/history',
  'GET /api/v1/persons/4712/absences',
];
/** The methods that are allowed instead. */
const otherMethods = {
  'DELETE /api/v1/persons': 'GET',
  'GET /api/v1/persons/4711': 'PATCH',
  'PUT /api/v1/payrollContract/1-77/variable-payments': 'GET, POST',
  'OPTIONS /api/v1/time-bookings': 'GET',
  'GET /api/oauth2/token': 'POST',
};

/** Invalid requests of each operation, and the order of the checks (section 7). */
export const errorCases: Cases = decided({
  ...casesOf(rejections, ([id, [what, expected, details, query]]) => [
    `${id} rejects a request ${what}`,
    when([contract], expected, requestOf(id, details, query)),
  ]),
  ...casesOf(rejectionsInStates, ([id, [during, expected, state]]) => [
    `${id} rejects a request ${during}`,
    when([contract, state], expected, requestOf(id)),
  ]),
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
  ...casesOf(unknownAddresses, (request) => [
    `${typeof request === 'string' ? request : request[0]} is not found`,
    notFound([contract], request),
  ]),
  ...casesOf(Object.entries(otherMethods), ([request, allow]) => [
    `${request} is not allowed`,
    when([], problemWith('method-not-allowed', { allow }), [request, { token: 'none' }]),
  ]),
});
