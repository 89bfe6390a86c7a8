import { variablePaymentValues } from '@hr/schemas';
import type { VariablePayment } from '../hr-client.ts';
import type { OutboxPayment } from './outbox.ts';

/**
 * Returns the content of a payment as text, the same for equal payments. A missing `correctionPeriod` is the billing
 * period (section 2.7).
 *
 * @example
 * ```ts
 * const payment = { billingPeriod: '2026-12', compensationComponentId: 'BONUS', amount: 250 };
 * const content = paymentContent('1000-20001', payment);
 * ```
 */
export function paymentContent(contractId: string, payment: OutboxPayment | VariablePayment): string {
  const { billingPeriod, correctionPeriod, compensationComponentId } = payment;
  const values = variablePaymentValues.map((name) => payment[name] ?? null);
  return JSON.stringify([
    contractId,
    billingPeriod,
    correctionPeriod ?? billingPeriod,
    compensationComponentId,
    ...values,
  ]);
}
