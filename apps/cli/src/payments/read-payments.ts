import { currentName, variablePaymentValues } from '@hr/schemas';
import { CsvError, parse } from 'csv-parse/sync';
import { CliError, exitCodes } from '../cli-error.ts';
import { checkedRow, fieldNames, type PaymentRow, type RowFault } from './payment-row.ts';

/** The format of a file with payments. */
export type PaymentFormat = 'csv' | 'ndjson';

/** The rows of a file: those that can be sent, and the faults of the others. */
export interface PaymentFile {
  readonly rows: readonly PaymentRow[];
  readonly faults: readonly RowFault[];
  /** What separates the cells of a CSV file. */
  readonly delimiter: string;
}

/**
 * Reads payments and checks each row.
 *
 * @param name - The name of the file, for errors.
 * @throws {CliError} If the file as a whole is unusable, such as by a wrong header.
 */
export function readPayments(bytes: Uint8Array, format: PaymentFormat, name: string): PaymentFile {
  let content: string;
  try {
    // It drops a byte order mark.
    content = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unusable(name, 'it is not UTF-8. Save it as UTF-8, in a spreadsheet as "CSV UTF-8".');
  }
  const file = format === 'csv' ? fromCsv(content, name) : fromNdjson(content);
  if (file.rows.length > 0 || file.faults.length > 0) return file;
  throw unusable(name, 'it has no payments.');
}

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

const numberColumns: ReadonlySet<string> = new Set(variablePaymentValues);
const requiredColumns = ['contractId', 'billingPeriod', 'compensationComponentId'];

function fromCsv(content: string, name: string): PaymentFile {
  const delimiter = /^[^\r\n]*/.exec(content)?.[0].includes(';') ? ';' : ',';
  const [header, ...records] = csvRecords(content, delimiter, name);
  const columns = header?.record ?? [];
  checkColumns(columns, name);

  const results = records.map(({ record, info: { lines: line } }) => {
    if (record.length !== columns.length) {
      const detail = `must have ${columns.length} cells like the header, but has ${record.length}. Put a cell with a delimiter in quotes`;
      return [{ line, column: '', detail }];
    }
    const fields: Record<string, unknown> = {};
    const faults: RowFault[] = [];
    for (const [index, column] of columns.entries()) {
      const text = record[index] ?? '';
      if (text === '') continue;
      const value = numberColumns.has(column) ? numberOf(text, delimiter) : text;
      if (value === undefined) {
        const example = delimiter === ';' ? '1234,50' : '1234.50';
        const reason = delimiter === ';' ? ', with a decimal comma because the delimiter is ;' : '';
        faults.push({
          line,
          column,
          detail: `must be a number such as ${example}, without thousands separators${reason}`,
        });
      }
      // A wrong number is reported already; 0 stands in for it, so that the other fields are checked.
      fields[column] = value ?? 0;
    }
    const row = checkedRow(line, fields);
    if (faults.length === 0) return row;
    return [...faults, ...(Array.isArray(row) ? row : [])];
  });
  return { ...separated(results), delimiter };
}

function csvRecords(content: string, delimiter: string, name: string): CsvRecord[] {
  try {
    return parse(content, {
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    }) as unknown as CsvRecord[];
  } catch (error) {
    // Its message quotes the file.
    if (!(error instanceof CsvError)) throw error;
    throw unusable(
      name,
      `line ${String(error['lines'])} has a quote that is not closed, or text beside quotes. Correct it.`,
    );
  }
}

/** A header with an unknown column may be a misspelt one, whose values would be missing. */
function checkColumns(columns: readonly string[], name: string): void {
  const faults = columns.flatMap((column, index) => {
    if (columns.indexOf(column) < index) return [`the column ${shown(column)} appears twice. Remove one.`];
    if (fieldNames.includes(column)) return [];
    const similar = column === 'payrollContractId' ? 'contractId' : (currentName(column) ?? similarName(column));
    const remedy = similar ? `Write ${similar}.` : 'Remove it, or correct its name.';
    return [`the column ${shown(column)} is unknown. ${remedy}`];
  });
  for (const column of requiredColumns) {
    if (!columns.includes(column)) faults.push(`the column ${column} is missing. Add it.`);
  }
  if (!columns.some((column) => numberColumns.has(column))) {
    faults.push(`a column with values is missing. Add at least one of ${variablePaymentValues.join(', ')}.`);
  }
  if (faults.length > 0)
    throw unusable(name, ['the header is wrong:', ...faults, `The columns are ${fieldNames.join(', ')}.`].join('\n  '));
}

const MAX_NAME_LENGTH_SHOWN = 40;

function shown(column: string): string {
  return JSON.stringify(column.slice(0, MAX_NAME_LENGTH_SHOWN).toWellFormed());
}

function similarName(column: string): string | undefined {
  const letters = column.replaceAll(/[^A-Za-z]/g, '').toLowerCase();
  return fieldNames.find((name) => name.toLowerCase() === letters);
}

/** A number with the decimal sign that fits the delimiter; undefined for any other text. */
export function numberOf(text: string, delimiter: string): number | undefined {
  const pattern = delimiter === ';' ? /^-?\d+(?:,\d+)?$/ : /^-?\d+(?:\.\d+)?$/;
  return pattern.test(text) ? Number(text.replace(',', '.')) : undefined;
}

function fromNdjson(content: string): PaymentFile {
  const results = content.split(/\r?\n/).flatMap((text, index) => {
    if (text.trim() === '') return [];
    const fields = objectOf(text);
    const line = index + 1;
    return [fields ? checkedRow(line, fields) : [{ line, column: '', detail: 'must be one JSON object' }]];
  });
  return { ...separated(results), delimiter: ',' };
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

function separated(results: readonly (PaymentRow | RowFault[])[]): Pick<PaymentFile, 'rows' | 'faults'> {
  return {
    rows: results.flatMap((result) => (Array.isArray(result) ? [] : [result])),
    faults: results.flatMap((result) => (Array.isArray(result) ? result : [])),
  };
}

function unusable(name: string, reason: string): CliError {
  return new CliError(`${name}: ${reason}`, exitCodes.usage);
}
