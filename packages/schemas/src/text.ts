import { z } from 'zod';
import { notInSpecification } from './lenient.ts';

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
  // A string has at most as many code points as UTF-16 units, so the exact count is rarely needed.
  const isTooLong = (value: string) => value.length > max && (value.length > 2 * max || codePoints(value) > max);
  const isTooShort = (value: string) => value.length < 2 * min && codePoints(value) < min;

  const characters = z.string().check((context) => {
    const { value } = context;
    if (!isUnicode(value) && !isTooLong(value) && !isTooShort(value)) refuse(context, 'unicode');
  });
  return notInSpecification(characters)
    .check((context) => {
      const { value, issues } = context;
      const length = { origin: 'string', inclusive: true, continue: true, input: value } as const;
      if (isTooLong(value)) issues.push({ code: 'too_big', maximum: max, ...length });
      else if (isTooShort(value)) issues.push({ code: 'too_small', minimum: min, ...length });
      else if (pattern && !pattern.test(value) && isUnicode(value)) refuse(context, 'regex', pattern);
    })
    .meta({
      ...(min && { minLength: min }),
      ...(Number.isFinite(max) && { maxLength: max }),
      ...(pattern && { pattern: pattern.source }),
    });
}

/** Reports a string of the wrong form. The issue contains the name of the form. */
export function refuse(context: z.core.ParsePayload<string>, format: string, pattern?: RegExp): void {
  context.issues.push({
    code: 'invalid_format',
    format,
    continue: true,
    input: context.value,
    ...(pattern && { pattern: pattern.source }),
  });
}

function isUnicode(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}
