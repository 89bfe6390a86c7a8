import { compareCodePoints } from '../compare-code-points.ts';
import { knownContract } from '../known-contract.ts';
import { shownPayment } from '../write-payment.ts';
import type { Handler } from './handler.ts';

export const listVariablePayments: Handler<'listVariablePayments'> = ({ store, path, query }) => {
  const contract = knownContract(store, path.contractId);
  if (!contract) return undefined;
  const approved = [...contract.payments.values()].filter(
    ({ state, billingPeriod }) => state === 'approved' && billingPeriod === (query.billingPeriod ?? billingPeriod),
  );
  // Payments of the same month stay in the order in which they came.
  return approved.toSorted((one, other) => compareCodePoints(one.billingPeriod, other.billingPeriod)).map(shownPayment);
};
