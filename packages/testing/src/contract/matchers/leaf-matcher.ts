import { z } from 'zod';
import type { Leaf } from '../../model/leaf.ts';
import { portablePattern } from './portable-pattern.ts';

/** A rule of Pact in its integration JSON, with the value that a mock server sends. */
export interface PactMatcher {
  readonly 'pact:matcher:type': 'type' | 'number' | 'integer' | 'equality' | 'null' | readonly PactRule[];
  readonly value: unknown;
  readonly min?: number;
}

type PactRule = { readonly 'pact:matcher:type': 'type' } | { readonly 'pact:matcher:type': 'regex'; regex: string };

/** A value of the same type. A list has at least `min` elements, all like the first. */
export function sameType(value: unknown, min?: number): PactMatcher {
  return { 'pact:matcher:type': 'type', value, ...(min !== undefined && { min }) };
}

/** A string that matches a pattern. The pattern alone also accepts a number or an object whose JSON matches. */
export function textLike(value: string, regex: string): PactMatcher {
  return {
    'pact:matcher:type': [{ 'pact:matcher:type': 'type' }, { 'pact:matcher:type': 'regex', regex }],
    value,
  };
}

/**
 * The strictest rule of Pact for a string, number or boolean.
 *
 * @param addUnsupported called with each rule of the model that the matcher does not check
 */
export function leafMatcher(leaf: Leaf, value: unknown, addUnsupported: (rule: string) => void): PactMatcher {
  const { type, values, format, minimum, maximum } = leaf;
  if (values?.length === 1) return { 'pact:matcher:type': 'equality', value };
  if (typeof value === 'string') return textMatcher(leaf, value, addUnsupported);
  // Pact's own rule for booleans accepts the text "true".
  if (type === 'boolean') return sameType(value);
  // The API has no rule about safe integers.
  const bound = type === 'integer' ? Number.MAX_SAFE_INTEGER : Infinity;
  if (values) addUnsupported(`one of ${values.join(', ')}`);
  if (format !== undefined) addUnsupported(`in the form ${format}`);
  if (minimum > -bound) addUnsupported(`at least ${minimum}`);
  if (maximum < bound) addUnsupported(`at most ${maximum}`);
  // Pact's own rule for decimals rejects whole numbers.
  return { 'pact:matcher:type': type === 'integer' ? 'integer' : 'number', value };
}

function textMatcher(leaf: Leaf, value: string, addUnsupported: (rule: string) => void): PactMatcher {
  const { minLength, maxLength } = leaf;
  const pattern = patternOf(leaf);
  const portable = pattern === undefined ? undefined : portablePattern(pattern);
  if (pattern !== undefined && portable === undefined) addUnsupported(`must match ${pattern}`);
  // A pattern without unbounded repetition also limits the length.
  if (portable === undefined || /[*+]|,\}/.test(portable)) {
    if (minLength > 0) addUnsupported(`at least ${minLength} characters`);
    if (maxLength < Infinity) addUnsupported(`at most ${maxLength} characters`);
  }
  return portable === undefined ? sameType(value) : textLike(value, portable);
}

const { source: date } = z.regexes.date;

/** The pattern of a string's values, if its model restricts them. */
function patternOf({ values, format, pattern }: Leaf): string | undefined {
  if (values) return `^(?:${values.map((each) => escaped(String(each))).join('|')})$`;
  if (format === 'date') return date;
  // The model's pattern accepts dates that do not exist.
  if (format === 'local-date-time') return pattern?.replace(/^.*T/, `${date.slice(0, -1)}T`);
  return pattern;
}

/** A text as a pattern that matches just this text. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
