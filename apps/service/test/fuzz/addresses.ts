import fc from 'fast-check';
import type { Route } from '../../src/http/route.ts';
import { valuesOf } from '../schema-values.ts';
import { wireName } from '../valid-request.ts';
import { contractIds, personIds, SENT, sparePersonIds } from './canaries.ts';
import { mostly, printableText, wordsOf } from './mostly.ts';
import { placeholders } from './secrets.ts';

const oddSegments = fc.oneof(
  wordsOf('. .. %2e%2e %2E %2F %5c %00 %ff %ed%a0%80 % %zz %u0041 %25 %252e %3F %23 %0d%0a %0d%0aX-Evil:%20x + ~'),
  wordsOf(`__proto__ constructor toString * :id {id} ;x=1 ${SENT} ${SENT}%20${SENT} '%20or%201=1-- %F0%9F%98%80`),
  fc.constantFrom('', 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(15_000)),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map(encodeURIComponent),
  printableText,
);

/** What a path can name, by the names of parameters; any other is a client. */
const knownIds: Readonly<Record<string, fc.Arbitrary<string>>> = {
  id: fc.constantFrom(...personIds),
  personId: fc.constantFrom(...personIds),
  contractId: fc.constantFrom(...contractIds),
  paymentId: fc.integer({ min: 1, max: 30 }).map(String),
  endpointId: fc.integer({ min: 1, max: 12 }).map(String),
  importId: fc.constant(placeholders.importId),
};

/** What makes persons gone has one of its own, so that the others stay. */
const erasing = new Set(['erase', 'readmit']);

function segment(part: string, isErasing: boolean): fc.Arbitrary<string> {
  const name = /^\{(\w+)\}$/.exec(part)?.[1];
  if (name === undefined) return mostly(fc.constant(part), 60, oddSegments, fc.constant(part.toUpperCase()));
  const ids = isErasing ? fc.constantFrom(...sparePersonIds) : knownIds[name];
  return mostly(ids?.map(encodeURIComponent) ?? fc.constant(placeholders.victimId), 10, oddSegments);
}

function joined(segments: readonly string[]): string {
  return `/${segments.join('/')}`;
}

/** Addresses beside and below a path, mostly it itself with ids that are known. */
export function pathsLike(path: string): fc.Arbitrary<string> {
  const parts = path.split('/').slice(1);
  const isErasing = parts.some((part) => erasing.has(part));
  const right = fc.tuple(...parts.map((part) => segment(part, isErasing))).map(joined);
  const wrong = fc.oneof(
    fc
      .tuple(right, oddSegments)
      .map(joined)
      .map((one) => one.slice(1)),
    fc.tuple(right, fc.nat({ max: 40 })).map(([one, length]) => one.slice(0, length + 1)),
    right.map((one) => `/${one}`),
    right.map((one) => `http://${SENT}${one}`),
    right.map((one) => one.replaceAll('/', '%2F').replace('%2F', '/')),
    wordsOf(`* / // /.. /../.. /% /? /.well-known /api /operator /${SENT} /favicon.ico x`),
    fc.array(oddSegments, { minLength: 1, maxLength: 6 }).map(joined),
  );
  return mostly(right, 12, wrong);
}

const oddQueries = fc.oneof(
  wordsOf('? ?& ?&& ?= ?=x ?x ?% ?%=% ?%ff=1 ??? ???x=1 ?__proto__=1 ?constructor[prototype]=1 ?a=1&a=2 ?%00=%00'),
  wordsOf(`?${SENT}=1 ?shoeSize=${SENT} ?x=%0d%0aX-Evil:%20x ?${'a=1&'.repeat(500)}`),
  printableText.map((text) => `?${text}`),
);

/** Where nothing belongs into a query. */
export const noQuery = mostly(fc.constant(''), 8, oddQueries);

const oddValues = mostly(
  fc.constant(SENT),
  2,
  fc.constant(''),
  wordsOf(`0 2026-13 2026-02-30 9999-99-99 %F0%9F%98%80 '-- % %00 %ff ${SENT}%00 ${SENT}${'x'.repeat(300)}`),
);

/** Queries for a route, mostly of what it knows. */
export function queriesFor(route: Route): fc.Arbitrary<string> {
  const values = mostly<string | undefined>(fc.constant(undefined), 12, oddValues);
  const right = fc.tuple(valuesOf(route.query), values).map(([sent, odd]) => {
    const pairs = Object.entries(sent as object).map(
      ([name, value]) => `${wireName(route, name)}=${odd ?? encodeURIComponent(String(value))}`,
    );
    return pairs.length > 0 ? `?${pairs.join('&')}` : '';
  });
  const wrong = fc.oneof(
    oddQueries,
    fc.tuple(right, oddQueries).map(([query, odd]) => `${query || '?'}&${odd.slice(1)}`),
    right.map((query) => `${query || '?x=1'}&${query.slice(1)}`),
  );
  return mostly(right, 12, wrong);
}
