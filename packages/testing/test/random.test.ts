import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../src/fixtures/random.ts';

test('a key gives the same numbers everywhere', () => {
  const random = seededRandom(1, 'dice', 7);
  expect(Array.from({ length: 12 }, () => random.integer(1, 6))).toEqual([5, 6, 4, 1, 4, 4, 6, 3, 6, 3, 5, 1]);
});

test('numbers stay within their bounds, both of which occur', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: -100, max: 100 }), fc.nat({ max: 5 }), (key, min, span) => {
      const random = seededRandom(key);
      const seen = new Set(Array.from({ length: 400 }, () => random.integer(min, min + span)));
      expect([...seen].toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: span + 1 }, (_, n) => min + n),
      );
    }),
  );
});

test('other keys give other numbers', () => {
  const key = fc.tuple(fc.integer(), fc.constantFrom('person', 'absences'), fc.nat());
  fc.assert(
    fc.property(key, key, (one, other) => {
      fc.pre(one.join('/') !== other.join('/'));
      const draw = (from: typeof one): number[] => {
        const random = seededRandom(...from);
        return Array.from({ length: 8 }, () => random.integer(0, 999_999));
      };
      expect(draw(one)).not.toEqual(draw(other));
    }),
  );
});

test('a share is a share', () => {
  const random = seededRandom('coin');
  const heads = Array.from({ length: 10_000 }, () => random.chance(0.25)).filter(Boolean).length;
  expect(heads).toBeGreaterThan(2300);
  expect(heads).toBeLessThan(2700);
});
