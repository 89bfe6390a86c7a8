import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellOfText, textOfCell } from '../src/rules/index.ts';

test.each([
  ['Müller', 'Müller'],
  ['=1+1', "'=1+1"],
  [' @SUM(A1)', "' @SUM(A1)"],
  ['00123', '="00123"'],
  ['wahr', '="wahr"'],
])('a spreadsheet shows %j for the cell %j', (text, cell) => {
  expect(cellOfText(text)).toBe(cell);
});

test('a cell has its text back, unless the text looks like a cell itself', () => {
  const letter = fc.constantFrom("'", '"', '=', '+', '-', '@', '\t', ' ', '1', 'a', '＝', 'ü');
  const text = fc.string({ unit: letter }).filter((each) => !/^="[^"]*"$|^\t/.test(each));
  fc.assert(
    fc.property(text, (each) => {
      expect(textOfCell(cellOfText(each))).toBe(each);
    }),
  );
});
