import { expect, test } from 'vitest';
import { uuidV7 } from '../src/audit/uuid-v7.ts';

const IDS = 100_000;

test('UUIDs of version 7 are different, in the order of their moments, and then in that of the calls', () => {
  // The last but one is that of the example in RFC 9562, appendix A.6.
  const moments = [0, 65_535, 65_536, 1_645_557_742_000, 253_402_300_799_999];
  const ids = moments.flatMap((moment) => Array.from({ length: IDS }, () => uuidV7(moment)));
  expect(new Set(ids).size).toBe(ids.length);
  // The counter starts again after 16 million.
  expect(ids.toSorted()).toEqual(ids);
  const example = ids.slice(3 * IDS, 4 * IDS);
  expect(example.every((id) => /^017f22e2-79b0-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id))).toBe(true);
});
