import { HttpProblem } from '@hr/schemas/provider';
import { decidePayment, paymentsInState } from './variable-payments.ts';
import type { OperatorHandlers } from '../operator/operator-routes.ts';

/** The variable payments, to decide on. */
export const variablePaymentHandlers = {
  operatorListVariablePayments: ({ database, query }) => database.list(paymentsInState(query.state)),
  operatorApproveVariablePayment: decide('approved'),
  operatorRejectVariablePayment: decide('rejected'),
} satisfies Partial<OperatorHandlers>;

function decide(state: 'approved' | 'rejected'): OperatorHandlers['operatorApproveVariablePayment'] {
  return async ({ transaction, path, body, grant }) => {
    const decided = await decidePayment(transaction, {
      id: path.paymentId,
      state,
      decidedBy: grant.clientId,
      reason: body?.reason,
    });
    if (decided.outcome === 'decided') return decided.payment;
    if (decided.outcome === 'unknown') return undefined;
    if (decided.outcome === 'in-same-hands') {
      throw new HttpProblem(
        'forbidden',
        'This client, or one that made it or rotated its secret, also made the client that submitted the payment or rotated its secret. Let another operator or the command line decide.',
      );
    }
    throw new HttpProblem('already-decided', `The payment is ${decided.state}; a decision is final.`);
  };
}
