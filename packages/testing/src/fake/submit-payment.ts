import { sameJson } from './same-json.ts';
import { knownContract } from './store.ts';
import type { Store, StoredPayment } from './store.ts';
import { shownPayment, submitted, writePayment } from './write-payment.ts';
import type { Submission } from './write-payment.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;

interface Submitter {
  readonly clientId: string;
  readonly idempotencyKey: string | undefined;
}

/**
 * Stores a payment for approval (section 4.3), unless the client's key has made it within the last 24 hours: then it
 * gives that one. `reused` where the key has made another, `in-flight` where it is about to; `undefined` where the
 * contract is unknown.
 */
export function submitPayment(
  store: Store,
  submission: Submission,
  { clientId, idempotencyKey }: Submitter,
): StoredPayment | 'reused' | 'in-flight' | undefined {
  const key = idempotencyKey && keyOf(clientId, idempotencyKey);
  const before = key && paymentOfKey(store, key);
  if (before) return sameJson(shownPayment(before), submitted(submission)) ? before : 'reused';
  if (key && store.keysInFlight.has(key)) return 'in-flight';
  const contract = knownContract(store, submission.payrollContractId);
  if (!contract) return undefined;
  const payment = writePayment(store, contract, submission);
  if (key) store.keys.set(key, { paymentId: payment.id, madeAt: store.clock() });
  return payment;
}

/** An `Idempotency-Key` of a client. */
export function keyOf(clientId: string, idempotencyKey: string): string {
  return JSON.stringify([clientId, idempotencyKey]);
}

function paymentOfKey({ clock, contractOfPayment, keys }: Store, key: string): StoredPayment | undefined {
  const made = keys.get(key);
  if (!made || made.madeAt <= clock() - KEPT_MS) return undefined;
  return contractOfPayment.get(made.paymentId)?.payments.get(made.paymentId);
}
