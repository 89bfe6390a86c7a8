/** The form of a calendar date, which also matches dates that do not exist. */
export const localDatePattern = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a string is a calendar date `YYYY-MM-DD` that exists, from 0001-01-01 on. */
export function isLocalDate(value: string): boolean {
  if (value.length !== 10 || !localDatePattern.test(value)) return false;
  const [year, month, day] = [Number(value.slice(0, 4)), Number(value.slice(5, 7)), Number(value.slice(8))];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month);
}

function daysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
