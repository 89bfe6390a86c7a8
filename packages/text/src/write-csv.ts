import { isLocalDate } from '@hr/schemas/checks';
import { cellOfText } from '@hr/schemas/rules';
import { stringify } from 'csv-stringify/sync';
import { readNumber } from './decimal.ts';
import { textOf } from './text-of.ts';

/** The language of a spreadsheet, which decides on its decimal sign and the separator of its CSV. */
export type Spreadsheet = 'de' | 'en';

/** A column of CSV. */
export interface CsvColumn<Row> {
  readonly name: string;
  /** A missing value is an empty cell, an object is JSON. */
  readonly value: (row: Row) => unknown;
  /**
   * What its texts are: `date` for `2026-01-31`, `datetime` for `2026-01-31T08:15:00`. A spreadsheet reads those as such,
   * and texts of other columns as texts.
   */
  readonly type?: string;
}

/**
 * CSV (RFC 4180) with a header line. No value is empty, and an empty text is `""`.
 *
 * With a spreadsheet, it opens by a double click: numbers and dates as such, and everything else as text. Without one, it
 * contains the values unchanged.
 */
export function csv<Row>(columns: readonly CsvColumn<Row>[], rows: Iterable<Row>, spreadsheet?: Spreadsheet): string {
  return csvHeader(columns, spreadsheet) + csvLines(columns, rows, spreadsheet);
}

const BYTE_ORDER_MARK = '\uFEFF';

/** The header line of {@link csv}. */
export function csvHeader(columns: readonly CsvColumn<never>[], spreadsheet?: Spreadsheet): string {
  const names = columns.map(({ name }) => (spreadsheet ? cellOfText(name) : name));
  return (spreadsheet ? BYTE_ORDER_MARK : '') + lines([names], spreadsheet);
}

/** The lines of rows of {@link csv}. */
export function csvLines<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: Iterable<Row>,
  spreadsheet?: Spreadsheet,
): string {
  const cells = (row: Row): (string | undefined)[] =>
    columns.map(({ value, type }) => (spreadsheet ? cellOf(value(row), type, spreadsheet) : textOf(value(row))));
  return lines(Array.from(rows, cells), spreadsheet);
}

function lines(records: (string | undefined)[][], spreadsheet: Spreadsheet | undefined): string {
  return stringify(records, {
    delimiter: spreadsheet === 'de' ? ';' : ',',
    record_delimiter: '\r\n',
    // Some importers split at a comma whatever the delimiter is, and drop spaces outside of quotes.
    quoted_match: /^$|^\s|\s$|[,\r\n]/,
    // Many readers skip an empty line, so a row of one column without a value is `""`.
    quoted_empty: records[0]?.length === 1,
  });
}

function cellOf(value: unknown, type: string | undefined, spreadsheet: Spreadsheet): string | undefined {
  const text = textOf(value);
  if (text === undefined || typeof value === 'boolean') return text;
  if (typeof value === 'number') {
    // 1.234 could be 1234 to other readers.
    const number = typeof readNumber(text) === 'object' ? `${text}0` : text;
    return spreadsheet === 'de' ? number.replace('.', ',') : number;
  }
  if (type === 'date' && isLocalDate(text)) return text;
  if (type === 'datetime' && localDateTime.test(text)) return text.replace('T', ' ');
  return cellOfText(text);
}

const localDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/;
