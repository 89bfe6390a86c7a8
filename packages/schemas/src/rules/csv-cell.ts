/** The maximum length of a text in a formula of Excel. */
const MAX_FORMULA_TEXT = 255;

/**
 * Returns the CSV cell of a text that a spreadsheet shows, but neither runs as a formula nor turns into a number, a date
 * or a truth value.
 *
 * @example
 * cellOfText('=1+1'); // "'=1+1"
 * cellOfText('00123'); // '="00123"'
 */
export function cellOfText(text: string): string {
  if (isFormula(text)) return `'${text}`;
  // Excel reads 00123 as 123, 1234567890123456 as 1.23457E+15, 12-2026 as a date and 5 a as a time. There are too many
  // such forms to list, so that each text with a digit is the constant of a formula. Without quotes it cannot leave it.
  const converts = /\p{Nd}|^\s*(?:true|false|wahr|falsch)\s*$/iu.test(text);
  return converts && text.length <= MAX_FORMULA_TEXT && !/["\p{Cc}]/u.test(text) ? `="${text}"` : text;
}

/** Returns the text of a cell: without what {@link cellOfText} adds to it, or with a tab, another program. */
export function textOfCell(cell: string): string {
  const [, constant] = /^="([^"]*)"$/.exec(cell) ?? [];
  return constant ?? (/^['\t]/.test(cell) && isFormula(cell.slice(1)) ? cell.slice(1) : cell);
}

/**
 * Whether spreadsheets take a text for a formula. Some ignore leading spaces, and read full-width forms. A formula behind
 * `'` counts too, so that its `'` is not taken for an added one.
 */
function isFormula(text: string): boolean {
  const marked = text.replace(/^'+/, '');
  if (/^[\t\r]/.test(marked)) return true;
  const [first = ''] = marked.replace(/^[\s\p{C}]+/u, '');
  return first !== '' && '=+-@'.includes(first.normalize('NFKC'));
}
