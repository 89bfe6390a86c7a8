import { printable } from '@hr/text/printable';
import { textOf } from '@hr/text/text-of';
import { csvHeader, csvLines, type Spreadsheet } from '@hr/text/write-csv';
import { inBatches } from './in-batches.ts';
import type { Column } from './record-kind.ts';

const ROWS_AT_ONCE = 500;

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

/** CSV of rows, some at a time. */
export async function* csv(
  columns: readonly Column[],
  rows: AsyncIterable<object>,
  spreadsheet: Spreadsheet | undefined,
  isTerminal: boolean,
): AsyncIterable<string> {
  const shown = isTerminal ? columns.map(printableColumn) : columns;
  yield csvHeader(shown, spreadsheet);
  for await (const batch of inBatches(rows, ROWS_AT_ONCE)) yield csvLines(shown, batch, spreadsheet);
}

function printableColumn({ value, ...column }: Column): Column {
  return { ...column, value: (row) => printableValue(value(row)) };
}

function printableValue(value: unknown): unknown {
  const text = typeof value === 'string' || typeof value === 'object' ? textOf(value) : undefined;
  return text === undefined ? value : printable(text);
}
