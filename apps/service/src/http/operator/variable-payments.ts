import { Identifier } from '@hr/schemas';
import { HttpProblem } from '@hr/schemas/provider';
import { z } from 'zod';
import type { JsonAnswer } from '../../database/json-answer.ts';
import { decidePayment, paymentsInState, paymentStates } from '../../database/payments.ts';
import type { ChangeCall } from '../route.ts';
import { none, operatorRoute, OperatorText } from './operator-route.ts';

const payment = z.strictObject({ paymentId: Identifier });
const decision = z.strictObject({ reason: OperatorText.optional() }).optional();

type DecisionCall = ChangeCall<z.output<typeof payment>, unknown, z.output<typeof decision>>;

async function decide(
  state: 'approved' | 'rejected',
  { transaction, path, body, grant }: DecisionCall,
): Promise<JsonAnswer | undefined> {
  const decided = await decidePayment(transaction, {
    id: path.paymentId,
    state,
    decidedBy: grant.clientId,
    reason: body?.reason,
  });
  if (decided.outcome === 'decided') return decided.payment;
  if (decided.outcome === 'unknown') return undefined;
  throw new HttpProblem('already-decided', `The payment is ${decided.state}; a decision is final.`);
}

/** The variable payments, to decide on. */
export const variablePaymentRoutes = [
  operatorRoute({
    id: 'operatorListVariablePayments',
    method: 'GET',
    path: '/operator/v1/variable-payments',
    pathParameters: none,
    query: z.strictObject({ state: z.enum(paymentStates).optional() }),
    answer: ({ database, query }) => database.list(paymentsInState(query.state)),
  }),
  operatorRoute({
    id: 'operatorApproveVariablePayment',
    method: 'POST',
    path: '/operator/v1/variable-payments/{paymentId}/approve',
    pathParameters: payment,
    query: none,
    body: decision,
    answer: (call) => decide('approved', call),
  }),
  operatorRoute({
    id: 'operatorRejectVariablePayment',
    method: 'POST',
    path: '/operator/v1/variable-payments/{paymentId}/reject',
    pathParameters: payment,
    query: none,
    body: decision,
    answer: (call) => decide('rejected', call),
  }),
];
