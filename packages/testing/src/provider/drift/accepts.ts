import { isDeepStrictEqual } from 'node:util';
import { isLocalDate } from '@hr/schemas';
import type { Matcher, RuleList } from '../../contract/pact.ts';

/** Whether rules let a value pass in place of an example; `undefined` where a matcher is not known here. */
export function accepts({ combine, matchers }: RuleList, example: unknown, value: unknown): boolean | undefined {
  const verdicts = new Set(matchers.map((matcher) => acceptsOne(matcher, example, value)));
  if (verdicts.has(undefined)) return undefined;
  return combine === 'OR' ? verdicts.has(true) : !verdicts.has(false);
}

function acceptsOne(matcher: Matcher, example: unknown, value: unknown): boolean | undefined {
  switch (matcher.match) {
    case 'type':
      return typeOf(example) === typeOf(value);
    case 'equality':
      return isDeepStrictEqual(example, value);
    case 'regex':
      return pattern(String(matcher['regex']))?.test(textOf(value));
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'decimal':
      return typeof value === 'number' && !Number.isInteger(value);
    case 'boolean':
      // Also the words, as text.
      return typeof value === 'boolean' || value === 'true' || value === 'false';
    case 'null':
      return value === null;
    case 'notEmpty':
      return value !== '' && value !== null;
    case 'include':
      return textOf(value).includes(String(matcher['value']));
    case 'date':
      return acceptsDate(matcher, value);
    default:
      return undefined;
  }
}

function acceptsDate({ format, date }: Matcher, value: unknown): boolean | undefined {
  const isIso = ['yyyy-MM-dd', undefined].includes((format ?? date) as string | undefined);
  return isIso ? typeof value === 'string' && isLocalDate(value) : undefined;
}

/** Pact's patterns mean the whole text, and are those of Rust; what JavaScript does not know of them is not known here. */
function pattern(source: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${source})$`, 'u');
  } catch {
    return undefined;
  }
}

/** Patterns are tried on the text of a value that is none. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
