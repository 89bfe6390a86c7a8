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

test('a cell has its text back', () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(...`'"=+-@\t 1`), fc.string({ minLength: 1, maxLength: 1 })),
  });
  fc.assert(
    fc.property(
      text.filter((each) => !/^="[^"]*"$|^\t/.test(each)),
      (each) => textOfCell(cellOfText(each)) === each,
    ),
  );
});
