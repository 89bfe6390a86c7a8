import { isUtf8 } from 'node:buffer';
import { currentName, variablePaymentValues } from '@hr/schemas';
import type { DecimalSign } from '@hr/text/decimal';
import {
  readPaymentTable,
  type ColumnFault,
  type PaymentTable,
  type PaymentTableForm,
  type PaymentTexts,
} from '@hr/text/payment-table';
import { printable } from '@hr/text/printable';
import { CsvQuotesError, type CsvFile } from '@hr/text/read-csv';
import { checkPayment, paymentFields, type PaymentField } from '@hr/text/read-payment';
import { textOf } from '@hr/text/text-of';
import { decoded, notUtf8, unusable } from '../read-input.ts';
import type { NamedMap } from './payment-map.ts';
import { rowOf, type PaymentRow, type RowFault } from './payment-row.ts';

/** The format of a file with payments. */
export type PaymentFormat = 'csv' | 'ndjson';

/** A file of payments: the rows that can be sent, and the faults of others. A record without a value may be neither. */
export interface PaymentFile extends CsvFile {
  readonly rows: readonly PaymentRow[];
  readonly faults: readonly RowFault[];
  /** Whether a spreadsheet needs a byte order mark to read the texts of the file as UTF-8. */
  readonly bom?: boolean;
}

/** How a CSV file is written, if not as the API writes it. */
interface SheetForm {
  /** What the columns are. */
  readonly map?: NamedMap | undefined;
  /** Fields that are the same in every row, in addition to those of the map. */
  readonly values?: PaymentTexts;
  /** The sign before the decimals, for numbers such as `1.234`. */
  readonly decimal?: DecimalSign | undefined;
}

/**
 * Reads payments and checks each row.
 *
 * @param name - The name of the file, for errors.
 * @throws {CliError} If the file as a whole is unusable, such as by a wrong header or a number with two meanings.
 */
export function readPayments(
  bytes: Uint8Array,
  format: PaymentFormat,
  name: string,
  form: SheetForm = {},
): PaymentFile {
  const file = format === 'csv' ? fromCsv(bytes, name, form) : fromNdjson(decoded(bytes, name));
  if (file.rows.length === 0 && file.faults.length === 0) {
    throw unusable(name, 'it has no payments. Fill in at least one row.');
  }
  return { ...file, bom: !isUtf8(bytes) || bytes[0] === BYTE_ORDER_MARK };
}

/** Its first byte, with which no other text of payments starts. */
const BYTE_ORDER_MARK = 0xef;
const delimiters = { semicolon: ';', comma: ',', tab: '\t' };

function fromCsv(bytes: Uint8Array, name: string, { map, values, decimal = map?.decimal }: SheetForm): PaymentFile {
  const table = tableOf(decoded(bytes, name, 'windows-1252'), name, {
    columns: map?.columns,
    values: { ...map?.values, ...values },
    delimiter: map?.delimiter && delimiters[map.delimiter],
    sign: decimal,
    skipsEmpty: map && (map.ignoreRows ?? false),
  });
  checkColumns(table, name, map);
  const isInDoubt = !isUtf8(bytes) && map?.encoding === undefined;
  const columnOf = (field: string): string => printable(table.columns[field as PaymentField] ?? field);
  const results = table.rows.map(({ line, cells, question, ...checked }) => {
    const count = table.records.get(line)?.length;
    if (count !== table.header.length) {
      const detail = `must have ${table.header.length} cells like the header, but has ${count}`;
      return [{ line, column: '', detail: `${detail}. Put a cell with a delimiter in quotes` }];
    }
    // Names of people may have wrong letters, but not what is sent.
    if (isInDoubt && Object.values(cells).some((cell) => /[^ -~]/.test(cell))) throw notUtf8(name);
    if (question) {
      const place = `line ${line}: ${columnOf(question.field)} can be two numbers, as 1.234 can`;
      const command = map ? `, or store it: hr payments map ${map.name} --decimal comma|point` : '';
      const remedy = `Say which sign is before decimals: --decimal comma or --decimal point${command}`;
      throw unusable(name, `${place}. ${remedy}`);
    }
    const row = rowOf(line, checked);
    return Array.isArray(row) ? row.map((fault) => ({ ...fault, column: columnOf(fault.column) })) : row;
  });
  return { ...table, ...sorted(results) };
}

function sorted(results: readonly (PaymentRow | RowFault[])[]): Pick<PaymentFile, 'rows' | 'faults'> {
  return {
    rows: results.flatMap((result) => (Array.isArray(result) ? [] : [result])),
    faults: results.flatMap((result) => (Array.isArray(result) ? result : [])),
  };
}

function tableOf(content: string, name: string, form: PaymentTableForm): PaymentTable {
  try {
    return readPaymentTable(content, form);
  } catch (error) {
    if (error instanceof CsvQuotesError) throw unusable(name, `line ${error.line} ${error.message}. Correct it.`);
    throw error;
  }
}

/** A header with an unknown column may have a misspelt one, whose values would be missing. */
function checkColumns({ faults }: PaymentTable, name: string, map: NamedMap | undefined): void {
  const found = faults.filter(({ code }) => !(code === 'unknown' && map?.ignoreColumns));
  if (found.length === 0) return;
  const command = `hr payments map ${map?.name}`;
  const remedies = map
    ? [`To map a column: ${command} "<column>=<field>"`, `To ignore the others: ${command} --ignore-columns`]
    : [`The columns are ${paymentFields.join(', ')}.`];
  const lines = found.map((fault) => columnFault(fault, map, command));
  throw unusable(name, ['the header is wrong:', ...lines, ...remedies].join('\n  '));
}

function columnFault({ code, heading, field }: ColumnFault, map: NamedMap | undefined, command: string): string {
  const name = heading ?? field ?? '';
  const column = `the column ${JSON.stringify(printable(name.slice(0, MAX_NAME_LENGTH_SHOWN)))}`;
  const current = currentName(name);
  const values = variablePaymentValues.join(', ');
  const ofMap: Partial<Record<ColumnFault['code'], string>> = {
    unknown: `${column} is not in the map ${map?.name}. Map or ignore it.`,
    missing:
      heading === undefined
        ? `no column is ${field}. Map one, or store what is the same in every row: ${command} ${field}=<value>`
        : `${column} of the map ${map?.name} is missing. Add it, or correct the map.`,
  };
  const texts: Record<ColumnFault['code'], string> = {
    unknown: `${column} is unknown. ${current ? `Write ${current}.` : 'Remove it, or correct its name.'}`,
    repeated: `${column} appears twice. Remove one.`,
    missing: `the column ${field} is missing. Add it.`,
    'given-twice': `${column} gives ${field}, which is also given for all rows. Leave out one of them.`,
    'no-values': `a column with values is missing. Add at least one of ${values}.`,
    ...(map && ofMap),
  };
  return texts[code];
}

const MAX_NAME_LENGTH_SHOWN = 40;

type Fields = Readonly<Record<string, unknown>>;

function fromNdjson(content: string): PaymentFile {
  const objects = content.split(/\r?\n/).flatMap((text, index) => {
    return text.trim() === '' ? [] : [[index + 1, objectOf(text)] as const];
  });
  const results = objects.map(([line, object]) =>
    object ? rowOf(line, checkPayment(object)) : [{ line, column: '', detail: 'must be one JSON object' }],
  );
  return { ...sheetOf(objects), ...sorted(results) };
}

function objectOf(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** The fields of each line as a CSV file. */
export function sheetOf(lines: readonly (readonly [number, Fields | undefined])[]): CsvFile {
  const header = [...new Set(lines.flatMap(([, fields = {}]) => Object.keys(fields)))];
  const cells = (fields: Fields = {}): string[] => header.map((name) => textOf(fields[name]) ?? '');
  return { delimiter: ',', header, records: new Map(lines.map(([line, fields]) => [line, cells(fields)])) };
}
