import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryAfterMs } from '../src/shared-rules.ts';
import { fakeTime } from './fake-time.ts';

test('Retry-After in seconds', () => {
  fc.assert(
    fc.property(fc.nat(), (seconds) => {
      expect(retryAfterMs(String(seconds))).toBe(Math.min(seconds * 1000, 2 ** 31 - 1));
    }),
  );
});

const date = (ms: number) => new Date(Date.now() + ms).toUTCString();

test('Retry-After as a date is the time until then, and 0 for a past date', () => {
  fakeTime();

  expect(retryAfterMs(date(90_000))).toBe(90_000);
  expect(retryAfterMs(date(-90_000))).toBe(0);
});

test('any Retry-After is a wait of zero or more, or ignored', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)), (header) => {
      const wait = retryAfterMs(header);
      expect(wait === undefined || wait >= 0).toBe(true);
    }),
  );
  expect(retryAfterMs(null)).toBeUndefined();
  expect(retryAfterMs('soon')).toBeUndefined();
});
