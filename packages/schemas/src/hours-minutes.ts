import { Decimal } from './decimal.ts';
import { hoursAndMinutes } from './minutes.ts';

/**
 * Hours and minutes in one number, with the minutes as decimals: 90 minutes are 1.30 (section 2.8). Convert with
 * `toMinutes` before you add such numbers.
 *
 * @example
 * HoursMinutes.safeParse(1.75).success; // false: no hour has 75 minutes
 */
export const HoursMinutes = Decimal.check((context) => {
  if (hoursAndMinutes(context.value) === undefined) {
    context.issues.push({
      code: 'invalid_format',
      format: 'hours-minutes',
      continue: true,
      input: String(context.value),
    });
  }
}).meta({ description: 'Hours and minutes; the decimal part is the minutes, 00 to 59: 1.30 is 90 minutes.' });
