import { paymentIssues } from '@hr/client';
import type { OutboxPayment } from '@hr/client/mirror';
import { variablePaymentValues } from '@hr/schemas';
import { readNumber, type DecimalSign, type NumberQuestion } from './decimal.ts';

/** The fields of a payment, in the order in which a table without a header has them. */
export const paymentFields = [
  'contractId',
  'billingPeriod',
  'correctionPeriod',
  'compensationComponentId',
  ...variablePaymentValues,
] as const;
export type PaymentField = (typeof paymentFields)[number];

/** A payment as a person typed it. */
export type PaymentCells = Readonly<Partial<Record<PaymentField, string>>>;

/** A payment to submit. */
export interface GivenPayment {
  readonly contractId: string;
  readonly payment: OutboxPayment;
}

/** What is wrong with a payment. It contains no value. */
export interface PaymentFault {
  /** Undefined for the whole payment. */
  readonly field: string | undefined;
  readonly code: string;
  /** What the field must be, as the rest of an English sentence. */
  readonly detail: string;
}

/** A payment, or else what is wrong with it. */
export type CheckedPayment =
  | { readonly given: GivenPayment; readonly faults: readonly [] }
  | { readonly given?: never; readonly faults: readonly PaymentFault[] };

/** A payment of a table. With a question, its numbers cannot be read before a person answers it. */
export type ReadPayment = CheckedPayment & { readonly question?: CellQuestion | undefined };

interface CellQuestion extends NumberQuestion {
  readonly field: PaymentField;
  readonly text: string;
}

/** What columns are called, besides the names of the API. */
const headings: Readonly<Partial<Record<PaymentField, readonly string[]>>> = {
  contractId: ['payrollContractId', 'payroll contract', 'contract', 'Vertrag', 'Vertragsnummer', 'Abrechnungsvertrag'],
  billingPeriod: ['Abrechnungsmonat', 'Abrechnungsperiode'],
  correctionPeriod: ['Korrekturmonat'],
  compensationComponentId: ['compensation component', 'component', 'Lohnart', 'Lohnartnummer'],
  amount: ['Betrag'],
  hours: ['Stunden'],
  days: ['Tage'],
  hourlyFactor: ['Stundenfaktor', 'Faktor'],
  percentage: ['Prozentsatz', 'Prozent'],
};
const fieldOf = new Map(
  paymentFields.flatMap((field) => [field, ...(headings[field] ?? [])].map((name) => [folded(name), field] as const)),
);

/** The field that the heading of a column names, in German or English. */
export function fieldOfHeading(heading: string): PaymentField | undefined {
  return fieldOf.get(folded(heading));
}

function folded(heading: string): string {
  return heading.replaceAll(/[\s_-]/g, '').toLowerCase();
}

/**
 * Reads a payment from cells of a table or a form.
 *
 * @param sign - The sign before the decimals, for numbers such as `1.234`.
 */
export function readPayment(cells: PaymentCells, sign?: DecimalSign): ReadPayment {
  const faults: PaymentFault[] = [];
  const fields: Record<string, unknown> = {};
  let question: CellQuestion | undefined;
  for (const field of paymentFields) {
    const text = cells[field] ?? '';
    if (text === '') continue;
    if (!isValue(field)) {
      fields[field] = field.endsWith('Period') ? monthOf(text) : text;
      continue;
    }
    const number = readNumber(text, sign);
    if (typeof number === 'object') question ??= { ...number, field, text };
    if (typeof number !== 'number') {
      const code = number === undefined ? 'not-a-number' : 'ambiguous-number';
      faults.push({ field, code, detail: 'must be a number such as 1234.50' });
    }
    // A wrong number is reported already; 0 stands in for it, so that the other fields are checked.
    fields[field] = typeof number === 'number' ? number : 0;
  }
  const checked = checkPayment(fields);
  return faults.length === 0 ? checked : { faults: [...faults, ...checked.faults], question };
}

/** Checks the fields of a payment. */
export function checkPayment(fields: Readonly<Record<string, unknown>>): CheckedPayment {
  const faults = paymentIssues(fields).map(({ pointer, code, detail }) => ({
    field: pointer.slice(1) || undefined,
    code,
    detail,
  }));
  if (faults.length > 0) return { faults };
  const { contractId, ...payment } = fields as object as OutboxPayment & { readonly contractId: string };
  return { given: { contractId, payment }, faults: [] };
}

function isValue(field: PaymentField): boolean {
  return (variablePaymentValues as readonly string[]).includes(field);
}

/**
 * Reads a month such as `2026-11`, `11/2026` or `11.2026`, or the German date of its first day, as which spreadsheets show
 * it. Other texts stay as they are, and no model accepts them.
 */
function monthOf(text: string): string {
  const [, month = '', year] = /^(?:0?1\.)?(\d{1,2})[./](\d{4})$/.exec(text) ?? [];
  return year === undefined ? text : `${year}-${month.padStart(2, '0')}`;
}
