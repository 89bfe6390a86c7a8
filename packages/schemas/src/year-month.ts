import { z } from 'zod';
import { rule } from './rule.ts';
import { yearMonth, yearMonthPattern } from './value-rules.ts';

/**
 * A month `YYYY-MM`, 01 to 12 (section 8).
 *
 * @example
 * YearMonth.safeParse('2026-13').success; // false
 */
export const YearMonth = z.string().check(rule(yearMonth)).meta({ pattern: yearMonthPattern.source });
