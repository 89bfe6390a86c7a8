import type { Store } from './store.ts';
import { today } from './today.ts';

/** Erases a person with all contracts, for good; lists of changes tell it from today on. */
export function erasePerson(store: Store, personId: string): void {
  const { persons, erased, contracts, contractOfPayment, keys } = store;
  for (const contractId of persons.get(personId)?.contractIds ?? []) {
    const payments = contracts.get(contractId)?.payments.keys() ?? [];
    for (const paymentId of payments) contractOfPayment.delete(paymentId);
    contracts.delete(contractId);
  }
  for (const [key, { paymentId }] of keys) if (!contractOfPayment.has(paymentId)) keys.delete(key);
  persons.delete(personId);
  erased.set(personId, today(store));
}
