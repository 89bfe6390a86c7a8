import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryAfter } from '../src/token-failure.ts';
import { fakeTime } from './fake-time.ts';

test('Retry-After in seconds', () => {
  fc.assert(
    fc.property(fc.nat(), (seconds) => {
      expect(retryAfter(String(seconds))).toBe(seconds * 1000);
    }),
  );
});

const date = (ms: number) => new Date(Date.now() + ms).toUTCString();

test('Retry-After as a date is the time until then, and 0 for a past date', () => {
  fakeTime();

  expect(retryAfter(date(90_000))).toBe(90_000);
  expect(retryAfter(date(-90_000))).toBe(0);
});

test('any Retry-After is a wait of zero or more, or ignored', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)), (header) => {
      const wait = retryAfter(header);
      expect(wait === undefined || wait >= 0).toBe(true);
    }),
  );
  expect(retryAfter(null)).toBeUndefined();
  expect(retryAfter('soon')).toBeUndefined();
});
