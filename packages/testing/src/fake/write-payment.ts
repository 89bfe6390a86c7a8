import { VariablePayment } from '@hr/schemas';
import type { VariablePaymentRequest } from '@hr/schemas';
import type { Payment } from '../fixtures/payments.ts';
import type { Store, StoredContract, StoredPayment } from './store.ts';

/** A variable payment on its way in. */
export interface Submission {
  readonly payrollContractId: string;
  readonly billingPeriod: string;
  readonly payment: VariablePaymentRequest;
}

/** Stores a payment of a contract, by default one that waits for approval (section 3). */
export function writePayment(
  store: Store,
  contract: StoredContract,
  submission: Submission,
  state: Payment['state'] = 'submitted',
): StoredPayment {
  const id = String(++store.lastPaymentId);
  const stored: StoredPayment = { id, state, ...submitted(submission) };
  contract.payments.set(id, stored);
  store.contractOfPayment.set(id, contract);
  return stored;
}

/** What a submission says, as the API answers it: the payment affects its billing period unless it says otherwise. */
export function submitted({ payrollContractId, billingPeriod, payment }: Submission): VariablePayment {
  const { correctionPeriod = billingPeriod } = payment;
  return { payrollContractId, billingPeriod, ...payment, correctionPeriod };
}

const members = Object.keys(VariablePayment.shape) as (keyof VariablePayment)[];

/** What the API shows of a payment. */
export function shownPayment(payment: StoredPayment): VariablePayment {
  const shown = members.flatMap((name) => (payment[name] === undefined ? [] : [[name, payment[name]]]));
  return Object.fromEntries(shown) as VariablePayment;
}
