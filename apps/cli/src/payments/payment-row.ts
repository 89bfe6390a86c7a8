import { paymentIssues } from '@hr/client';
import { operations, Person } from '@hr/schemas';
import { paymentContent, type OutboxPayment } from '@hr/client/mirror';

const { pathParameters, query, body } = operations.submitVariablePayment;

/** The fields of a row, as the API has them. */
export const paymentFields = { ...pathParameters.shape, ...query.shape, ...body.shape };
export type FieldName = keyof typeof paymentFields;
export const fieldNames = Object.keys(paymentFields) as readonly FieldName[];

export function isField(name: string): name is FieldName {
  return Object.hasOwn(paymentFields, name);
}

/** The fields of a person that a template shows. Payments have none of them. */
export const personFields = Person.pick({ employeeNumber: true, lastName: true, firstName: true }).shape;

/** A payment, and the line of its file. */
export interface PaymentRow {
  readonly line: number;
  readonly contractId: string;
  readonly payment: OutboxPayment;
  /** The same for equal payments. */
  readonly content: string;
}

/** What is wrong with a row. It names the place, and no value. */
export interface RowFault {
  readonly line: number;
  /** The name of the field; empty for the whole row. */
  readonly column: string;
  /** What the value must be, as the rest of a sentence. */
  readonly detail: string;
}

/** Checks the fields of a row. */
export function checkedRow(line: number, fields: Readonly<Record<string, unknown>>): PaymentRow | RowFault[] {
  const { contractId, ...payment } = fields as object as OutboxPayment & { readonly contractId: string };
  const issues = paymentIssues(fields);
  if (issues.length > 0) return issues.map(({ pointer, detail }) => ({ line, column: pointer.slice(1), detail }));
  return { line, contractId, payment, content: paymentContent(contractId, payment) };
}
