import { variablePaymentValues } from '@hr/schemas';
import { CsvError, parse } from 'csv-parse/sync';
import { Problem } from '../backend/problem.ts';

/** The cells of a payment, in the order in which a table without a header has them. */
export const cellNames = [
  'contractId',
  'billingPeriod',
  'correctionPeriod',
  'compensationComponentId',
  ...variablePaymentValues,
] as const;
export type CellName = (typeof cellNames)[number];

/** A payment as a person typed it. */
export type Cells = Partial<Record<CellName, string>>;

/** Rows of a pasted table. */
export interface PastedTable {
  readonly rows: readonly { readonly cells: Cells; readonly surplus: readonly string[] }[];
  /** Names of columns that no payment has. */
  readonly unreadColumns: readonly string[];
}

export const MAX_ROWS = 5000;

/** Names of columns in both languages, and those of the API. */
const headers: Readonly<Record<CellName, readonly string[]>> = {
  contractId: [
    'contractId',
    'payrollContractId',
    'payroll contract',
    'contract',
    'Vertrag',
    'Vertragsnummer',
    'Abrechnungsvertrag',
  ],
  billingPeriod: ['billingPeriod', 'billing period', 'Abrechnungsmonat', 'Abrechnungsperiode'],
  correctionPeriod: ['correctionPeriod', 'correction period', 'Korrekturmonat'],
  compensationComponentId: [
    'compensationComponentId',
    'compensation component',
    'component',
    'Lohnart',
    'Lohnartnummer',
  ],
  amount: ['amount', 'Betrag'],
  hours: ['hours', 'Stunden'],
  days: ['days', 'Tage'],
  hourlyFactor: ['hourlyFactor', 'hourly factor', 'Stundenfaktor', 'Faktor'],
  percentage: ['percentage', 'Prozentsatz', 'Prozent'],
};
const columnOf = new Map(cellNames.flatMap((name) => headers[name].map((header) => [folded(header), name] as const)));
const requiredColumns = ['contractId', 'billingPeriod', 'compensationComponentId'] as const;

/**
 * Reads a table that was copied from a spreadsheet or a CSV file. Its first row may name the columns.
 *
 * @throws {Problem} `invalid-input` if the table as a whole is unusable.
 */
export function readTable(text: string): PastedTable {
  const [firstLine = ''] = text.trimStart().split(/\r?\n/, 1);
  const delimiter = ['\t', ';'].find((sign) => firstLine.includes(sign)) ?? ',';
  const [first = [], ...others] = csvRecords(text, delimiter);
  const columns = first.map((cell) => columnOf.get(folded(cell)));
  const hasHeader = columns.filter((name) => name !== undefined).length > 1;
  const records = hasHeader ? others : [first, ...others].filter((record) => record.length > 0);
  if (records.length === 0) throw unusable('empty', 'has no payments');
  if (records.length > MAX_ROWS) throw unusable('too-many-rows', `must have at most ${MAX_ROWS} rows`);
  // Without a header, nothing would tell 250,50 from the two cells 250 and 50.
  if (!hasHeader && delimiter === ',') throw unusable('header-needed', 'needs a header, because a comma separates it');
  if (!hasHeader) return { rows: records.map((record) => rowOf(record, cellNames)), unreadColumns: [] };

  const missing = requiredColumns.filter((name) => !columns.includes(name));
  if (missing.length > 0) throw unusable('missing-columns', missing.join(', '));
  const twice = columns.filter((name, index) => name !== undefined && columns.indexOf(name) < index);
  if (twice.length > 0) throw unusable('repeated-columns', twice.join(', '));
  const unreadColumns = first.filter((cell, index) => columns[index] === undefined && cell !== '');
  return { rows: records.map((record) => rowOf(record, columns)), unreadColumns };
}

function rowOf(record: readonly string[], columns: readonly (CellName | undefined)[]): PastedTable['rows'][number] {
  const named = record.flatMap((cell, index) => {
    const name = columns[index];
    return name === undefined || cell === '' ? [] : [[name, cell] as const];
  });
  return { cells: Object.fromEntries(named), surplus: record.slice(columns.length).filter((cell) => cell !== '') };
}

function csvRecords(text: string, delimiter: string): string[][] {
  try {
    return parse(text, { bom: true, delimiter, relax_column_count: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    // Its message quotes the text.
    if (!(error instanceof CsvError)) throw error;
    throw unusable('quotes', `line ${String(error['lines'])} has a quote that is not closed, or text beside quotes`);
  }
}

function unusable(code: string, detail: string): Problem {
  return new Problem('invalid-input', 'The table cannot be read.', { errors: [{ pointer: '/text', code, detail }] });
}

function folded(header: string): string {
  return header.replaceAll(/[\s_-]/g, '').toLowerCase();
}

/** The sign before the decimals of a number. */
export type DecimalSign = 'comma' | 'point';

/** Two numbers that a text may stand for. */
export interface NumberQuestion {
  readonly comma: number;
  readonly point: number;
}

const plain = /^[-−+]?\d+$/;
/** Groups of three digits, with a separator that is always the same, and decimals behind another one. */
const grouped = /^[-−+]?\d{1,3}(?:([.,'’ ])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/;
const decimals = /^[-−+]?\d+[.,]\d+$/;
const eitherOne = /^[-−+]?[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * Reads a number in German or English notation. `1.234` and `1,234` may each be two numbers, so the result is a question
 * unless the decimal sign is known. It is undefined if the text is no number.
 */
export function numberOf(text: string, sign: DecimalSign | undefined): number | NumberQuestion | undefined {
  const value = text.replaceAll(/[\u00A0\u202F]/g, ' ').trim();
  if (eitherOne.test(value)) {
    const isComma = value.includes(',');
    const [decimal, whole] = [toNumber(value.replace(',', '.')), toNumber(value.replace(/[.,]/, ''))];
    const question = { comma: isComma ? decimal : whole, point: isComma ? whole : decimal };
    return sign === undefined ? question : question[sign];
  }
  if (plain.test(value)) return toNumber(value);
  if (decimals.test(value)) return toNumber(value.replace(',', '.'));
  const [, separator] = grouped.exec(value) ?? [];
  return separator === undefined ? undefined : toNumber(value.replaceAll(separator, '').replace(',', '.'));
}

function toNumber(text: string): number {
  return Number(text.replace('−', '-'));
}

/**
 * Reads a month such as `2026-11`, `11/2026` or `11.2026`, or the German date of its first day, as which spreadsheets show
 * it. Other texts stay as they are, and no model accepts them.
 */
export function monthOf(text: string): string {
  const [, month = '', year] = /^(?:0?1\.)?(\d{1,2})[./](\d{4})$/.exec(text) ?? [];
  return year === undefined ? text : `${year}-${month.padStart(2, '0')}`;
}
