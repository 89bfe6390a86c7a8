import { stringify } from 'csv-stringify/sync';

export interface CsvColumn<Row> {
  readonly name: string;
  /** A missing value is an empty cell. Numbers stay numbers. */
  readonly value: (row: Row) => string | number | undefined;
  /** Whether its texts are dates `YYYY-MM-DD`, which spreadsheets read as such. */
  readonly isDate?: boolean;
}

const BYTE_ORDER_MARK = '\uFEFF';
/** The maximum length of a text in a formula of Excel. */
const MAX_FORMULA_TEXT = 255;

/** CSV that a spreadsheet of the language opens by a double click: numbers and dates as such, and everything else as text. */
export function csv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[], locale: 'de' | 'en'): string {
  const cell = (column: CsvColumn<Row>, row: Row): string => {
    const value = column.value(row) ?? '';
    if (typeof value === 'number') return locale === 'de' ? String(value).replace('.', ',') : String(value);
    return column.isDate && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : spreadsheetText(value);
  };
  const table = [
    columns.map(({ name }) => spreadsheetText(name)),
    ...rows.map((row) => columns.map((column) => cell(column, row))),
  ];
  const delimiter = locale === 'de' ? ';' : ',';
  return BYTE_ORDER_MARK + stringify(table, { delimiter, record_delimiter: '\r\n' });
}

/** Text that the spreadsheet shows, but neither runs as a formula nor turns into a number, a date or a truth value. */
function spreadsheetText(text: string): string {
  // Some ignore leading blanks, and read full-width forms.
  const [first = ''] = text.replace(/^[\s\p{C}]+/u, '');
  if (/^[\t\r]/.test(text) || (first !== '' && '=+-@'.includes(first.normalize('NFKC')))) return `'${text}`;
  // Excel reads 00123 as 123, 1234567890123456 as 1.23457E+15 and 12-2026 as a date. A text with a digit is therefore the
  // constant of a formula, which it cannot leave without quotes.
  const converts = /\p{Nd}|^\s*(?:true|false|wahr|falsch)\s*$/iu.test(text);
  return converts && text.length <= MAX_FORMULA_TEXT && !/["\p{Cc}]/u.test(text) ? `="${text}"` : text;
}
