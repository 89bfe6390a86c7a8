import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryAfter } from '../src/retry-after.ts';

test('seconds are seconds', () => {
  fc.assert(
    fc.property(fc.nat(), (seconds) => {
      expect(retryAfter(String(seconds))).toBe(seconds * 1000);
    }),
  );
});

const date = (ms: number) => new Date(Date.now() + ms).toUTCString();

test('a date to come is the time until then, one gone by no time', () => {
  expect(Math.round((retryAfter(date(90_000)) ?? 0) / 5000)).toBe(18);
  expect(retryAfter(date(-90_000))).toBe(0);
});

test('any header gives a wait of zero or more, or none', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)), (header) => {
      const wait = retryAfter(header);
      expect(wait === undefined || wait >= 0).toBe(true);
    }),
  );
  expect(retryAfter(null)).toBeUndefined();
  expect(retryAfter('soon')).toBeUndefined();
});
