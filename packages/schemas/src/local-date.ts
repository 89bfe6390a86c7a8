import { z } from 'zod';
import { rule } from './rule.ts';
import { localDate } from './value-rules.ts';

/**
 * A calendar date `YYYY-MM-DD` that exists, from 0001-01-01 on, as in RFC 3339.
 *
 * @example
 * LocalDate.safeParse('2026-02-29').success; // false
 */
export const LocalDate = z.string().check(rule(localDate)).meta({ format: 'date' });
