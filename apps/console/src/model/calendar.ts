/** Dates and months as texts of the API, `YYYY-MM-DD` and `YYYY-MM`. They have no time zone. */

const DAYS_A_WEEK = 7;
const MONTHS_A_YEAR = 12;
const DAY_MS = 86_400_000;

/** Today in the time zone of the process or the browser. */
export function today(): string {
  const now = new Date();
  return dateOf(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / DAY_MS);
}

export function monthOf(date: string): string {
  return date.slice(0, 'YYYY-MM'.length);
}

/** Adds months to a month `YYYY-MM`. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const months = year * MONTHS_A_YEAR + number - 1 + count;
  const text = String((months % MONTHS_A_YEAR) + 1).padStart(2, '0');
  return `${String(Math.floor(months / MONTHS_A_YEAR)).padStart(4, '0')}-${text}`;
}

/** The last day of a month. */
export function lastDayOf(month: string): string {
  const day = new Date(`${month}-01T00:00Z`);
  day.setUTCMonth(day.getUTCMonth() + 1, 0);
  return day.toISOString().slice(0, 10);
}

/** Returns all months from the first to the last, both inclusive. */
export function monthsBetween(first: string, last: string): string[] {
  const [count = 0, before = 0] = [last, first].map(
    (month) => Number(month.slice(0, 4)) * MONTHS_A_YEAR + Number(month.slice(5)),
  );
  return Array.from({ length: Math.max(0, count - before + 1) }, (_, index) => addMonths(first, index));
}

/** Returns the last one of some months before another, or else the first one. They are in order. */
export function nearestMonth(months: readonly string[], month: string): string | undefined {
  return months.findLast((other) => other < month) ?? months[0];
}

interface Days {
  readonly startDate: string;
  readonly endDate?: string | null | undefined;
}

/** Whether a day is one of the days from a first to a last one. Without a last one they go on. */
export function includesDay({ startDate, endDate }: Days, day: string): boolean {
  return startDate <= day && day <= (endDate ?? day);
}

/**
 * Returns the weeks of a month `YYYY-MM`, with their numbers of ISO 8601. Each has seven dates from Monday on; those of
 * other months are null.
 */
export function weeksOf(month: string) {
  const first = `${month}-01`;
  const before = weekdayOf(first);
  const days = Number(lastDayOf(month).slice(-2));
  return Array.from({ length: Math.ceil((before + days) / DAYS_A_WEEK) }, (_, week) => {
    const places = Array.from({ length: DAYS_A_WEEK }, (_day, weekday) => week * DAYS_A_WEEK + weekday - before);
    const dates = places.map((place) => (place >= 0 && place < days ? addDays(first, place) : null));
    return { number: weekNumber(first, week * DAYS_A_WEEK - before), dates };
  });
}

/** A date as a number of days, so that days can be counted. */
export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00Z`) / DAY_MS;
}

export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** Adds days to a date. */
export function addDays(date: string, count: number): string {
  return dateOf(dayNumber(date) + count);
}

/** 0 is Monday. */
export function weekdayOf(date: string): number {
  return (new Date(`${date}T00:00Z`).getUTCDay() + DAYS_A_WEEK - 1) % DAYS_A_WEEK;
}

/** The number of the week that begins so many days after a date. Week 1 is the one with the first Thursday of the year. */
function weekNumber(date: string, days: number): number {
  const thursday = new Date(Date.parse(date) + (days + 3) * DAY_MS);
  const newYear = new Date(thursday).setUTCMonth(0, 1);
  return Math.floor((thursday.getTime() - newYear) / DAY_MS / DAYS_A_WEEK) + 1;
}
