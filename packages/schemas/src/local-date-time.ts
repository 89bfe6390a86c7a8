import { z } from 'zod';
import { rule } from './rule.ts';
import { localDateTime, localDateTimePattern } from './value-rules.ts';

/**
 * A local date and time without offset (section 2.8), `YYYY-MM-DDTHH:MM[:SS[.fraction]]`. It is not an instant, so do
 * not convert it to a `Date`.
 */
export const LocalDateTime = z.string().check(rule(localDateTime)).meta({ pattern: localDateTimePattern.source });
