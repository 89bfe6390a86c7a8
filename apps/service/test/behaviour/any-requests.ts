import { fixtures } from '@hr/testing/fixtures';
import type { CaseRequest, CaseRequestDetails } from '@hr/testing/conform';
import fc from 'fast-check';
import { apiRoutes } from '../../src/routes.ts';
import { queriesFor } from '../fuzz/addresses.ts';
import { bodies } from '../fuzz/bodies.ts';
import { mostly } from '../fuzz/mostly.ts';
import { wireName } from '../valid-request.ts';
import { contractIds, days, keys, months, personIds } from './any-states.ts';
import { anyTokenRequest } from './any-token-request.ts';

const { personPatch, variablePaymentRequest } = fixtures();

const ids: Readonly<Record<string, readonly string[]>> = {
  id: personIds,
  personId: personIds,
  contractId: contractIds,
};
const oddIds = fc.oneof(
  fc.constantFrom('nobody', '😀'.repeat(256), 'a\0b'),
  fc.string({ unit: 'grapheme', minLength: 1 }),
);

function addresses(path: string): fc.Arbitrary<string> {
  const parts = path.split('/').map((part) => {
    const known = ids[part.slice(1, -1)];
    if (!known || !part.startsWith('{')) return fc.constant(part);
    return mostly(fc.constantFrom(...known), 12, oddIds).map((id) => encodeURIComponent(id.toWellFormed()));
  });
  return fc.tuple(...parts).map((segments) => segments.join('/'));
}

type ApiRoute = (typeof apiRoutes)[number];

/** Queries that mostly find something. */
function queries(route: ApiRoute): fc.Arbitrary<string> {
  const names = Object.keys(route.query.shape);
  const isMonthly = route.path.includes('payrollContract');
  const value = fc.constantFrom(...(isMonthly ? months : days));
  const pairs = fc.tuple(
    ...names.map((name) => fc.option(value).map((found) => (found === null ? [] : [[wireName(route, name), found]]))),
  );
  const near = pairs.map((found) => {
    const query = new URLSearchParams(found.flat() as [string, string][]).toString();
    return query && `?${query}`;
  });
  return mostly(near, 6, queriesFor(route).filter(isSendable));
}

/** What `fetch` sends as it is. */
function isSendable(query: string): boolean {
  return !query.includes('#') && new URL(`http://x/${query}`).search === (query === '?' ? '' : query);
}

const someBodies: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  updatePerson: fc.oneof(
    personPatch.arbitrary(fc),
    fc.constantFrom(...personPatch.invalid().map(({ value }) => value), {}, ...personPatch.list(2)),
  ),
  submitVariablePayment: fc.oneof(
    variablePaymentRequest.arbitrary(fc),
    fc.constantFrom(...variablePaymentRequest.invalid().map(({ value }) => value)),
    fc.constantFrom(1, 2.5).map((amount) => ({ compensationComponentId: 'BONUS', amount })),
  ),
};

function details(route: ApiRoute): fc.Arbitrary<CaseRequestDetails> {
  const known = someBodies[route.id];
  const body = known && route.body ? mostly<unknown>(known, 8, bodies(route.body)) : fc.constant(undefined);
  const key = route.idempotencyKey
    ? fc.option(fc.constantFrom(...keys, 'a b', 'ä'), { nil: undefined })
    : fc.constant(undefined);
  const accept = mostly<string | undefined>(
    fc.constant(undefined),
    20,
    fc.constantFrom('text/html', '*/*;q=0', 'application/*'),
  );
  const token = mostly<'valid' | 'without-scope' | 'rejected' | 'none'>(
    fc.constant('valid'),
    20,
    fc.constantFrom('without-scope', 'rejected', 'none'),
  );
  return fc.record({ body, token, headers: fc.record({ 'idempotency-key': key, accept }) });
}

/** Requests of all operations, most of them good and of what states are about. */
export const anyRequest: fc.Arbitrary<CaseRequest> = fc.oneof(
  anyTokenRequest,
  ...apiRoutes.map((route) =>
    fc
      .tuple(addresses(route.path), queries(route), details(route))
      .map(([address, query, more]): CaseRequest => [`${route.method} ${address}${query}`, more]),
  ),
);
