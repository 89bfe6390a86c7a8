import { variablePaymentValues } from '@hr/schemas';
import { textOfCell } from '@hr/schemas/rules';
import type { DecimalSign } from './decimal.ts';
import { readCsv, type CsvFile } from './read-csv.ts';
import {
  fieldOfHeading,
  paymentFields,
  readPayment,
  type PaymentCells,
  type PaymentField,
  type ReadPayment,
} from './read-payment.ts';

/** Texts by the field of a payment that they are for. */
export type PaymentTexts = Readonly<Partial<Record<PaymentField, string>>>;

/** How a table is written, where it does not say so itself. */
export interface PaymentTableForm {
  /** The headings of fields. Default: those that name a field. */
  readonly columns?: PaymentTexts | undefined;
  /** Fields that are the same in every row. */
  readonly values?: PaymentTexts | undefined;
  readonly delimiter?: string | undefined;
  /** The sign before the decimals, for numbers such as `1.234`. */
  readonly sign?: DecimalSign | undefined;
  /** Whether rows without a value are left out. Default: if the table has names of people, as a template does. */
  readonly skipsEmpty?: boolean | undefined;
}

/** A table of payments. */
export interface PaymentTable extends CsvFile {
  readonly columns: PaymentTexts;
  readonly faults: readonly ColumnFault[];
  readonly rows: readonly PaymentTableRow[];
}

/** A row of a table, and the line in which it ends. */
export type PaymentTableRow = ReadPayment & { readonly line: number; readonly cells: PaymentCells };

/** What is wrong with the columns of a table. */
export interface ColumnFault {
  /**
   * `unknown`: no field. `repeated`: like a column before it. `missing`: no column for a field that each payment needs, or
   * for the given heading. `given-twice`: a field that is also the same in every row. `no-values`: none of the values.
   */
  readonly code: 'unknown' | 'repeated' | 'missing' | 'given-twice' | 'no-values';
  readonly heading?: string | undefined;
  readonly field?: PaymentField | undefined;
}

const required: ReadonlySet<PaymentField> = new Set(['contractId', 'billingPeriod', 'compensationComponentId']);
/** What templates and exports with labels have for people. */
const forPeople: ReadonlySet<string> = new Set([
  'employeeNumber',
  'lastName',
  'firstName',
  'compensationComponentIdLabel',
]);

/**
 * Reads a table of payments, such as a CSV file or rows that were copied from a spreadsheet.
 *
 * @throws {CsvQuotesError}
 */
export function readPaymentTable(content: string, form: PaymentTableForm = {}): PaymentTable {
  const { values = {}, delimiter, sign } = form;
  const file = readCsv(content, delimiter);
  const headings = file.header.map(textOfCell);
  const columns = form.columns ?? knownColumns(headings);
  const hasNames = form.columns === undefined && headings.some((heading) => forPeople.has(heading));
  const places = paymentFields.map((field) => [field, headings.indexOf(columns[field] ?? '')] as const);
  const rows = Array.from(file.records, ([line, record]): PaymentTableRow => {
    const texts = places.map(([field, place]) => {
      const cell = record[place];
      return [field, cell === undefined ? (values[field] ?? '') : textOfCell(cell)] as const;
    });
    const cells: PaymentCells = Object.fromEntries(texts.filter(([, text]) => text !== ''));
    return { line, cells, ...readPayment(cells, sign) };
  });
  const skipsEmpty = form.skipsEmpty ?? hasNames;
  return {
    ...file,
    columns,
    faults: [...columnFaults(headings, columns, values, hasNames)],
    rows: skipsEmpty ? rows.filter(({ cells }) => variablePaymentValues.some((name) => name in cells)) : rows,
  };
}

/** The headings that name fields. A second one of a field is unknown. */
function knownColumns(headings: readonly string[]): PaymentTexts {
  const known = headings.flatMap((heading) => {
    const field = fieldOfHeading(heading);
    return field === undefined ? [] : [[field, heading] as const];
  });
  return Object.fromEntries(known.toReversed());
}

function* columnFaults(
  headings: readonly string[],
  columns: PaymentTexts,
  values: PaymentTexts,
  hasNames: boolean,
): Generator<ColumnFault> {
  const used = new Set(Object.values(columns));
  for (const [index, heading] of headings.entries()) {
    if (!used.has(heading)) {
      if (!(hasNames && forPeople.has(heading))) yield { code: 'unknown', heading };
    } else if (headings.indexOf(heading) < index) yield { code: 'repeated', heading };
  }
  for (const field of paymentFields) {
    const heading = columns[field];
    if (heading === undefined) {
      if (values[field] === undefined && required.has(field)) yield { code: 'missing', field };
    } else if (!headings.includes(heading)) yield { code: 'missing', heading, field };
    else if (values[field] !== undefined) yield { code: 'given-twice', heading, field };
  }
  if (!variablePaymentValues.some((name) => name in columns || name in values)) yield { code: 'no-values' };
}
