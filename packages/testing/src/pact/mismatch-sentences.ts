import { jsonPointer } from '@hr/schemas';
import type { BodyMismatch, HeaderMismatch, Mismatch, QueryMismatch } from '@pact-foundation/pact-core';
import { kindOf } from '../contract/kind-of.ts';

/** What Pact found in a request that came, a sentence each. None shows a secret that the consumer may really have sent. */
export function mismatchSentences(mismatch: Mismatch): string[] {
  if (!('type' in mismatch)) return [`${mismatch.path}: ${mismatch.mismatch}.`];
  switch (mismatch.type) {
    case 'QueryMismatch':
      return [querySentence(mismatch)];
    case 'HeaderMismatch':
      return [headerSentence(mismatch)];
    case 'BodyTypeMismatch':
      return [`The body is ${mismatch.actual || 'missing'} and not ${mismatch.expected}.`];
    case 'BodyMismatch':
      return bodySentences(mismatch);
    case 'MethodMismatch':
      return [`The method is ${mismatch.actual} and not ${mismatch.expected}.`];
    default:
      return [`${mismatch.mismatch}.`];
  }
}

function querySentence({ parameter, expected, actual, mismatch }: QueryMismatch): string {
  if (actual === '') return `The query parameter ${parameter} is missing.`;
  if (expected !== '') return `The query parameter ${parameter} is ${actual} and not ${expected}.`;
  return mismatch.startsWith('Unexpected')
    ? `The query parameter ${parameter} is sent, and the contract does not have it.`
    : `The query parameter ${parameter} is sent more than once.`;
}

function headerSentence({ key, expected, actual }: HeaderMismatch): string {
  if (actual === '') return `The header ${key} is missing.`;
  if (key.toLowerCase() === 'authorization') {
    return 'The header Authorization is another one; use what run gives to your code.';
  }
  return `The header ${key} is ${actual} and not like ${expected}.`;
}

function bodySentences({ path, expected, actual, mismatch }: BodyMismatch): string[] {
  if (!actual && path === '/') return ['The body is missing.'];
  const names = path.split(/[.[\]']+/).slice(1);
  const place = `The body${jsonPointer(names.filter((name) => name !== ''))}`;
  if (path.endsWith('client_secret')) return [`${place} is another one; use what run gives to your code.`];
  const keys = mismatch.includes('a Map with keys') && { of: keysOf(expected), found: keysOf(actual) };
  if (mismatch.startsWith('Failed to parse')) return [`${place} is no JSON.`];
  if (!keys) return [`${place} ${valueClause(mismatch, jsonOf(expected), jsonOf(actual))}.`];
  return [
    ...keys.of.filter((key) => !keys.found.includes(key)).map((key) => `${place}/${key} is missing.`),
    ...keys.found
      .filter((key) => !keys.of.includes(key))
      .map((key) => `${place}/${key} is sent, and the contract does not have it.`),
  ];
}

function valueClause(mismatch: string, expected: unknown, actual: unknown): string {
  const kinds = [kindOf(expected), kindOf(actual)];
  if (kinds[0] !== kinds[1]) return `is ${kinds[1]} and not ${kinds[0]}`;
  const type = /to be an? (integer|number|decimal)/.exec(mismatch)?.[1];
  if (type === 'integer') return 'is a number with a fraction and not a whole one';
  const pattern = / to match (?:a \w+ pattern of )?'(.*?)'(?::|$)/s.exec(mismatch)?.[1];
  if (pattern !== undefined) return `is not text like ${pattern}`;
  if (Array.isArray(expected) && Array.isArray(actual))
    return `has ${actual.length} elements and not ${expected.length}`;
  return `is another value than ${JSON.stringify(expected)}`;
}

/** Pact gives values as JSON, text at times without quotes, and nothing for `null`. */
function jsonOf(text = ''): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function keysOf(json = '[]'): readonly string[] {
  return JSON.parse(json) as string[];
}
