import { stringify } from 'csv-stringify/sync';
import { inBatches } from './in-batches.ts';
import { printable } from './printable.ts';
import { textOf, type Column } from './record-kind.ts';
import { spreadsheetText, type Spreadsheet } from './spreadsheet-text.ts';

const ROWS_AT_ONCE = 500;
const BYTE_ORDER_MARK = '\uFEFF';

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
