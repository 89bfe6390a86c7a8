import { INTROSPECTION_PATH, METADATA_PATH, REVOCATION_PATH, TOKEN_PATH } from '@hr/schemas';
import fc from 'fast-check';
import { apiRoutes, operatorRoutes } from '../../src/routes.ts';
import type { Route } from '../../src/http/route.ts';
import { noQuery, pathsLike, queriesFor } from './addresses.ts';
import { bodies, feeds } from './bodies.ts';
import { SENT } from './canaries.ts';
import { forms } from './forms.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { authorizationsFor, contentTypesFor, idempotencyKeys, oddHeaders } from './headers.ts';
import { mostly, wordsOf } from './mostly.ts';

/** What is asked for, and what belongs to it. */
interface Kind {
  readonly method: string;
  readonly path: string;
  readonly scopes?: Route['scopes'];
  readonly query: fc.Arbitrary<string>;
  readonly contentType?: string | undefined;
  readonly body: fc.Arbitrary<string>;
  /** How often it is asked for. */
  readonly weight: number;
}

const noBody = mostly(fc.constant(''), 12, fc.constantFrom('{}', SENT, 'x'.repeat(70_000)));

const kinds: readonly Kind[] = [
  ...[...apiRoutes, ...operatorRoutes].map((route) => ({
    ...route,
    query: queriesFor(route),
    ...(route.body && { contentType: 'application/json' }),
    ...(route.stream !== undefined && { contentType: route.stream }),
    body: route.body ? bodies(route.body) : route.stream === undefined ? noBody : feeds,
    // A change succeeds only where the request before it has left something to change.
    weight: route.method === 'POST' ? 8 : route.scopes[0] === 'api:use' ? 4 : 2,
  })),
  ...[TOKEN_PATH, REVOCATION_PATH, INTROSPECTION_PATH].map((path) => ({
    method: 'POST',
    path,
    query: noQuery,
    contentType: 'application/x-www-form-urlencoded',
    body: forms,
    weight: 3,
  })),
  ...['/openapi.json', METADATA_PATH, '/livez', '/readyz', '/docs', '/docs/', '/docs/page.js'].map((path) => ({
    method: 'GET',
    path,
    query: noQuery,
    body: noBody,
    weight: 1,
  })),
];

const anyMethod = wordsOf('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND QUERY PURGE LINK MKCOL');

function requestsFor({ method, path, scopes, query, contentType, body }: Kind): fc.Arbitrary<FuzzRequest> {
  const scope = scopes?.[0];
  const headers = fc.tuple(
    authorizationsFor(scope),
    contentTypesFor(contentType),
    scope === 'api:use' && method === 'POST' ? idempotencyKeys : fc.constant([]),
    oddHeaders,
  );
  return fc
    .record({
      method: mostly(fc.constant(method), 30, anyMethod),
      target: fc.tuple(pathsLike(path), query).map((parts) => parts.join('')),
      headers: headers.map((lists) => [['Host', 'service'] as const, ...lists.flat()]),
      body,
      chunked: mostly(fc.constant(false), 8, fc.constant(true)),
    })
    .map((request) => ({ ...request, chunked: request.chunked && request.body !== '' }));
}

/** Requests of all kinds, most of them nearly right. */
export const requests: fc.Arbitrary<FuzzRequest> = fc.oneof(
  ...kinds.map((kind) => ({ arbitrary: requestsFor(kind), weight: kind.weight })),
);
