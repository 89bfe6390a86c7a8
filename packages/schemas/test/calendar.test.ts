import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLocalDate, LocalDate, LocalDateTime, YearMonth } from '../src/index.ts';

const written = (year: number, month: number, day: number) =>
  [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');

/** The platform's calendar: a date that exists survives the way through it. */
function exists(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year >= 1 && date.toISOString().startsWith(written(year, month, day));
}

test('dates are those of the calendar', () => {
  const year = fc.integer({ min: 0, max: 9999 });
  const agrees = fc.property(year, fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }), (y, m, d) => {
    expect(isLocalDate(written(y, m, d))).toBe(exists(y, m, d));
  });
  fc.assert(agrees, { numRuns: 2000 });
});

test('every day around the ends of months exists or not as the calendar says', () => {
  for (const year of [1, 4, 100, 400, 1900, 1999, 2000, 2023, 2024, 2100, 9999]) {
    for (let month = 1; month <= 12; month++) {
      for (const day of [1, 28, 29, 30, 31]) {
        const date = written(year, month, day);
        expect([date, isLocalDate(date)]).toEqual([date, exists(year, month, day)]);
      }
    }
  }
});

test.each(['0000-01-01', '2026-02-29', '2026-02-30', '1900-02-29', '2026-00-10', '2026-13-01', '2026-01-00'])(
  '%s is no date',
  (value) => {
    expect(isLocalDate(value)).toBe(false);
    expect(LocalDate.safeParse(value).success).toBe(false);
    expect(LocalDateTime.safeParse(`${value}T08:00:00`).success).toBe(false);
  },
);

test('months are 01 to 12', () => {
  for (let month = 0; month <= 99; month++) {
    const value = `2026-${String(month).padStart(2, '0')}`;
    expect([value, YearMonth.safeParse(value).success]).toEqual([value, month >= 1 && month <= 12]);
  }
});
