/** The maximum size of a `Decimal`. */
export const MAX_DECIMAL = 1e12;

/**
 * Converts hours and minutes to minutes: `1.3` → `90`.
 *
 * @throws {RangeError} if the minutes are 60 or more, or the number has more than two decimals.
 * @example
 * toMinutes(1.3); // 90
 */
export function toMinutes(hoursMinutes: number): number {
  const found = hoursAndMinutes(hoursMinutes);
  if (!found) throw new RangeError('Not hours and minutes: write two decimals, .00 to .59.');
  return found.sign * (found.hours * 60 + found.minutes);
}

/**
 * Converts minutes to hours and minutes: `90` → `1.3`.
 *
 * @throws {RangeError} if the number is not an integer, or more than 1e12 hours.
 * @example
 * fromMinutes(90); // 1.3
 */
export function fromMinutes(minutes: number): number {
  const size = Math.abs(minutes);
  if (!Number.isInteger(minutes) || size > 60 * MAX_DECIMAL) {
    throw new RangeError('Not minutes: give a whole number, at most 1e12 hours.');
  }
  // One division of integers gives the nearest double to the decimal; hours + minutes / 100 does not.
  const hoursMinutes = (Math.floor(size / 60) * 100 + (size % 60)) / 100;
  return minutes < 0 ? -hoursMinutes : hoursMinutes;
}

/** Parses a number of hours and minutes; `undefined` if it is invalid. */
export function hoursAndMinutes(value: number): { sign: 1 | -1; hours: number; minutes: number } | undefined {
  const size = Math.abs(value);
  const hundredths = Math.round(size * 100);
  // Only the nearest double of a number with two decimals survives the round trip.
  if (!Number.isSafeInteger(hundredths) || hundredths / 100 !== size || hundredths % 100 >= 60) return undefined;
  return { sign: value < 0 ? -1 : 1, hours: Math.floor(hundredths / 100), minutes: hundredths % 100 };
}
