import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromMinutes, HoursMinutes, toMinutes } from '../src/index.ts';

const LARGEST = 60 * 1e12;
const minutes = fc.oneof(
  fc.integer({ min: -100_000, max: 100_000 }),
  fc.maxSafeInteger().filter((n) => Math.abs(n) <= LARGEST),
  fc.constantFrom(LARGEST, -LARGEST, 0),
);

test('minutes survive the way to hours and minutes and back', () => {
  const law = fc.property(minutes, (n) => {
    const written = fromMinutes(n);
    expect(toMinutes(written)).toBe(n);
    expect(HoursMinutes.parse(written)).toBe(written);
  });
  fc.assert(law, { numRuns: 2000 });
});

test('the JSON text is hours, a dot and the minutes', () => {
  const law = fc.property(minutes, (n) => {
    const size = Math.abs(n);
    const text = `${Math.floor(size / 60)}.${String(size % 60).padStart(2, '0')}`.replace(/\.?0+$/, '');
    expect(JSON.stringify(fromMinutes(n))).toBe(n < 0 ? `-${text}` : text);
  });
  fc.assert(law, { numRuns: 2000 });
});

test('every minute of three days and every total read from JSON', () => {
  for (let n = -4320; n <= 4320; n++) expect(toMinutes(Number(JSON.stringify(fromMinutes(n))))).toBe(n);
});

test.each([
  [1.3, 90],
  [1.14, 74],
  [0.01, 1],
  [-0.3, -30],
  [-1.3, -90],
  [8, 480],
  [23.59, 1439],
  [1.1, 70],
])('%d is %d minutes', (hoursMinutes, expected) => {
  expect(toMinutes(hoursMinutes)).toBe(expected);
  expect(fromMinutes(expected)).toBe(hoursMinutes);
});

test.each([0.6, 1.75, -1.99, 1.301, 1.1400000000000001, 0.1 + 0.2, Number.NaN, Infinity, -Infinity, 1e300])(
  '%d is no hours and minutes',
  (value) => {
    expect(() => toMinutes(value)).toThrow(RangeError);
    expect(HoursMinutes.safeParse(value).success).toBe(false);
  },
);

test.each([0.5, Number.NaN, Infinity, LARGEST + 1, -LARGEST - 1])('%d is no number of minutes', (value) => {
  expect(() => fromMinutes(value)).toThrow(RangeError);
});
