import { VariablePayment } from '@hr/schemas';
import type { Payment } from '../fixtures/payroll.ts';
import { invalidOption } from '../hr-testing-error.ts';
import type { StateParameters } from '../states/provider-states.ts';
import { sameJson } from './compare.ts';
import type { Store, StoredPayment } from './store.ts';

const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** A variable payment that a client submits. */
type Submission = Omit<StateParameters<'a payment submitted with a key'>, 'idempotencyKey'>;

/**
 * Stores a payment for approval (section 4.3). If the client used the key for the same payment within the last 24
 * hours, it returns that payment. It returns `reused` if the key belongs to another payment, `in-flight` if the request
 * of the key is in flight, and `undefined` if the contract is unknown.
 */
export function submitPayment(
  store: Store,
  { payrollContractId, billingPeriod, payment }: Submission,
  { clientId, idempotencyKey }: { readonly clientId: string; readonly idempotencyKey: string | undefined },
): StoredPayment | 'reused' | 'in-flight' | undefined {
  const { clock, contracts, payments, keys, keysInFlight } = store;
  const submitted = { correctionPeriod: billingPeriod, payrollContractId, billingPeriod, ...payment };
  const key = idempotencyKey && keyOf(clientId, idempotencyKey);
  const made = keys.get(key ?? '');
  const before = made && made.madeAt > clock() - KEY_LIFETIME_MS ? payments.get(made.paymentId) : undefined;
  if (before) return sameJson(shownPayment(before), submitted) ? before : 'reused';
  if (key && keysInFlight.has(key)) return 'in-flight';
  if (!contracts.get(payrollContractId)?.employment) return undefined;
  const stored = writePayment(store, { ...submitted, state: 'submitted' });
  if (key) keys.set(key, { paymentId: stored.id, madeAt: clock() });
  return stored;
}

/** An `Idempotency-Key` of a client. */
export function keyOf(clientId: string, idempotencyKey: string): string {
  return JSON.stringify([clientId, idempotencyKey]);
}

/** Stores a payment. The default of its correction period is its billing period. */
export function writePayment(store: Store, payment: Payment): StoredPayment {
  const id = String(++store.lastPaymentId);
  const { correctionPeriod = payment.billingPeriod } = payment;
  const stored: StoredPayment = { id, ...payment, correctionPeriod };
  store.payments.set(id, stored);
  return stored;
}

/** Approves or rejects a submitted payment, once (section 3). */
export function decidePayment({ payments }: Store, id: string, state: 'approved' | 'rejected'): void {
  const call = state === 'approved' ? 'payments.approve' : 'payments.reject';
  const payment = payments.get(id);
  if (!payment) throw invalidOption(`${call}: unknown payment. Use an id of payments.list().`);
  if (payment.state !== 'submitted') {
    throw invalidOption(`${call}: the payment is ${payment.state} already, for good. Decide on a submitted one.`);
  }
  payments.set(id, { ...payment, state });
}

const shownFields = Object.keys(VariablePayment.shape) as (keyof VariablePayment)[];

/** A payment as the API shows it. */
export function shownPayment(payment: StoredPayment): VariablePayment {
  const shown = shownFields.flatMap((name) => (payment[name] === undefined ? [] : [[name, payment[name]]]));
  return Object.fromEntries(shown) as VariablePayment;
}
