import type * as models from './generated/models.ts';
import type { Model } from './model.ts';
import { z } from 'zod';
import { Decimal, Identifier, openEnum, text, YearMonth } from './primitives.ts';
import { rule } from './rule.ts';
import { atLeastOne, significantDigits } from './value-rules.ts';
import { notInSpecification } from './lenient.ts';

const values = {
  amount: notInSpecification(Decimal.check(rule(significantDigits)))
    .describe('Fixed amount to be taken into account. The specification states no currency.')
    .optional(),
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
    // To zod, the rule changes no type.
  }) as unknown as Model<models.VariablePaymentRequest>;
export type VariablePaymentRequest = models.VariablePaymentRequest;

/** A variable payment in a response (section 2.7). */
export const VariablePayment: Model<models.VariablePayment> = z
  .strictObject({
    payrollContractId: Identifier.describe('The payroll contract the payment belongs to.'),
    billingPeriod: YearMonth.describe('Billing period of the payment.'),
    correctionPeriod,
    compensationComponentId,
    ...values,
  })
  .meta({ id: 'VariablePayment', section: '2.7', description: 'A variable payment.' });
export type VariablePayment = models.VariablePayment;

/** A decision on a variable payment that the client submitted. An extension of the specification. */
export const VariablePaymentDecision: Model<models.VariablePaymentDecision> = z
  .strictObject({
    ...VariablePayment.shape,
    idempotencyKey: text().describe('The `Idempotency-Key` with which the client submitted it.').optional(),
    state: openEnum('approved', 'rejected').describe('A decision is final.'),
    decidedAt: text().meta({ format: 'date-time' }).describe('When it was decided: an instant with an offset.'),
    reason: text().describe('What the administrator gave as the reason.').optional(),
  })
  .meta({
    id: 'VariablePaymentDecision',
    section: '4.3',
    description: 'A decision on a variable payment that the client submitted.',
  });
export type VariablePaymentDecision = models.VariablePaymentDecision;

const SalaryValue = z
  .strictObject({
    compensationComponentId: Identifier,
    value: Decimal.describe('The specification states no currency.').optional(),
  })
  .meta({ id: 'SalaryValue', section: '2.9', description: 'A part of a salary.' });

/** The salary of a payroll contract in a month (section 2.9). */
export const SalaryHistoryEntry: Model<models.SalaryHistoryEntry> = z
  .strictObject({
    payrollContractId: Identifier,
    year: notInSpecification(z.int().gte(0).lte(9999)),
    month: z.int().gte(1).lte(12).describe('1 is January.'),
    totalSalary: Decimal.describe('The specification states no currency.').optional(),
    baseSalary: Decimal.describe('The specification states no currency.').optional(),
    values: z.array(SalaryValue).optional(),
  })
  .meta({ id: 'SalaryHistoryEntry', section: '2.9', description: 'The salary of a payroll contract in a month.' });
export type SalaryHistoryEntry = models.SalaryHistoryEntry;
