import { cellOfText } from '@hr/schemas/rules';
import { stringify } from 'csv-stringify/sync';

export interface CsvColumn<Row> {
  readonly name: string;
  /** A missing value is an empty cell. Numbers stay numbers. */
  readonly value: (row: Row) => string | number | undefined;
  /** Whether its texts are dates `YYYY-MM-DD`, which spreadsheets read as such. */
  readonly isDate?: boolean;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** CSV that a spreadsheet of the language opens by a double click: numbers and dates as such, and everything else as text. */
export function csv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[], locale: 'de' | 'en'): string {
  const cell = (column: CsvColumn<Row>, row: Row): string => {
    const value = column.value(row) ?? '';
    if (typeof value === 'number') return locale === 'de' ? String(value).replace('.', ',') : String(value);
    return column.isDate && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : cellOfText(value);
  };
  const table = [
    columns.map(({ name }) => cellOfText(name)),
    ...rows.map((row) => columns.map((column) => cell(column, row))),
  ];
  const delimiter = locale === 'de' ? ';' : ',';
  return BYTE_ORDER_MARK + stringify(table, { delimiter, record_delimiter: '\r\n' });
}
