import { z } from 'zod';
import { notInSpecification } from './lenient.ts';
import { rule } from './rule.ts';
import {
  bounded,
  cursor,
  cursorPattern,
  unicode,
  idempotencyKey,
  idempotencyKeyPattern,
  localDate,
  localDateTime,
  localDateTimePattern,
  yearMonth,
  yearMonthPattern,
  hoursMinutes,
  waitSeconds,
  waitSecondsPattern,
} from './value-rules.ts';
import { MAX_DECIMAL } from './minutes.ts';

/** The bounds of a string. */
export interface TextBounds {
  /** Minimum length in Unicode code points. Default 0. */
  readonly min?: number | undefined;
  /** Maximum length in Unicode code points. Default none. */
  readonly max?: number | undefined;
  /** Pattern of the whole string. It is checked only if the string is within the other bounds. */
  readonly pattern?: RegExp | undefined;
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

/**
 * A string of which the specification shows only some values (section 2.11). Editors suggest those, but any other value
 * is valid.
 */
export function openEnum<const Known extends string>(
  ...known: readonly Known[]
): z.ZodType<Known | (string & {}), string> {
  return notInSpecification(text()).meta({ examples: [...known] });
}

const MAX_IDENTIFIER_LENGTH = 255;

/**
 * An opaque identifier, 1 to 255 code points. Do not parse it: the form of payroll contract ids may change (section 1).
 * The specification states no length, so responses may contain other lengths.
 */
export const Identifier = notInSpecification(text({ min: 1, max: MAX_IDENTIFIER_LENGTH }));

/**
 * The value of the header `Idempotency-Key`. Requests with the same key take effect once. An extension of the
 * specification.
 *
 * @example
 * IdempotencyKey.safeParse('run-7/42').success; // true
 */
export const IdempotencyKey = z.string().check(rule(idempotencyKey)).meta({ pattern: idempotencyKeyPattern.source });

/**
 * A position in the changes of an HR cloud: the header `HR-Cursor` of a response. Do not parse it. An extension of the
 * specification.
 */
export const Cursor = z.string().check(rule(cursor)).meta({ pattern: cursorPattern.source });

/** A time to wait in seconds, as in a URL. */
export const WaitSeconds = z.string().check(rule(waitSeconds)).meta({ pattern: waitSecondsPattern.source });

/**
 * A calendar date `YYYY-MM-DD` that exists, from 0001-01-01 on, as in RFC 3339.
 *
 * @example
 * LocalDate.safeParse('2026-02-29').success; // false
 */
export const LocalDate = z.string().check(rule(localDate)).meta({ format: 'date' });

/**
 * A local date and time without offset (section 2.8), `YYYY-MM-DDTHH:MM[:SS[.fraction]]`. It is not an instant, so do
 * not convert it to a `Date`.
 */
export const LocalDateTime = z.string().check(rule(localDateTime)).meta({ pattern: localDateTimePattern.source });

/**
 * A month `YYYY-MM`, 01 to 12 (section 8).
 *
 * @example
 * YearMonth.safeParse('2026-13').success; // false
 */
export const YearMonth = z.string().check(rule(yearMonth)).meta({ pattern: yearMonthPattern.source });

/**
 * A finite IEEE double (RFC 7493) with an absolute value of at most 1e12. The specification states no range, so
 * responses may contain larger numbers.
 */
export const Decimal = notInSpecification(z.number().gte(-MAX_DECIMAL).lte(MAX_DECIMAL));

/**
 * Hours and minutes in one number, with the minutes as decimals: 90 minutes are 1.30 (section 2.8). Convert with
 * `toMinutes` before you add such numbers.
 *
 * @example
 * HoursMinutes.safeParse(1.75).success; // false: no hour has 75 minutes
 */
export const HoursMinutes = Decimal.check(rule(hoursMinutes)).meta({
  description: 'Hours and minutes; the decimal part is the minutes, 00 to 59: 1.30 is 90 minutes.',
});
