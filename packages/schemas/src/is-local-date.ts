/** The form of a calendar date, which also matches dates that do not exist. */
export const localDatePattern = /^\d{4}-\d{2}-\d{2}$/;

const HYPHEN = 0x2d;
const ZERO = 0x30;
const DATE_LENGTH = 10;

/** Whether a string is a calendar date `YYYY-MM-DD` that exists, from 0001-01-01 on. */
export function isLocalDate(value: string): boolean {
  return value.length === DATE_LENGTH && startsWithLocalDate(value);
}

/** Whether the first ten characters are a calendar date. A list has millions of dates, so it reads them as they are. */
export function startsWithLocalDate(value: string): boolean {
  if (value.charCodeAt(4) !== HYPHEN || value.charCodeAt(7) !== HYPHEN) return false;
  const [year, month, day] = [digitsAt(value, 0, 4), digitsAt(value, 5, 7), digitsAt(value, 8, 10)];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month);
}

/** The number that digits form; NaN if one is no digit. */
function digitsAt(value: string, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = value.charCodeAt(at) - ZERO;
    number = digit >= 0 && digit <= 9 ? number * 10 + digit : Number.NaN;
  }
  return number;
}

function daysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
