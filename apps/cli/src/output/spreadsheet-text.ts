import { isLocalDate } from '@hr/schemas';
import { textOf, type ColumnType } from './record-kind.ts';

/** The language of a spreadsheet, which decides on its decimal sign and the separator of its CSV. */
export type Spreadsheet = 'de' | 'en';

/** The language of the spreadsheet that a locale suggests: a decimal comma means the German form. */
export function localSpreadsheet(env: NodeJS.ProcessEnv): Spreadsheet {
  const [locale = ''] = (env['LC_ALL'] || env['LC_NUMERIC'] || env['LANG'] || '').split(/[.@]/);
  try {
    return new Intl.NumberFormat(locale.replaceAll('_', '-')).format(0.5).includes(',') ? 'de' : 'en';
  } catch {
    // Such as "C".
    return 'en';
  }
}

/**
 * A value as the text of a CSV cell that a spreadsheet opens as what it is: numbers and dates as such, and everything
 * else as text.
 */
export function spreadsheetText(type: ColumnType, value: unknown, spreadsheet: Spreadsheet): string | undefined {
  const text = textOf(value);
  if (text === undefined || typeof value === 'boolean') return text;
  if (typeof value === 'number' && (type === 'number' || type === 'integer')) {
    return spreadsheet === 'de' ? text.replace('.', ',') : text;
  }
  if (type === 'date' && isLocalDate(text)) return text;
  if (type === 'datetime' && localDateTime.test(text)) return text.replace('T', ' ');
  return literal(text);
}

const localDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/;

/** The maximum length of a text in a formula of Excel. */
const MAX_FORMULA_TEXT = 255;

/** Text that the spreadsheet shows, but neither runs as a formula nor turns into a number, a date or a truth value. */
function literal(text: string): string {
  if (isFormula(text)) return `'${text}`;
  // Excel reads 00123 as 123, 1234567890123456 as 1.23457E+15, 12-2026 as a date and 5 a as a time. There are too many
  // such forms to list, so that each text with a digit is the constant of a formula. Without quotes it cannot leave it.
  const converts = /\p{Nd}|^\s*(?:true|false|wahr|falsch)\s*$/iu.test(text);
  return converts && text.length <= MAX_FORMULA_TEXT && !/["\p{Cc}]/u.test(text) ? `="${text}"` : text;
}

/** The text of a cell: without what {@link spreadsheetText} adds to it, or with a tab, another program. */
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
