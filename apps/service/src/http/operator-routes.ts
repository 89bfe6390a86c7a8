import { Identifier } from '@hr/schemas';
import { z } from 'zod';
import { createClient, scopes } from '../database/clients.ts';
import { decidePayment, paymentsInState, paymentStates } from '../database/payments.ts';
import { HttpProblem } from './http-problem.ts';
import type { Call, JsonAnswer, Route } from './route.ts';

const LONGEST_TEXT = 1000;

const text = z
  .string()
  .min(1)
  .max(LONGEST_TEXT)
  .refine((value) => value.isWellFormed() && !value.includes('\0'), 'must be text without lone surrogates and NUL');

const none = z.strictObject({});
const payment = z.strictObject({ paymentId: Identifier });
const decision = z.strictObject({ reason: text.optional() }).optional();

type DecisionCall = Call<z.output<typeof payment>, unknown, z.output<typeof decision>>;

async function decide(
  state: 'approved' | 'rejected',
  { database, path, body, clientId }: DecisionCall,
): Promise<JsonAnswer> {
  const decided = await decidePayment(database, {
    id: path.paymentId,
    state,
    decidedBy: clientId,
    reason: body?.reason,
  });
  if (decided.outcome === 'decided') return decided.payment;
  if (decided.outcome === 'unknown') return undefined;
  throw new HttpProblem('already-decided', `The payment is ${decided.state}; a decision is final.`);
}

/** What operators do over HTTP: it stays outside the API. */
export const operatorRoutes: readonly Route[] = [
  route({
    id: 'operatorListVariablePayments',
    method: 'GET',
    path: '/operator/v1/variable-payments',
    pathParameters: none,
    query: z.strictObject({ state: z.enum(paymentStates).optional() }),
    answer: ({ database, query }) => database.list(paymentsInState(query.state)),
  }),
  route({
    id: 'operatorApproveVariablePayment',
    method: 'POST',
    path: '/operator/v1/variable-payments/{paymentId}/approve',
    pathParameters: payment,
    query: none,
    body: decision,
    answer: (call) => decide('approved', call),
  }),
  route({
    id: 'operatorRejectVariablePayment',
    method: 'POST',
    path: '/operator/v1/variable-payments/{paymentId}/reject',
    pathParameters: payment,
    query: none,
    body: decision,
    answer: (call) => decide('rejected', call),
  }),
  route({
    id: 'operatorCreateClient',
    method: 'POST',
    path: '/operator/v1/clients',
    pathParameters: none,
    query: none,
    body: z.strictObject({ name: text, scope: z.enum(scopes) }),
    answer: async ({ database, body }) => JSON.stringify(await createClient(database, body)),
  }),
];

function route<Path, Query, Body>(operation: Omit<Route<Path, Query, Body>, 'scope'>): Route {
  return { ...operation, scope: 'operator' };
}
