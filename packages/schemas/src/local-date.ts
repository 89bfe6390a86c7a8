import { z } from 'zod';
import { isLocalDate, localDatePattern } from './is-local-date.ts';
import { refuse } from './text.ts';

/**
 * A calendar date `YYYY-MM-DD` that exists, from 0001-01-01 on, as in RFC 3339.
 *
 * @example
 * LocalDate.safeParse('2026-02-29').success; // false
 */
export const LocalDate = z
  .string()
  .check((context) => {
    if (!isLocalDate(context.value)) refuse(context, 'date', localDatePattern);
  })
  .meta({ format: 'date' });
