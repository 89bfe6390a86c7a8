import { paymentContent } from '@hr/client/mirror';
import { operations, Person } from '@hr/schemas';
import { paymentFields, type CheckedPayment, type GivenPayment, type PaymentField } from '@hr/text/read-payment';

const { pathParameters, query, body } = operations.submitVariablePayment;

/** The models of the fields of a row. */
export const paymentModels = { ...pathParameters.shape, ...query.shape, ...body.shape };

export function isField(name: string): name is PaymentField {
  return (paymentFields as readonly string[]).includes(name);
}

/** The fields of a person that a template shows. Payments have none of them. */
export const personFields = Person.pick({ employeeNumber: true, lastName: true, firstName: true }).shape;

/** A payment, and the line of its file. */
export interface PaymentRow extends GivenPayment {
  readonly line: number;
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

/** A checked payment with its line. */
export function rowOf(line: number, { given, faults }: CheckedPayment): PaymentRow | RowFault[] {
  if (!given) return faults.map(({ field = '', detail }) => ({ line, column: field, detail }));
  return { line, ...given, content: paymentContent(given.contractId, given.payment) };
}
