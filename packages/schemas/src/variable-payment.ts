import { z } from 'zod';
import { Decimal } from './decimal.ts';
import { Identifier } from './identifier.ts';
import { rule } from './rule.ts';
import { atLeastOne } from './value-rules.ts';
import { YearMonth } from './year-month.ts';

const values = {
  amount: Decimal.describe('Fixed amount to be taken into account.').optional(),
  hours: Decimal.optional(),
  days: Decimal.optional(),
  hourlyFactor: Decimal.optional(),
  percentage: Decimal.optional(),
};

/** The fields of which a variable payment has at least one. */
export const variablePaymentValues = Object.keys(values) as readonly (keyof typeof values)[];

const compensationComponentId = Identifier.describe('The compensation component the payment is for.');
const correctionPeriod = YearMonth.describe('Month this payment affects. Defaults to the billing period.');

/**
 * A payment to submit for approval (section 4.3). A negative amount is a reversal.
 *
 * @example
 * VariablePaymentRequest.parse({ compensationComponentId: 'BONUS', amount: 250 });
 */
export const VariablePaymentRequest = z
  .strictObject({ correctionPeriod: correctionPeriod.optional(), compensationComponentId, ...values })
  .check(rule(atLeastOne, variablePaymentValues))
  .meta({
    id: 'VariablePaymentRequest',
    anyOf: variablePaymentValues.map((name) => ({ required: [name] })),
  });
export type VariablePaymentRequest = z.output<typeof VariablePaymentRequest>;

/** A variable payment in a response (section 2.7). */
export const VariablePayment = z
  .strictObject({
    payrollContractId: Identifier.describe('The payroll contract the payment belongs to.'),
    billingPeriod: YearMonth.describe('Billing period of the payment.'),
    correctionPeriod,
    compensationComponentId,
    ...values,
  })
  .meta({ id: 'VariablePayment' });
export type VariablePayment = z.output<typeof VariablePayment>;
