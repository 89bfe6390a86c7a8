import { z } from 'zod';
import { isLocalDate } from './is-local-date.ts';
import { refuse } from './text.ts';

const pattern = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?$/;
const LONGEST = '2026-01-31T08:15:00.123456789'.length;

/**
 * A local date and time without offset (section 2.8), `YYYY-MM-DDTHH:MM[:SS[.fraction]]`. It is not an instant, so do
 * not convert it to a `Date`.
 */
export const LocalDateTime = z
  .string()
  .check((context) => {
    const { value } = context;
    if (value.length > LONGEST || !pattern.test(value) || !isLocalDate(value.slice(0, 10))) {
      refuse(context, 'local-date-time', pattern);
    }
  })
  .meta({ pattern: pattern.source });
