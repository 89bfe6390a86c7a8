import { kindOf, shapeOf } from '../contract/kind-of.ts';
import { memberPath } from './member-path.ts';
import type { Mismatch } from './pact-results.ts';
import { patternWords } from './pattern-words.ts';
import type { Fault } from './verification-result.ts';

const EXPECTS = 'The contract expects';

/** What is wrong with a body at one place. The values of the provider are not shown, because they may be a person's. */
export function bodyFaults({ path, expected, actual, mismatch }: Mismatch): readonly Fault[] {
  if (path === '/' || path === '') return [{ place: 'body', sentence: `${EXPECTS} a body, and there is none.` }];
  if (mismatch.startsWith('Failed to parse'))
    return [{ place: 'body', sentence: `${EXPECTS} JSON, and this is none.` }];
  const wanted = jsonOf(expected);
  const given = jsonOf(actual);
  if (/\bkeys\b/.test(mismatch) && Array.isArray(wanted) && Array.isArray(given)) return keyFaults(path, wanted, given);
  return [{ place: `body ${path}`, sentence: sentenceOf(mismatch, wanted, given) }];
}

function keyFaults(path: string, wanted: readonly unknown[], given: readonly unknown[]): readonly Fault[] {
  const missing = wanted.filter((key) => !given.includes(key));
  const extra = given.filter((key) => !wanted.includes(key));
  if (missing.length === 0)
    return [{ place: `body ${path}`, sentence: `${EXPECTS} no other fields, and there is also ${extra.join(', ')}.` }];
  return missing.map((key) => ({
    place: `body ${memberPath(path, String(key))}`,
    sentence: `${EXPECTS} this field, and it is missing.`,
  }));
}

function sentenceOf(mismatch: string, wanted: unknown, given: unknown): string {
  const kind = kindOf(wanted);
  if (kind !== kindOf(given)) return `${EXPECTS} ${kind}, and the provider gives ${kindOf(given)}.`;
  if (Array.isArray(wanted) && Array.isArray(given)) return listSentence(mismatch, wanted, given);
  const pattern = / to match (?:a (?:\w+) pattern of )?'(.*?)'(?::|$)/s.exec(mismatch)?.[1];
  if (pattern !== undefined && typeof given === 'string')
    return `${EXPECTS} ${patternWords(pattern)}, and the provider gives text of another form: ${shapeOf(given)}`;
  if (/ equal to /.test(mismatch))
    return `${EXPECTS} just ${JSON.stringify(wanted)}, and the provider gives another value.`;
  const type = /to be an? (integer|decimal)/i.exec(mismatch)?.[1]?.toLowerCase();
  if (type)
    return `${EXPECTS} ${type === 'integer' ? 'a whole number' : 'a decimal number'}, and the provider gives another one.`;
  return `The rule of the contract does not let this value pass; its example is ${JSON.stringify(wanted)}.`;
}

function listSentence(mismatch: string, wanted: readonly unknown[], given: readonly unknown[]): string {
  const [, bound, size = wanted.length] = /(minimum|maximum) size of (\d+)/.exec(mismatch) ?? [];
  const words = bound === 'minimum' ? 'at least ' : bound === 'maximum' ? 'at most ' : '';
  return `${EXPECTS} ${words}${elements(Number(size))}, and there ${given.length === 1 ? 'is' : 'are'} ${given.length}.`;
}

function elements(count: number): string {
  return count === 1 ? '1 element' : `${count} elements`;
}

/** Pact gives values as JSON text, and sometimes nothing for `null`. */
function jsonOf(text: unknown): unknown {
  if (text === '' || typeof text !== 'string') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
