import { LocalDate, LocalDateTime, YearMonth } from '@hr/schemas';
import type { z } from 'zod';
import { leafOf } from '../model/leaf.ts';
import { leafMatcher } from '../contract/matchers/leaf-matcher.ts';

const formats: readonly (readonly [model: z.ZodType, name: string, example: string])[] = [
  [LocalDate, 'a date', '2026-01-31'],
  [YearMonth, 'a month', '2026-01'],
  [LocalDateTime, 'a local date and time', '2026-01-31T08:15'],
];

/** The patterns that contracts hold the formats of the API by, long as they are, in words. */
const words = new Map(
  formats.map(([model, name, example]) => [patternOf(model, example), `${name} such as ${example}`]),
);

/** What a text is like that matches a pattern of a contract. */
export function patternWords(pattern: string): string {
  const list = /^\^\(\?:([\w-]+(?:\|[\w-]+)*)\)\$$/.exec(pattern)?.[1];
  if (list !== undefined) return `one of ${list.replaceAll('|', ', ')}`;
  return words.get(pattern) ?? `text like ${pattern}`;
}

function patternOf(model: z.ZodType, example: string): string | undefined {
  const rules = leafMatcher(leafOf(model), example).matcher['pact:matcher:type'];
  if (typeof rules === 'string') return undefined;
  return rules.flatMap((rule) => ('regex' in rule ? rule.regex : []))[0];
}
