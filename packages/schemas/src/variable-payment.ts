import { z } from 'zod';
import type * as models from './generated/models.ts';
import { Decimal } from './decimal.ts';
import { Identifier } from './identifier.ts';
import { rule } from './rule.ts';
import { atLeastOne } from './value-rules.ts';
import { YearMonth } from './year-month.ts';

const values = {
  amount: Decimal.describe('Fixed amount to be taken into account. The specification states no currency.').optional(),
  hours: Decimal.describe('The specification states no meaning and no unit.').optional(),
  days: Decimal.describe('The specification states no meaning and no unit.').optional(),
  hourlyFactor: Decimal.describe('The specification states no meaning and no unit.').optional(),
  percentage: Decimal.describe('The specification states no meaning and no unit.').optional(),
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
    section: '2.7',
    description: 'A payment to submit for approval. A negative amount is a reversal.',
    anyOf: variablePaymentValues.map((name) => ({ required: [name] })),
  });
export type VariablePaymentRequest = models.VariablePaymentRequest;

/** A variable payment in a response (section 2.7). */
export const VariablePayment = z
  .strictObject({
    payrollContractId: Identifier.describe('The payroll contract the payment belongs to.'),
    billingPeriod: YearMonth.describe('Billing period of the payment.'),
    correctionPeriod,
    compensationComponentId,
    ...values,
  })
  .meta({ id: 'VariablePayment', section: '2.7', description: 'A variable payment.' });
export type VariablePayment = models.VariablePayment;
