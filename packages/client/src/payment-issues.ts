import { checkPart, type Issue } from '@hr/schemas/checks';
import { dotSegmentIssues } from './checked-request.ts';

/**
 * Returns what `payroll.submitVariablePayment` rejects before it sends a payment, such as one of a file.
 *
 * @param fields - The fields of the payment, and `contractId`.
 * @example
 * ```ts
 * paymentIssues({ contractId: '1000-20001', billingPeriod: '2026-13', compensationComponentId: 'BONUS', amount: 250 });
 * // [{ pointer: '/billingPeriod', code: 'wrong-format', … }]
 * ```
 */
export function paymentIssues(fields: Readonly<Record<string, unknown>>): Issue[] {
  const { contractId, billingPeriod, ...content } = fields;
  return [
    ...checkPart('submitVariablePayment', 'path', { contractId }).issues,
    ...checkPart('submitVariablePayment', 'query', { billingPeriod }).issues,
    ...checkPart('submitVariablePayment', 'body', content).issues,
    ...dotSegmentIssues({ contractId }),
  ];
}
