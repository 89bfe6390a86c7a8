import { z } from 'zod';
import { refuse } from './text.ts';

const pattern = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/**
 * A month `YYYY-MM`, 01 to 12 (section 8).
 *
 * @example
 * YearMonth.safeParse('2026-13').success; // false
 */
export const YearMonth = z
  .string()
  .check((context) => {
    if (context.value.length !== 7 || !pattern.test(context.value)) refuse(context, 'month', pattern);
  })
  .meta({ pattern: pattern.source });
