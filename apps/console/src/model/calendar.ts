/** Dates and months as texts of the API, `YYYY-MM-DD` and `YYYY-MM`. They have no time zone. */

const DAYS_A_WEEK = 7;
const MONTHS_A_YEAR = 12;
const DAY_MS = 86_400_000;

/** Today in the time zone of the process or the browser. */
export function today(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())).toISOString().slice(0, 10);
}

/** Adds months to a month `YYYY-MM`. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const months = year * MONTHS_A_YEAR + number - 1 + count;
  const text = String((months % MONTHS_A_YEAR) + 1).padStart(2, '0');
  return `${String(Math.floor(months / MONTHS_A_YEAR)).padStart(4, '0')}-${text}`;
}

/** Returns all months from the first to the last, both inclusive. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = first; month <= last; month = addMonths(month, 1)) months.push(month);
  return months;
}

/** A week of a calendar, from Monday to Sunday. */
export interface Week {
  /** Number of the week by ISO 8601. */
  readonly number: number;
  /** Seven dates. Those of other months are undefined. */
  readonly days: readonly (string | undefined)[];
}

/** Returns the weeks of a month `YYYY-MM`, Monday first. */
export function weeksOf(month: string): Week[] {
  const first = `${month}-01`;
  const start = addDays(first, -weekdayOf(first));
  const weeks: Week[] = [];
  for (let monday = start; monday.slice(0, 7) <= month; monday = addDays(monday, DAYS_A_WEEK)) {
    const days = Array.from({ length: DAYS_A_WEEK }, (_, day) => addDays(monday, day));
    weeks.push({
      number: weekNumber(monday),
      days: days.map((date) => (date.startsWith(month) ? date : undefined)),
    });
  }
  return weeks;
}

/** Adds days to a date. */
export function addDays(date: string, count: number): string {
  return new Date(Date.parse(`${date}T00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** 0 is Monday. */
function weekdayOf(date: string): number {
  return (new Date(`${date}T00:00Z`).getUTCDay() + DAYS_A_WEEK - 1) % DAYS_A_WEEK;
}

/** Week 1 is the one with the first Thursday of the year. */
function weekNumber(monday: string): number {
  const thursday = addDays(monday, 3);
  const dayOfYear = (Date.parse(`${thursday}T00:00Z`) - Date.parse(`${thursday.slice(0, 4)}-01-01T00:00Z`)) / DAY_MS;
  return Math.floor(dayOfYear / DAYS_A_WEEK) + 1;
}
