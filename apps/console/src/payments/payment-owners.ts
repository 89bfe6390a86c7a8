import { paymentContent, type OutboxEntry } from '@hr/client/mirror';
import type { HrCloud } from '../backend/hr-cloud.ts';
import type { OperatorPayment } from '../backend/operator-client.ts';
import type { Records, User } from '../backend/records.ts';

/** Returns the people whose payment an entry of the outbox is: who submitted it, and who sent it again. */
export type OwnersOf = (entry: OutboxEntry) => string[];

/**
 * Reads whose payments the outbox has. The batch of an entry is recorded before its first payment is sent, so this is
 * known even if the console ends at any moment.
 */
export function paymentOwners(records: Records): OwnersOf {
  const resenders = records.actors('resend-payment');
  return ({ id, batch = '' }) => {
    const submitters = [records.submitter(id), records.submitter(batch)].filter((name) => name !== undefined);
    return [...new Set([...submitters, ...(resenders.get(id) ?? [])])];
  };
}

/** Whether the payment of an entry, or one that it was sent again as, may exist. The service accepted no refused one. */
export function mayExist({ state, resentAs }: OutboxEntry): boolean {
  return state !== 'refused' || resentAs !== undefined;
}

/**
 * Whether a payment is, or may be, one that a person submitted in this console. Payments have no mark of the console, so
 * it goes by the client and the content.
 */
export function isOwnPayment(cloud: HrCloud, ownersOf: OwnersOf, payment: OperatorPayment, { name }: User): boolean {
  if (payment.submittedBy !== cloud.clientId) return false;
  const content = paymentContent(payment.payrollContractId, payment);
  return [...cloud.outbox.entries({ content })].some((entry) => mayExist(entry) && ownersOf(entry).includes(name));
}
