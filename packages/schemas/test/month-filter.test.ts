import { expect, test } from 'vitest';
import { monthOf, withinMonths } from '../src/rules/index.ts';

test('the month of an entry is a month as the API writes it', () => {
  expect(monthOf({ year: 2026, month: 1 })).toBe('2026-01');
  expect(monthOf({ year: 2026, month: 12 })).toBe('2026-12');
  expect(monthOf({ year: 33, month: 7 })).toBe('0033-07');
});

test('both ends are inclusive and optional', () => {
  const months = ['2025-11', '2025-12', '2026-01', '2026-02'];
  const within = (period: { from?: string; to?: string }) => months.filter((month) => withinMonths(month, period));
  expect(within({})).toEqual(months);
  expect(within({ from: '2025-12' })).toEqual(['2025-12', '2026-01', '2026-02']);
  expect(within({ to: '2025-12' })).toEqual(['2025-11', '2025-12']);
  expect(within({ from: '2025-12', to: '2026-01' })).toEqual(['2025-12', '2026-01']);
  expect(within({ from: '2026-01', to: '2026-01' })).toEqual(['2026-01']);
  expect(within({ from: '2026-03' })).toEqual([]);
});
