import type { Payment } from '../fixtures/payments.ts';
import type { Store } from './store.ts';

/** What comes of a submitted payment. */
export type Decision = Exclude<Payment['state'], 'submitted'>;

/** Approves or rejects a submitted payment, once (section 3). */
export function decidePayment({ contractOfPayment }: Store, id: string, state: Decision): void {
  const payments = contractOfPayment.get(id)?.payments;
  const payment = payments?.get(id);
  if (!payment) throw new RangeError(`There is no variable payment ${id}; see the payments of the fake.`);
  if (payment.state !== 'submitted') throw new RangeError(`The variable payment ${id} is ${payment.state} already.`);
  payments?.set(id, { ...payment, state });
}
