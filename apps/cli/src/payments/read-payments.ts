import { isUtf8 } from 'node:buffer';
import { currentName, variablePaymentValues } from '@hr/schemas';
import { textOfCell } from '@hr/schemas/rules';
import { textOf } from '@hr/text/text-of';
import { printable } from '../output/printable.ts';
import { readCsv, type CsvFile } from '../read-csv.ts';
import { decoded, notUtf8, unusable } from '../read-input.ts';
import type { NamedMap, Texts } from './payment-map.ts';
import { checkedRow, fieldNames, personFields, type PaymentRow, type RowFault } from './payment-row.ts';

/** The format of a file with payments. */
export type PaymentFormat = 'csv' | 'ndjson';

/** A file of payments: the rows that can be sent, and the faults of others. A record without a value may be neither. */
export interface PaymentFile extends CsvFile {
  readonly rows: readonly PaymentRow[];
  readonly faults: readonly RowFault[];
  /** Whether a spreadsheet needs a byte order mark to read the texts of the file as UTF-8. */
  readonly bom?: boolean;
}

/**
 * Reads payments and checks each row.
 *
 * @param name - The name of the file, for errors.
 * @param map - What the columns of a CSV file are, if they do not have the names of the API.
 * @param values - Fields that are the same in every row of a CSV file, in addition to those of the map.
 * @throws {CliError} If the file as a whole is unusable, such as by a wrong header.
 */
export function readPayments(
  bytes: Uint8Array,
  format: PaymentFormat,
  name: string,
  map?: NamedMap,
  values: Texts = {},
): PaymentFile {
  const file = format === 'csv' ? fromCsv(bytes, name, map, values) : fromNdjson(decoded(bytes, name));
  if (file.rows.length === 0 && file.faults.length === 0) {
    throw unusable(name, 'it has no payments. Fill in at least one row.');
  }
  return { ...file, bom: !isUtf8(bytes) || bytes[0] === BYTE_ORDER_MARK };
}

/** Its first byte, with which no other text of payments starts. */
const BYTE_ORDER_MARK = 0xef;
const delimiters = { semicolon: ';', comma: ',', tab: '\t' };
const required: ReadonlySet<string> = new Set(['contractId', 'billingPeriod', 'compensationComponentId']);
const numberFields: ReadonlySet<string> = new Set(variablePaymentValues);
/** Columns of a template, or of an export with labels, that payments do not have. */
const forPeople: ReadonlySet<string> = new Set([...Object.keys(personFields), 'compensationComponentIdLabel']);

function fromCsv(bytes: Uint8Array, name: string, map: NamedMap | undefined, values: Texts): PaymentFile {
  const content = decoded(bytes, name, 'windows-1252');
  const isInDoubt = !isUtf8(bytes) && map?.encoding === undefined;
  const file = readCsv(content, name, map?.delimiter && delimiters[map.delimiter]);
  const headings = file.header.map(textOfCell);
  const constants = { ...map?.values, ...values };
  const places = placesOf(headings, name, constants, map);
  const { decimal, thousands, detail } = numberForm(file.delimiter, map);
  const skipsEmpty = map ? map.ignoreRows : headings.some((heading) => forPeople.has(heading));
  const columnOf = (field: string): string => printable(headings[places.get(field) ?? -1] ?? field);
  const rows: PaymentRow[] = [];
  const faults: RowFault[] = [];
  for (const [line, cells] of file.records) {
    if (cells.length !== headings.length) {
      const count = `must have ${headings.length} cells like the header, but has ${cells.length}`;
      faults.push({ line, column: '', detail: `${count}. Put a cell with a delimiter in quotes` });
      continue;
    }
    const fields: Record<string, unknown> = {};
    const ofRow: RowFault[] = [];
    for (const field of fieldNames) {
      const text = textOfCell(cells[places.get(field) ?? -1] ?? constants[field] ?? '');
      if (text === '') continue;
      // Names of people may have wrong letters, but not what is sent.
      if (isInDoubt && /[^ -~]/.test(text)) throw notUtf8(name);
      const value = numberFields.has(field) ? numberOf(text, decimal, thousands) : text;
      if (value === undefined) ofRow.push({ line, column: field, detail });
      // A wrong number is reported already; 0 stands in for it, so that the other fields are checked.
      fields[field] = value ?? 0;
    }
    if (skipsEmpty && !variablePaymentValues.some((value) => value in fields)) continue;
    const row = checkedRow(line, fields);
    if (Array.isArray(row)) ofRow.push(...row);
    else if (ofRow.length === 0) rows.push(row);
    faults.push(...ofRow.map((fault) => ({ ...fault, column: columnOf(fault.column) })));
  }
  return { ...file, rows, faults };
}

/** The place of each field in a row. A header with an unknown column may have a misspelt one, whose values would be missing. */
function placesOf(
  headings: readonly string[],
  name: string,
  constants: Texts,
  map: NamedMap | undefined,
): ReadonlyMap<string, number> {
  const ofApi = fieldNames
    .map((field) => [field, field === 'contractId' && !headings.includes(field) ? 'payrollContractId' : field] as const)
    .filter(([, heading]) => headings.includes(heading));
  const columns: Texts = map?.columns ?? Object.fromEntries(ofApi);
  const used = new Set(Object.values(columns));
  const command = `hr payments map ${map?.name}`;
  const faults: string[] = [];
  for (const [index, heading] of headings.entries()) {
    if (used.has(heading)) {
      if (headings.indexOf(heading) < index) faults.push(`the column ${shown(heading)} appears twice. Remove one.`);
    } else if (!(map ? map.ignoreColumns : forPeople.has(heading))) {
      const reason = map ? `not in the map ${map.name}. Map or ignore it.` : unknown(heading);
      faults.push(`the column ${shown(heading)} is ${reason}`);
    }
  }
  for (const field of fieldNames) {
    const [column, constant] = [columns[field], constants[field]];
    if (column === undefined) {
      if (constant !== undefined || !required.has(field)) continue;
      const remedy = `Map one, or store what is the same in every row: ${command} ${field}=<value>`;
      faults.push(map ? `no column is ${field}. ${remedy}` : `the column ${field} is missing. Add it.`);
    } else if (!headings.includes(column)) {
      faults.push(`the column ${shown(column)} of the map ${map?.name} is missing. Add it, or correct the map.`);
    } else if (constant !== undefined) {
      faults.push(
        `the column ${shown(column)} gives ${field}, which is also given for all rows. Leave out one of them.`,
      );
    }
  }
  if (!variablePaymentValues.some((value) => value in columns || value in constants)) {
    faults.push(`a column with values is missing. Add at least one of ${variablePaymentValues.join(', ')}.`);
  }
  if (faults.length > 0) {
    const remedies = [
      `To map a column: ${command} "<column>=<field>"`,
      `To ignore the others: ${command} --ignore-columns`,
    ];
    faults.push(...(map ? remedies : [`The columns are ${fieldNames.join(', ')}.`]));
    throw unusable(name, ['the header is wrong:', ...faults].join('\n  '));
  }
  return new Map(Object.entries(columns).map(([field, column]) => [field, headings.indexOf(column)]));
}

function unknown(heading: string): string {
  const letters = heading.replaceAll(/[^A-Za-z]/g, '').toLowerCase();
  const similar = currentName(heading) ?? fieldNames.find((name) => name.toLowerCase() === letters);
  return `unknown. ${similar ? `Write ${similar}.` : 'Remove it, or correct its name.'}`;
}

const MAX_NAME_LENGTH_SHOWN = 40;

function shown(column: string): string {
  return JSON.stringify(printable(column.slice(0, MAX_NAME_LENGTH_SHOWN)));
}

/** How the numbers of a file are written, and what each must be, as the rest of a sentence. */
function numberForm(
  delimiter: string,
  map: NamedMap | undefined,
): { decimal: 'comma' | 'point'; thousands: boolean; detail: string } {
  const { decimal = delimiter === ';' ? 'comma' : 'point', thousands = false } = map ?? {};
  const options = { useGrouping: thousands, minimumFractionDigits: 2 };
  const example = (1234.5).toLocaleString(decimal === 'comma' ? 'de' : 'en', options);
  const because = map?.decimal ? `the map ${map.name} says so` : `the delimiter is ${delimiter}`;
  const reason = map?.decimal || decimal === 'comma' ? `, with a decimal ${decimal} because ${because}` : '';
  const detail = `must be a number such as ${example}${thousands ? '' : ', without thousands separators'}${reason}`;
  return { decimal, thousands, detail };
}

/** A number; undefined for any other text. Spreadsheets write the smallest ones as 1E-7. */
export function numberOf(text: string, decimal: 'comma' | 'point', thousands = false): number | undefined {
  const [sign, separator] = decimal === 'comma' ? ([',', '.'] as const) : (['.', ','] as const);
  const whole = thousands ? `(?:\\d+|\\d{1,3}(?:[${separator}]\\d{3})+)` : '\\d+';
  if (!new RegExp(`^-?${whole}(?:[${sign}]\\d+)?(?:e-\\d+)?$`, 'i').test(text)) return undefined;
  return Number(text.replaceAll(separator, '').replace(sign, '.'));
}

type Fields = Readonly<Record<string, unknown>>;

function fromNdjson(content: string): PaymentFile {
  const objects = content.split(/\r?\n/).flatMap((text, index) => {
    return text.trim() === '' ? [] : [[index + 1, objectOf(text)] as const];
  });
  const results = objects.map(([line, object]) =>
    object ? checkedRow(line, object) : [{ line, column: '', detail: 'must be one JSON object' }],
  );
  return {
    ...sheetOf(objects),
    rows: results.flatMap((result) => (Array.isArray(result) ? [] : [result])),
    faults: results.flatMap((result) => (Array.isArray(result) ? result : [])),
  };
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
