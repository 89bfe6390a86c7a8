import { z } from 'zod';

/** What a string is held to. */
export interface TextBounds {
  /** Shortest length in Unicode code points. Default 0. */
  readonly min?: number;
  /** Greatest length in Unicode code points. Default none. */
  readonly max?: number;
  /** What the whole string must match. It is tried only on strings within the bounds. */
  readonly pattern?: RegExp;
}

/**
 * A string with bounds. Lengths count Unicode code points, as JSON Schema and PostgreSQL do, not UTF-16 units;
 * lone surrogates and NUL, which no database stores, are refused.
 *
 * @example
 * text({ max: 80 }).parse('Zoë');
 */
export function text({ min = 0, max = Number.POSITIVE_INFINITY, pattern }: TextBounds = {}): z.ZodString {
  return z
    .string()
    .check((context) => {
      const { value } = context;
      const issue = (name: 'too_big' | 'too_small', bound: object): void => {
        context.issues.push({
          code: name,
          origin: 'string',
          inclusive: true,
          continue: true,
          input: value,
          ...bound,
        } as never);
      };
      // No string has more code points than UTF-16 units, so the exact count is rarely needed; and a pattern
      // never sees a string of unbounded length.
      if (value.length > max && (value.length > 2 * max || codePoints(value) > max)) issue('too_big', { maximum: max });
      else if (value.length < 2 * min && codePoints(value) < min) issue('too_small', { minimum: min });
      else if (!value.isWellFormed() || value.includes('\0')) refuse(context, 'unicode');
      else if (pattern && !pattern.test(value)) refuse(context, 'regex', pattern);
    })
    .meta({
      ...(min && { minLength: min }),
      ...(Number.isFinite(max) && { maxLength: max }),
      ...(pattern && { pattern: pattern.source }),
    });
}

/** Reports a string of the wrong form; the form's name becomes part of the issue. */
export function refuse(context: z.core.ParsePayload<string>, format: string, pattern?: RegExp): void {
  context.issues.push({
    code: 'invalid_format',
    format,
    continue: true,
    input: context.value,
    ...(pattern && { pattern: pattern.source }),
  });
}

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}
