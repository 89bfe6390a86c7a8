import { isLocalDate } from '@hr/schemas';
import { cellOfText } from '@hr/schemas/rules';
import { stringify } from 'csv-stringify/sync';
import { inBatches } from './in-batches.ts';
import { printable } from './printable.ts';
import { textOf, type Column, type ColumnType } from './record-kind.ts';

const ROWS_AT_ONCE = 500;
const BYTE_ORDER_MARK = '\uFEFF';

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
 * CSV (RFC 4180) with a header line. No value is empty, and an empty text is `""`. Without a spreadsheet, it contains
 * the values unchanged.
 */
export async function* csv(
  columns: readonly Column[],
  rows: AsyncIterable<object>,
  spreadsheet: Spreadsheet | undefined,
  isTerminal: boolean,
): AsyncIterable<string> {
  const options = {
    delimiter: spreadsheet === 'de' ? ';' : ',',
    record_delimiter: '\r\n',
    // Some importers split at a comma whatever the delimiter is, and drop spaces outside of quotes.
    quoted_match: /^$|^\s|\s$|[,\r\n]/,
    // Many readers skip an empty line, so a row of one column without a value is `""`.
    quoted_empty: columns.length === 1,
  };
  const textIn = (column: Column, row: object): string | undefined => {
    const value = column.value(row);
    const text = spreadsheet ? spreadsheetText(column.type, value, spreadsheet) : textOf(value);
    return isTerminal && text ? printable(text) : text;
  };
  const header = stringify([columns.map(({ name }) => name)], options);
  yield spreadsheet ? BYTE_ORDER_MARK + header : header;
  for await (const batch of inBatches(rows, ROWS_AT_ONCE)) {
    const records = batch.map((row) => columns.map((column) => textIn(column, row)));
    yield stringify(records, options);
  }
}

/**
 * A value as the text of a CSV cell that a spreadsheet opens as what it is: numbers and dates as such, and everything
 * else as text.
 */
function spreadsheetText(type: ColumnType, value: unknown, spreadsheet: Spreadsheet): string | undefined {
  const text = textOf(value);
  if (text === undefined || typeof value === 'boolean') return text;
  if (typeof value === 'number' && (type === 'number' || type === 'integer')) {
    return spreadsheet === 'de' ? text.replace('.', ',') : text;
  }
  if (type === 'date' && isLocalDate(text)) return text;
  if (type === 'datetime' && localDateTime.test(text)) return text.replace('T', ' ');
  return cellOfText(text);
}

const localDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/;
