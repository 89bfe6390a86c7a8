import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { textLike } from '../src/contract/matchers/leaf-matcher.ts';
import { portablePattern } from '../src/contract/matchers/portable-pattern.ts';
import { foundByPact } from './pact-core.ts';

const portable = [
  /^\d{4}-(?:0[1-9]|1[0-2])$/,
  z.regexes.date,
  /^[\dA-F]{2,}\W\D?$/,
  /^\w+(-\w+)*?$/,
  /^.+@.+$/,
  /^a{b}c{,2}$/,
  /^[[\]&&a-d]+$/,
  /^[^x\]]{0,3}$/,
  /^[a~~b]+$/,
  /^\x41\.\/[\x21-\x7e]$/,
  /^$/,
];

test('a portable pattern matches the same texts in Pact and here', async () => {
  const marks = fc.string({ unit: fc.constantFrom(...Array.from('a{b},[]&~-x^0')), maxLength: 6 });
  const cases = portable.flatMap((pattern, seed) => {
    const regex = portablePattern(pattern.source) ?? '';
    const texts = fc.sample(fc.oneof(fc.stringMatching(pattern), marks), { numRuns: 20, seed });
    return ['', 'x', '٢٠٢٦-٠١', 'a{b}c{,2}', 'aé', ...texts].map((text) => {
      return { pattern, text, answer: { text }, content: { text: textLike('text', regex) } };
    });
  });
  // Where engines differ in what ends a line, none of these texts has one.
  const judged = cases.filter(({ text }) => !/[\n\r\u2028\u2029]/.test(text));
  const found = await foundByPact(judged);
  const wrong = judged.filter(({ pattern, text }, index) => pattern.test(text) !== (found[index]?.length === 0));
  expect(wrong.map(({ pattern, text }) => [pattern.source, text])).toEqual([]);
});

test.each([
  ['without a beginning', 'a$'],
  ['without an end', '^a'],
  ['with anchors of one alternative', '^a|b$'],
  ['with an escaped end', '^a\\$'],
  ['with an anchor inside', '^a$b$'],
  ['that looks ahead', '^(?=a).$'],
  ['that looks back', '^.(?<!a)$'],
  ['with a named group', '^(?<year>a)$'],
  ['that repeats a group', '^(a)\\1$'],
  ['of white space', '^\\s$'],
  ['of a word boundary', '^\\ba$'],
  ['of a property', '^\\p{L}$'],
  ['of what is no digit, in a set', '^[\\D]$'],
  ['of nothing', '^[]$'],
  ['of anything', '^[^]$'],
])('a pattern %s is not portable', (_, pattern) => {
  expect(portablePattern(pattern)).toBeUndefined();
});

test('keeps a pattern that is portable already', () => {
  const pattern = '^(?:0[1-9]|1[0-2]){2}[A-Z]$';
  expect(portablePattern(pattern)).toBe(pattern);
});
