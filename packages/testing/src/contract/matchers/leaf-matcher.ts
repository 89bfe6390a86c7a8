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

interface LeafMatcher {
  readonly matcher: PactMatcher;
  /** Rules of the model that the matcher does not check. */
  readonly unsupported: readonly string[];
}

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

/** The strictest rule of Pact for a string, number or boolean. */
export function leafMatcher(leaf: Leaf, value: unknown): LeafMatcher {
  if (leaf.values?.length === 1) return { matcher: { 'pact:matcher:type': 'equality', value }, unsupported: [] };
  if (typeof value === 'string') return textMatcher(leaf, value);
  // Pact's own rule for booleans accepts the text "true".
  if (leaf.type === 'boolean') return { matcher: sameType(value), unsupported: [] };
  // Pact's own rule for decimals rejects whole numbers.
  const rule = leaf.type === 'integer' ? 'integer' : 'number';
  return { matcher: { 'pact:matcher:type': rule, value }, unsupported: unsupportedOfNumber(leaf) };
}

function textMatcher(leaf: Leaf, value: string): LeafMatcher {
  const { minLength, maxLength } = leaf;
  const pattern = patternOf(leaf);
  const portable = pattern === undefined ? undefined : portablePattern(pattern);
  const unsupported = pattern !== undefined && portable === undefined ? [`must match ${pattern}`] : [];
  // A pattern without unbounded repetition also limits the length.
  if (portable === undefined || /[*+]|,\}/.test(portable)) {
    if (minLength > 0) unsupported.push(`at least ${minLength} characters`);
    if (maxLength < Infinity) unsupported.push(`at most ${maxLength} characters`);
  }
  return { matcher: portable === undefined ? sameType(value) : textLike(value, portable), unsupported };
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

function unsupportedOfNumber({ type, values, format, minimum, maximum }: Leaf): string[] {
  // The API has no rule about safe integers.
  const bound = type === 'integer' ? Number.MAX_SAFE_INTEGER : Infinity;
  return [
    ...(values ? [`one of ${values.join(', ')}`] : []),
    ...(format === undefined ? [] : [`in the form ${format}`]),
    ...(minimum > -bound ? [`at least ${minimum}`] : []),
    ...(maximum < bound ? [`at most ${maximum}`] : []),
  ];
}
