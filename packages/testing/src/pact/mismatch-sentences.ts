import { jsonPointer } from '@hr/schemas';
import type { BodyMismatch, HeaderMismatch, Mismatch, QueryMismatch } from '@pact-foundation/pact-core';

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
  if (!keys) return [`${place}: ${mismatch}.`];
  return [
    ...keys.of.filter((key) => !keys.found.includes(key)).map((key) => `${place}/${key} is missing.`),
    ...keys.found
      .filter((key) => !keys.of.includes(key))
      .map((key) => `${place}/${key} is sent, and the contract does not have it.`),
  ];
}

function keysOf(json = '[]'): readonly string[] {
  return JSON.parse(json) as string[];
}
