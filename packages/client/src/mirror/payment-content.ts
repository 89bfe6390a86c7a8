import type { VariablePayment } from '../hr-client.ts';
import type { OutboxPayment } from './outbox.ts';

/** The values of a payment, each of which the compiler demands. Their model would bring zod. */
const values = { amount: 0, hours: 0, days: 0, hourlyFactor: 0, percentage: 0 } satisfies Record<
  Exclude<keyof OutboxPayment, 'billingPeriod' | 'correctionPeriod' | 'compensationComponentId'>,
  unknown
>;
const valueNames = Object.keys(values) as (keyof typeof values)[];

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
  return JSON.stringify([
    contractId,
    billingPeriod,
    correctionPeriod ?? billingPeriod,
    compensationComponentId,
    ...valueNames.map((name) => payment[name] ?? null),
  ]);
}
