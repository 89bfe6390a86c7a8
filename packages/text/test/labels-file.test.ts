import fc from 'fast-check';
import { anyCharacter } from 'tooling-vitest/any-character';
import { expect, test } from 'vitest';
import { labelsCsv, readLabels } from '../src/labels-file.ts';
import { labelKinds, nameIn, type Label } from '../src/labels.ts';

test('labels are read from a file with the columns in any order', () => {
  const { labels, faults } = readLabels(
    'key;kind;de;Color\r\n"=""051""";bookingKey; Urlaub ;#E8590C\r\n\r\nEUR;currency;;\r\n051;group;"Ost; West";\r\n',
  );
  expect(faults).toEqual([]);
  expect(labels).toEqual([
    { kind: 'bookingKey', key: '051', en: '', de: 'Urlaub', color: '#e8590c' },
    { kind: 'currency', key: 'EUR', en: '', de: '', color: '' },
    { kind: 'group', key: '051', en: '', de: 'Ost; West', color: '' },
  ]);
});

test('a name is in the language, or else in the other one', () => {
  expect(nameIn('de', { en: 'Leave', de: 'Urlaub' })).toBe('Urlaub');
  expect(nameIn('en', { en: 'Leave', de: 'Urlaub' })).toBe('Leave');
  expect(nameIn('de', { en: 'Leave', de: '' })).toBe('Leave');
  expect(nameIn('en', { en: '', de: 'Urlaub' })).toBe('Urlaub');
});

test.each([
  ['', ['1 missing-column', '1 missing-column']],
  ['key,en\n1,secret', ['1 missing-column']],
  ['kind,key,label,kind', ['1 unknown-column', '1 repeated-column']],
  ['kind,key,en\nbookingKey,1,Sick, leave', ['2 surplus-cells']],
  ['kind,key,en\nkey,1,secret\nbookingKey,,secret', ['2 wrong-kind', '3 missing-key']],
  [
    'kind,key,en,de,color\nbookingKey,1,,,\n\nbookingKey,2,a,,red\nbookingKey,3,,,#000000',
    ['2 missing-name', '4 wrong-color'],
  ],
  [`kind,key,en\ngroup,1,${'x'.repeat(256)}\ngroup,2,${'x'.repeat(255)}`, ['2 too-long']],
  [
    'kind,key,en,de\ngroup,1,"a\tb"\ngroup,2,a\u202Eb\ngroup,4\u0000,a',
    ['2 wrong-character', '3 wrong-character', '4 wrong-character'],
  ],
  ['kind,key,en\ngroup,1,a\nbookingKey,1,a\ngroup,1,b', ['4 repeated-key']],
  ['kind,key\ncurrency,€\ncurrency,EUR\ncurrency,USD', ['2 wrong-currency', '4 second-currency']],
  ['kind,key,en\ngroup,1,"secret', ['2 quotes']],
])('%j has faults', (content, expected) => {
  const { faults } = readLabels(content);
  expect(faults.map(({ line, code }) => `${line} ${code}`)).toEqual(expected);
  expect(JSON.stringify(faults)).not.toContain('secret');
});

test.each(['de', 'en'] as const)('labels for a spreadsheet (%s) are read back as they were', (spreadsheet) => {
  const text = fc
    .string({ unit: anyCharacter, maxLength: 20 })
    .map((each) => each.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '').trim())
    // The cells of a text that looks like a cell itself.
    .filter((each) => !/^="[^"]*"$/.test(each));
  const color = fc.constantFrom('', '#3b6fb5');
  const kind = fc.constantFrom(...labelKinds.filter((each) => each !== 'currency'));
  const label: fc.Arbitrary<Label> = fc
    .record({ kind, key: text, en: text, de: text, color })
    .filter(({ key, en, de }) => key !== '' && en + de !== '');
  const file = fc.uniqueArray(label, { selector: (each) => `${each.kind} ${each.key}` });
  fc.assert(
    fc.property(file, (labels) => {
      const content = labelsCsv(labels, spreadsheet);
      expect(readLabels(content)).toEqual({ labels, faults: [] });
    }),
  );
});
