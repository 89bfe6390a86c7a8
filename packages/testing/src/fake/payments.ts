import { VariablePayment, VariablePaymentDecision } from '@hr/schemas';
import type { z } from 'zod';
import type { Payment } from '../fixtures/payroll.ts';
import { invalidOption } from '../hr-testing-error.ts';
import type { StateParameters } from '../states/provider-states.ts';
import { sameJson } from './compare.ts';
import type { HeldPayment, Store, StoredPayment } from './store.ts';

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
): HeldPayment | 'reused' | 'in-flight' | undefined {
  const { clock, contracts, payments, keys, keysInFlight } = store;
  const submitted = { correctionPeriod: billingPeriod, payrollContractId, billingPeriod, ...payment };
  const key = idempotencyKey && keyOf(clientId, idempotencyKey);
  const made = keys.get(key ?? '');
  const before = made && made.madeAt > clock() - KEY_LIFETIME_MS ? payments.get(made.paymentId) : undefined;
  if (before) return sameJson(shownPayment(before), submitted) ? before : 'reused';
  if (key && keysInFlight.has(key)) return 'in-flight';
  if (!contracts.get(payrollContractId)?.employment) return undefined;
  return writePayment(store, { ...submitted, state: 'submitted', idempotencyKey }, clientId);
}

/** An `Idempotency-Key` of a client. */
export function keyOf(clientId: string, idempotencyKey: string): string {
  return JSON.stringify([clientId, idempotencyKey]);
}

/** Stores a payment of a client. The default of its correction period is its billing period. */
export function writePayment(store: Store, payment: Payment, clientId = store.clientId): HeldPayment {
  const id = String(++store.lastPaymentId);
  const { correctionPeriod = payment.billingPeriod, state, idempotencyKey, ...others } = payment;
  const decision = state === 'submitted' ? { decided: undefined } : decisionOf(store);
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  const stored: HeldPayment = { id, ...others, correctionPeriod, state, ...key, clientId, ...decision };
  store.payments.set(id, stored);
  if (idempotencyKey !== undefined)
    store.keys.set(keyOf(clientId, idempotencyKey), { paymentId: id, madeAt: store.clock() });
  return stored;
}

function decisionOf(store: Store) {
  return { decided: store.change(), decidedAt: new Date(store.clock()).toISOString() };
}

/** Approves or rejects a submitted payment, once (section 3). */
export function decidePayment(store: Store, id: string, state: 'approved' | 'rejected', reason?: string): void {
  const { payments } = store;
  const call = state === 'approved' ? 'payments.approve' : 'payments.reject';
  const payment = payments.get(id);
  if (!payment) throw invalidOption(`${call}: unknown payment. Use an id of payments.list().`);
  if (payment.state !== 'submitted') {
    throw invalidOption(`${call}: the payment is ${payment.state} already, for good. Decide on a submitted one.`);
  }
  payments.set(id, { ...payment, state, ...decisionOf(store), ...(reason !== undefined && { reason }) });
}

/** A payment as the API shows it. */
export function shownPayment(payment: StoredPayment): VariablePayment {
  return fieldsOf(VariablePayment, payment);
}

/** A decided payment as the API shows it. */
export function shownDecision(payment: StoredPayment): VariablePaymentDecision {
  return fieldsOf(VariablePaymentDecision, payment);
}

/** The fields of a model that a payment has. */
function fieldsOf<Fields extends object>(
  model: Pick<z.ZodObject, 'shape'> & z.ZodType<Fields>,
  payment: object,
): Fields {
  const fields = Object.entries(payment).filter(([name, value]) => name in model.shape && value !== undefined);
  return Object.fromEntries(fields) as Fields;
}
