import type { MatchingResult } from '@pact-foundation/pact-core';
import type { Exchange } from './exchange.ts';
import { mismatchSentences } from './mismatch-sentences.ts';

/** What differs between the requests that came and the one that was expected, a sentence each; nothing where it came. */
export function differencesOf(results: readonly MatchingResult[], { request }: Exchange): readonly string[] {
  const expected = target(request.method, request.path, Object.entries(request.query));
  const sentences = results.flatMap((result): string[] => {
    if ('error' in result) return [result.error];
    switch (result.type) {
      case 'request-mismatch':
        return result.mismatches.flatMap(mismatchSentences);
      case 'request-not-found':
        return [`It sent ${target(result.method, result.path, pairs(result.request.query))} and not ${expected}.`];
      case 'missing-request':
        return [`It did not send ${expected}.`];
      default:
        return [];
    }
  });
  // That the right one is missing goes without saying where another came. Pact tells them in any order.
  const others = sentences.filter((sentence) => !sentence.startsWith('It did not send'));
  // Code that tries again sends the same several times.
  return [...new Set(others.length > 0 ? others : sentences)].toSorted();
}

function pairs(query: Readonly<Record<string, readonly string[]>> = {}): [string, string][] {
  return Object.entries(query).flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));
}

function target(method: string, path: string, query: readonly (readonly [string, string])[]): string {
  const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  return `${method} ${path}${search && '?'}${search}`;
}
