import { expect, test } from 'vitest';
import { uuidV7 } from '../src/audit/uuid-v7.ts';

const IDS = 100_000;

test('UUIDs of a moment are different, in the order of the calls, and of version 7', () => {
  const ids = Array.from({ length: IDS }, () => uuidV7(1_645_557_742_000));
  expect(new Set(ids).size).toBe(IDS);
  // The counter starts again after 16 million.
  expect(ids.toSorted()).toEqual(ids);
  // The time of the example in RFC 9562, appendix A.6.
  expect(ids.every((id) => /^017f22e2-79b0-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id))).toBe(true);
});

test('UUIDs are in the order of their moments', () => {
  const moments = [0, 1, 65_535, 65_536, 253_402_300_799_999];
  const ids = moments.map((moment) => uuidV7(moment));
  expect(ids.toSorted()).toEqual(ids);
  const now = uuidV7();
  expect(Math.abs(Number.parseInt(now.replace('-', '').slice(0, 12), 16) - Date.now())).toBeLessThan(60_000);
});
