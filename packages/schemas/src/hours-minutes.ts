import { Decimal } from './decimal.ts';
import { rule } from './rule.ts';
import { hoursMinutes } from './value-rules.ts';

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
