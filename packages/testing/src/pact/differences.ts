import { jsonPointer } from '@hr/schemas';
import type { BodyMismatch, MatchingResult, Mismatch } from '@pact-foundation/pact-core';
import { kindOf } from '../contract/kind-of.ts';
import type { Exchange } from './exchange.ts';

/** The differences between the received requests and the expected one, one sentence each; none if it arrived. */
export function differencesOf(results: readonly MatchingResult[], { request }: Exchange): readonly string[] {
  const expected = target(request.method, request.path, Object.entries(request.query));
  const missing = `It did not send ${expected}.`;
  const sentences = results.flatMap((result): string[] => {
    if ('error' in result) return [result.error];
    switch (result.type) {
      case 'request-mismatch':
        return result.mismatches.flatMap(mismatchSentences);
      case 'request-not-found':
        return [`It sent ${target(result.method, result.path, pairs(result.request.query))} and not ${expected}.`];
      case 'missing-request':
        return [missing];
      default:
        return [];
    }
  });
  // An unexpected request implies that the expected one is missing.
  const others = sentences.filter((sentence) => sentence !== missing);
  // Retries repeat a request, and Pact has no fixed order.
  return [...new Set(others.length > 0 ? others : sentences)].toSorted();
}

function pairs(query: Readonly<Record<string, readonly string[]>> = {}): [string, string][] {
  return Object.entries(query).flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));
}

function target(method: string, path: string, query: readonly (readonly [string, string])[]): string {
  const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  return `${method} ${path}${search && '?'}${search}`;
}

/** The sentences of a mismatch, without secrets that the consumer may have sent. */
function mismatchSentences(mismatch: Mismatch): string[] {
  if (!('type' in mismatch)) return [`${mismatch.path}: ${mismatch.mismatch}.`];
  const { type, expected = '', actual = '' } = mismatch;
  switch (type) {
    case 'QueryMismatch':
      return [differenceAt(`The query parameter ${mismatch.parameter}`, expected, actual)];
    case 'HeaderMismatch':
      return mismatch.key.toLowerCase() === 'authorization' && actual !== ''
        ? ['The header Authorization differs. Use the token that run gives to your code.']
        : [differenceAt(`The header ${mismatch.key}`, expected, actual)];
    case 'BodyTypeMismatch':
      return [differenceAt('The body', expected, actual)];
    case 'BodyMismatch':
      return bodySentences(mismatch);
    default:
      return [differenceAt('The request', expected, actual)];
  }
}

function differenceAt(place: string, expected: string, actual: string): string {
  if (actual === '') return `${place} is missing.`;
  return expected === '' ? `${place} is not in the contract.` : `${place} is ${actual} and not ${expected}.`;
}

function bodySentences({ path, expected, actual, mismatch }: BodyMismatch): string[] {
  if (!actual && path === '/') return ['The body is missing.'];
  const names = path.split(/[.[\]']+/).slice(1);
  const place = `The body${jsonPointer(names.filter((name) => name !== ''))}`;
  if (path.endsWith('client_secret')) return [`${place} differs. Use the secret that run gives to your code.`];
  if (mismatch.startsWith('Failed to parse')) return [`${place} is not JSON.`];
  const [wanted, found] = [jsonOf(expected), jsonOf(actual)];
  if (!mismatch.includes('a Map with keys')) return [`${place} ${valueClause(mismatch, wanted, found)}.`];
  const [known, sent] = [wanted as string[], found as string[]];
  return [...new Set([...known, ...sent])].flatMap((key) => {
    if (!sent.includes(key)) return [`${place}/${key} is missing.`];
    return known.includes(key) ? [] : [`${place}/${key} is not in the contract.`];
  });
}

function valueClause(mismatch: string, expected: unknown, actual: unknown): string {
  const [wanted, found] = [kindOf(expected), kindOf(actual)];
  if (wanted !== found) return `is ${found} and not ${wanted}`;
  if (mismatch.includes('to be an integer')) return 'is a number with a fraction and not a whole one';
  const pattern = / to match (?:a \w+ pattern of )?'(.*?)'(?::|$)/s.exec(mismatch)?.[1];
  if (pattern !== undefined) return `is not text like ${pattern}`;
  return Array.isArray(expected) && Array.isArray(actual)
    ? `has ${actual.length} elements and not ${expected.length}`
    : `is another value than ${JSON.stringify(expected)}`;
}

/** Pact writes values as JSON, some texts without quotes, and nothing for `null`. */
function jsonOf(text = ''): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}
