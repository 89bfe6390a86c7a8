import { issuesOf, operations, Person } from '@hr/schemas';
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

/** Checks the fields of a row with the models of the operation. */
export function checkedRow(line: number, fields: Readonly<Record<string, unknown>>): PaymentRow | RowFault[] {
  const { contractId, billingPeriod, ...content } = fields;
  const parts = [
    { model: pathParameters, value: { contractId } },
    { model: query, value: { billingPeriod } },
    { model: body, value: content },
  ];
  const faults = parts.flatMap(({ model, value }) => {
    const { error } = model.safeParse(value);
    return error ? issuesOf(error, value) : [];
  });
  if (contractId === '.' || contractId === '..') {
    faults.push({
      pointer: '/contractId',
      code: 'not-allowed',
      detail: 'must not be "." or "..": a URL drops such a part of its path',
    });
  }
  if (faults.length > 0) {
    return faults.map(({ pointer, detail }) => ({ line, column: pointer.slice(1), detail }));
  }
  const payment = { billingPeriod, ...content } as OutboxPayment;
  return { line, contractId: contractId as string, payment, content: paymentContent(contractId as string, payment) };
}
