import { isDeepStrictEqual } from 'node:util';
import { isLocalDate } from '@hr/schemas';
import { kindOf } from './kind-of.ts';
import type { Matcher, RuleList, RulesByPlace } from './pact.ts';

/** The names and indexes that lead to a place in a value. */
export type Path = readonly (string | number)[];

/** Whether rules accept a value in place of an example; `undefined` for an unknown matcher. */
export function accepts({ combine, matchers }: RuleList, example: unknown, value: unknown): boolean | undefined {
  const verdicts = new Set(matchers.map((matcher) => acceptsOne(matcher, example, value)));
  if (verdicts.has(undefined)) return undefined;
  return combine === 'OR' ? verdicts.has(true) : !verdicts.has(false);
}

/** Whether a matcher accepts a value, as Pact's own core decides. */
export function acceptsOne(matcher: Matcher, example: unknown, value: unknown): boolean | undefined {
  return Object.hasOwn(verdicts, matcher.match) ? verdicts[matcher.match]?.(value, example, matcher) : undefined;
}

type Verdict = (value: unknown, example: unknown, matcher: Matcher) => boolean | undefined;

const verdicts: Readonly<Record<string, Verdict>> = {
  type: (value, example) => kindOf(value) === kindOf(example),
  equality: (value, example) => isDeepStrictEqual(value, example),
  regex: (value, _example, { regex }) => patternOf(String(regex))?.test(textOf(value)),
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  decimal: (value) => typeof value === 'number' && !Number.isInteger(value),
  // Pact also accepts these words as strings.
  boolean: (value) => typeof value === 'boolean' || value === 'true' || value === 'false',
  null: (value) => value === null,
  notEmpty: (value) => value !== '' && value !== null,
  include: (value, _example, { value: part }) => textOf(value).includes(String(part)),
  date(value, _example, { format, date }) {
    const isIso = ['yyyy-MM-dd', undefined].includes((format ?? date) as string | undefined);
    return isIso ? typeof value === 'string' && isLocalDate(value) : undefined;
  },
};

/** Pact matches a pattern against the whole text. It uses Rust's syntax, which JavaScript supports in part. */
function patternOf(source: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${source})$`, 'u');
  } catch {
    return undefined;
  }
}

/** Pact also matches a pattern against the text of a number. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Matchers that apply only to their own place, not to nested values. */
const OF_ONE_PLACE = new Set(['values', 'eachKey', 'eachValue', 'arrayContains', 'contentType']);

/**
 * The most specific rules that apply to a place: its own, or those of a value around it. Without rules, Pact requires
 * the example itself.
 */
export function ruleOf(rules: RulesByPlace, path: Path): RuleList | undefined {
  const found = Object.entries(rules).map(([expression, list]) => {
    const names = namesOf(expression);
    const isElsewhere = names.length < path.length && list.matchers.some(({ match }) => OF_ONE_PLACE.has(match));
    return { list, weight: isElsewhere ? 0 : weightOf(names, path) };
  });
  const [best] = found.toSorted((one, other) => other.weight - one.weight);
  return best && best.weight > 0 ? best.list : undefined;
}

/** The names of a path expression of Pact, such as `$[*].employments[0]['start']`. */
export function namesOf(expression: string): string[] {
  return [...expression.matchAll(/\['([^']*)'\]|\[([^\]]*)\]|\.([^.[]+)/g)].map(
    ([, quoted, bracketed, dotted]) => quoted ?? bracketed ?? dotted ?? '',
  );
}

const PATH_EXPRESSION = /^\$(?:\.[^.[\]]+|\['[^']*'\]|\[(?:\d+|\*)\])*$/;

/** What a value has at the places of a path expression, or around them if it is empty there; none if it has no such place. */
export function valuesAt(value: unknown, expression: string): readonly unknown[] {
  return PATH_EXPRESSION.test(expression) ? valuesBelow(value, namesOf(expression)) : [];
}

function valuesBelow(value: unknown, [name, ...names]: readonly string[]): readonly unknown[] {
  if (name === undefined) return [value];
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value);
  if (members.length === 0) return [value];
  return members.flatMap(([own, member]) => (name === own || name === '*' ? valuesBelow(member, names) : []));
}

/** The value at a path. In an example, the last element of an array represents all following ones. */
export function valueAt(value: unknown, path: Path, isExample = false): unknown {
  return path.reduce((node: unknown, name) => {
    if (typeof node !== 'object' || node === null) return undefined;
    const isBeyond = isExample && Array.isArray(node) && !(name in node);
    return isBeyond ? node.at(-1) : (node as Readonly<Record<string, unknown>>)[name];
  }, value);
}

/** A value that contains no others, and its path. */
export interface LeafAt {
  readonly path: string;
  readonly value: unknown;
}

/** The strings, numbers, booleans and nulls in a value. */
export function leavesOf(value: unknown): readonly LeafAt[] {
  return endsOf(value).filter((end) => end.value === null || typeof end.value !== 'object');
}

/** The strings, numbers, booleans, nulls, empty lists and empty objects in a value. */
export function endsOf(value: unknown, path = '$'): readonly LeafAt[] {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (members.length === 0) return [{ path, value }];
  return members.flatMap(([name, member]) =>
    endsOf(member, Array.isArray(value) ? `${path}[${name}]` : memberPath(path, name)),
  );
}

/** The path of a member, as Pact writes paths. */
export function memberPath(path: string, name: string): string {
  return /^\w+$/.test(name) ? `${path}.${name}` : `${path}['${name}']`;
}

/** A path as Pact writes it: `$[0].days[1].date`. */
export function placeOf(path: Path): string {
  return path.reduce<string>((at, name) => (typeof name === 'number' ? `${at}[${name}]` : memberPath(at, name)), '$');
}

/** How specifically a path matches a place or a value around it; higher is more specific, 0 is no match. */
function weightOf(names: readonly string[], path: Path): number {
  if (names.length > path.length) return 0;
  return names.reduce((weight, name, index) => weight * (name === String(path[index]) ? 4 : name === '*' ? 2 : 0), 1);
}
