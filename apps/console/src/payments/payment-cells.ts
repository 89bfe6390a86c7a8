import type { DecimalSign } from '@hr/text/decimal';
import { readPaymentTable, type PaymentTable, type PaymentTableRow } from '@hr/text/payment-table';
import { CsvQuotesError } from '@hr/text/read-csv';
import { paymentFields } from '@hr/text/read-payment';
import { Problem } from '../backend/problem.ts';

export type { DecimalSign } from '@hr/text/decimal';
export type { PaymentCells as Cells, PaymentField as CellName } from '@hr/text/read-payment';

/** Rows of a pasted table. */
export interface PastedTable {
  readonly rows: readonly (PaymentTableRow & { readonly hasSurplus: boolean })[];
  /** Names of columns that no payment has. */
  readonly unreadColumns: readonly string[];
}

export const MAX_ROWS = 5000;

/**
 * Reads a table that was copied from a spreadsheet or a CSV file. Its first row may name the columns.
 *
 * @throws {Problem} `invalid-input` if the table as a whole is unusable.
 */
export function readTable(text: string, sign: DecimalSign | undefined): PastedTable {
  const named = tableOf(text, sign);
  const hasHeader = Object.keys(named.columns).length > 1;
  const { delimiter } = named;
  // Without a header, nothing would tell 250,50 from the two cells 250 and 50.
  if (!hasHeader && delimiter === ',' && named.header.length > 0) {
    throw unusable('header-needed', 'needs a header, because a comma separates it');
  }
  const { header, records, rows, faults } = hasHeader
    ? named
    : tableOf(`${paymentFields.join(delimiter)}\n${text}`, sign);
  if (rows.length === 0) throw unusable('empty', 'has no payments');
  if (rows.length > MAX_ROWS) throw unusable('too-many-rows', `must have at most ${MAX_ROWS} rows`);
  const missing = faults.filter(({ code }) => code === 'missing');
  if (missing.length > 0) throw unusable('missing-columns', missing.map(({ field }) => field).join(', '));
  const twice = faults.filter(({ code }) => code === 'repeated');
  if (twice.length > 0) throw unusable('repeated-columns', twice.map(({ heading }) => heading).join(', '));
  const hasSurplus = (line: number): boolean =>
    records
      .get(line)
      ?.slice(header.length)
      .some((cell) => cell !== '') ?? false;
  return {
    rows: rows.map((row) => ({ ...row, hasSurplus: hasSurplus(row.line) })),
    unreadColumns: faults.flatMap(({ code, heading }) => (code === 'unknown' && heading ? [heading] : [])),
  };
}

function tableOf(text: string, sign: DecimalSign | undefined): PaymentTable {
  try {
    return readPaymentTable(text, { sign });
  } catch (error) {
    if (!(error instanceof CsvQuotesError)) throw error;
    throw unusable('quotes', `line ${error.line} ${error.message}`);
  }
}

function unusable(code: string, detail: string): Problem {
  return new Problem('invalid-input', 'The table cannot be read.', { errors: [{ pointer: '/text', code, detail }] });
}
