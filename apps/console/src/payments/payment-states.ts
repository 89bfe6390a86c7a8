/**
 * What is known of a payment, in the order in which people see it.
 *
 * - `submitted`, `approved`, `rejected`: as the service has it
 * - `unknown`: the service may have accepted it
 * - `sending`: the console sends it right now, or is about to
 * - `refused`: the service refused the request, so there is no payment
 * - `not-sent`: the console did not send it
 */
export const paymentStates = [
  'submitted',
  'unknown',
  'sending',
  'approved',
  'rejected',
  'refused',
  'not-sent',
] as const;
export type PaymentState = (typeof paymentStates)[number];
