import { z } from 'zod';
import type { Leaf } from '../../model/leaf.ts';
import { sameType, textLike } from './pact-matcher.ts';
import type { PactMatcher } from './pact-matcher.ts';
import { portablePattern } from './portable-pattern.ts';

interface LeafMatcher {
  readonly matcher: PactMatcher;
  /** What it leaves open, in words. */
  readonly lost: readonly string[];
}

/** The strictest rule of Pact for a string, number or boolean. */
export function leafMatcher(leaf: Leaf, value: unknown): LeafMatcher {
  if (leaf.values?.length === 1) return { matcher: { 'pact:matcher:type': 'equality', value }, lost: [] };
  if (typeof value === 'string') return textMatcher(leaf, value);
  // Pact's own rule for booleans takes the text "true" for one.
  if (leaf.type === 'boolean') return { matcher: sameType(value), lost: [] };
  // A whole number is a decimal too, which Pact's own rule for decimals refuses.
  const rule = leaf.type === 'integer' ? 'integer' : 'number';
  return { matcher: { 'pact:matcher:type': rule, value }, lost: lostOfNumber(leaf) };
}

function textMatcher(leaf: Leaf, value: string): LeafMatcher {
  const { minLength, maxLength } = leaf;
  const pattern = patternOf(leaf);
  const portable = pattern === undefined ? undefined : portablePattern(pattern);
  const lost = pattern !== undefined && portable === undefined ? [`must match ${pattern}`] : [];
  // A pattern in which nothing repeats without end tells the length as well.
  if (portable === undefined || /[*+]|,\}/.test(portable)) {
    if (minLength > 0) lost.push(`at least ${minLength} characters`);
    if (maxLength < Infinity) lost.push(`at most ${maxLength} characters`);
  }
  return { matcher: portable === undefined ? sameType(value) : textLike(value, portable), lost };
}

const { source: date } = z.regexes.date;

/** All that a string may be, as a pattern, where its model says more than that it is one. */
function patternOf({ values, format, pattern }: Leaf): string | undefined {
  if (values) return `^(?:${values.map((each) => literally(String(each))).join('|')})$`;
  if (format === 'date') return date;
  // The model's pattern leaves it to a rule that the date exists.
  if (format === 'local-date-time') return pattern?.replace(/^.*T/, `${date.slice(0, -1)}T`);
  return pattern;
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function lostOfNumber({ type, values, format, minimum, maximum }: Leaf): string[] {
  // Every integer of JavaScript is within its safe ones: no rule of the API.
  const bound = type === 'integer' ? Number.MAX_SAFE_INTEGER : Infinity;
  return [
    ...(values ? [`one of ${values.join(', ')}`] : []),
    ...(format === undefined ? [] : [`in the form ${format}`]),
    ...(minimum > -bound ? [`at least ${minimum}`] : []),
    ...(maximum < bound ? [`at most ${maximum}`] : []),
  ];
}
