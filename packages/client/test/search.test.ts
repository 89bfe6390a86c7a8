import fc from 'fast-check';
import { anyCharacter } from 'tooling-vitest/any-character';
import { expect, test } from 'vitest';
import { matches, matchingParts, searchableText, searchWords } from '../src/search.ts';

const marked = (text: string, query: string): string =>
  matchingParts(text, searchWords(query))
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('');

test.each([
  ['Müller', 'muller', '[Müller]'],
  ['Jörg Müller', 'mue JO', '[Jö]rg [Mü]ller'],
  ['Jörg Müller', 'ller', 'Jörg Müller'],
  ["O'Neill", 'neill', "O'[Neill]"],
  ['STRAẞE', 'strass', '[STRAẞ]E'],
  ['Søren Ærø', 'soe ae', '[Sø]ren [Æ]rø'],
  ['ΝΊΚΟΣ', 'νικος', '[ΝΊΚΟΣ]'],
  ['𝐀da', 'ad', '[𝐀d]a'],
  ['İnci', 'inc', '[İnc]i'],
  ['Zoe\u0308', 'zoe', '[Zoe\u0308]'],
  ['Mu\u0308ller', 'mue', '[Mu\u0308]ller'],
  ['1000-20001', '20001', '1000-[20001]'],
])('in %s, %s is highlighted as %s', (text, query, expected) => {
  expect(marked(text, query)).toBe(expected);
});

test('the parts are the text, and a text is found by the beginnings of its words', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 30 });
  fc.assert(
    fc.property(text, text, (name, query) => {
      const words = searchWords(query);
      expect(
        matchingParts(name, words)
          .map((part) => part.text)
          .join(''),
      ).toBe(name);
      expect(matches(searchableText(`${query} ${name}`), words)).toBe(true);
    }),
  );
});
