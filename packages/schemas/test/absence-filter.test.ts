import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesAbsenceFilter } from '../src/rules/index.ts';

// A month of days is enough to have every order of four of them.
const day = fc.integer({ min: 1, max: 31 }).map((n) => `2026-01-${String(n).padStart(2, '0')}`);
const days = Array.from({ length: 60 }, (_, n) => new Date(Date.UTC(2025, 11, 20 + n)).toISOString().slice(0, 10));
const absence = fc
  .tuple(day, fc.option(day))
  .map(([startDate, end]) => ({ startDate, endDate: end !== null && end < startDate ? startDate : end }));

/** The days of an absence, one by one; without end it outlasts every day there is here. */
const daysOf = ({ startDate, endDate }: { startDate: string; endDate: string | null }) =>
  days.filter((date) => date >= startDate && (endDate === null || date <= endDate));

test('from alone: absences that start on that day, or have started and do not end before it', () => {
  const law = fc.property(absence, day, (one, from) => {
    expect(matchesAbsenceFilter(one, { from })).toBe(daysOf(one).includes(from));
  });
  fc.assert(law, { numRuns: 500 });
});

test('to alone: absences that start on or before that day', () => {
  const law = fc.property(absence, day, (one, to) => {
    expect(matchesAbsenceFilter(one, { to })).toBe(daysOf(one).some((date) => date <= to));
  });
  fc.assert(law, { numRuns: 500 });
});

test('both: absences with a day in the window', () => {
  const law = fc.property(absence, day, day, (one, a, b) => {
    const [from, to] = a < b ? [a, b] : [b, a];
    const touches = daysOf(one).some((date) => date >= from && date <= to);
    expect(matchesAbsenceFilter(one, { from, to })).toBe(touches);
  });
  fc.assert(law, { numRuns: 1000 });
});

test('neither: every absence', () => {
  expect(matchesAbsenceFilter({ startDate: '2026-01-31' }, {})).toBe(true);
  // As a tolerant reader may find it.
  const gap = {} as { startDate: string };
  expect(matchesAbsenceFilter(gap, { from: '2026-01-01', to: '2026-01-31' })).toBe(true);
  expect(matchesAbsenceFilter({ startDate: '2026-01-31', endDate: undefined }, { from: '2999-12-31' })).toBe(true);
});
