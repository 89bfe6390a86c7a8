import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, addMonths, daysFrom, endOfMonth, isWorkingDay, workingDay } from '../src/fixtures/calendar.ts';

const date = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((instant) => instant.toISOString().slice(0, 10));

test('months and days', () => {
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-01');
  expect(addMonths('2026-01-31', -13)).toBe('2024-12-01');
  expect(endOfMonth('2024-02-10')).toBe('2024-02-29');
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
  expect(daysFrom('2024-02-01', '2024-02-29')).toBe(29);
});

test('adding months is the same at once and in two steps', () => {
  fc.assert(
    fc.property(date, fc.integer({ min: -300, max: 300 }), fc.integer({ min: -300, max: 300 }), (day, one, other) => {
      expect(addMonths(addMonths(day, one), other)).toBe(addMonths(day, one + other));
    }),
  );
});

test('public holidays of all of Germany are no working days', () => {
  const weekdayHolidays = [
    ['2024-01-01', '2024-03-29', '2024-04-01', '2024-05-01', '2024-05-09', '2024-05-20', '2024-10-03', '2024-12-25'],
    ['2025-04-18', '2025-04-21', '2025-05-01', '2025-05-29', '2025-06-09', '2025-10-03', '2025-12-25', '2025-12-26'],
    ['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-01', '2026-05-14', '2026-05-25', '2026-12-25'],
    ['2038-04-23', '2038-04-26'],
  ].flat();
  for (const day of weekdayHolidays) expect([day, isWorkingDay(day)]).toEqual([day, false]);
});

test('a year has about 250 working days', () => {
  const days = Array.from({ length: 365 }, (_, n) => addDays('2026-01-01', n));
  expect(days.filter(isWorkingDay)).toHaveLength(254);
});

test('the n-th working day has n working days up to it', () => {
  fc.assert(
    fc.property(date, fc.integer({ min: 1, max: 30 }), (from, n) => {
      const found = workingDay(from, n);
      const days = Array.from({ length: daysFrom(from, found) }, (_, index) => addDays(from, index));
      expect(isWorkingDay(found)).toBe(true);
      expect(days.filter(isWorkingDay)).toHaveLength(n);
    }),
  );
});
