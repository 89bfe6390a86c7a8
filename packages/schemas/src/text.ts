import { z } from 'zod';
import { notInSpecification } from './lenient.ts';
import { rule } from './rule.ts';
import { bounded, unicode } from './value-rules.ts';

/** The bounds of a string. */
export interface TextBounds {
  /** Minimum length in Unicode code points. Default 0. */
  readonly min?: number;
  /** Maximum length in Unicode code points. Default none. */
  readonly max?: number;
  /** Pattern of the whole string. It is checked only if the string is within the other bounds. */
  readonly pattern?: RegExp;
}

/**
 * A string with bounds. Lengths count Unicode code points, as JSON Schema and PostgreSQL do, not UTF-16 units. Lone
 * surrogates and NUL, which no database stores, are invalid in requests.
 *
 * @example
 * text({ max: 80 }).parse('Zoë');
 */
export function text({ min = 0, max = Number.POSITIVE_INFINITY, pattern }: TextBounds = {}): z.ZodString {
  return notInSpecification(z.string().check(rule(unicode, min, max)))
    .check(rule(bounded, min, max, pattern))
    .meta({
      ...(min && { minLength: min }),
      ...(Number.isFinite(max) && { maxLength: max }),
      ...(pattern && { pattern: pattern.source }),
    });
}
