import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readNumber } from '../src/decimal.ts';

test.each([
  ['12', 12],
  ['-1,5', -1.5],
  ['−1.5', -1.5],
  ['1234,567', 1234.567],
  ['12345.678', 12_345.678],
  ['0.123', 0.123],
  ['1.234,50', 1234.5],
  ['1,234.50', 1234.5],
  ['1.234.567', 1_234_567],
  ['1.234.567,5', 1_234_567.5],
  ["1'234.50", 1234.5],
  ['1 234,5', 1234.5],
  ['1\u00A0234', 1234],
  ['1E-7', 1e-7],
  ['1,5e-7', 1.5e-7],
  ['1.234', { point: 1.234, comma: 1234 }],
  ['-1,234', { point: -1234, comma: -1.234 }],
  ['', undefined],
  ['12 €', undefined],
  ['1,2,3', undefined],
  ['1.23.456', undefined],
  ['1.23,5', undefined],
  ['1,234,56', undefined],
  ['100-', undefined],
  ['+1', undefined],
  ['1e5', undefined],
  ['0x10', undefined],
  ['∞', undefined],
  [',', undefined],
])('the text %j is the number %j', (text, number) => {
  expect(readNumber(text)).toEqual(number);
});

test.each(['de', 'de-CH', 'en', 'fr'])('a number that %s writes is read as it is, or is a question', (locale) => {
  const { decimal } = Object.fromEntries(
    new Intl.NumberFormat(locale).formatToParts(1.5).map(({ type, value }) => [type, value]),
  );
  const sign = decimal === ',' ? 'comma' : 'point';
  const amount = fc.oneof(
    fc.integer({ min: -(10 ** 12), max: 10 ** 12 }),
    fc.integer({ min: -(10 ** 10), max: 10 ** 10 }).map((number) => number / 1000),
    fc.integer({ min: -9_999_999, max: 9_999_999 }).map((number) => number / 1000),
  );
  const digits = fc.constantFrom(0, 2, 3);
  fc.assert(
    fc.property(amount, digits, fc.boolean(), (value, minimumFractionDigits, useGrouping) => {
      const text = value.toLocaleString(locale, { minimumFractionDigits, maximumFractionDigits: 3, useGrouping });
      const number = readNumber(text);
      expect(readNumber(text, sign)).toBe(value);
      expect(typeof number === 'object' ? number[sign] : number).toBe(value);
      expect(typeof number === 'object').toBe(/^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text));
    }),
  );
});
