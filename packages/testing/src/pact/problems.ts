import { Problem, problemKinds, problemType, problemsOf, type OperationId, type ProblemKind } from '@hr/schemas';
import { z } from 'zod';
import { invalidOption } from '../hr-testing-error.ts';
import { exampleTokens, type ExampleToken } from '../contract/example-tokens.ts';
import type { ProviderState } from '../states/provider-states.ts';
import { headerLike, jsonResponse, mediaType, type SentParts } from './exchange.ts';

/** A cause of a problem. */
export interface Cause {
  readonly states?: readonly ProviderState[];
  readonly token?: ExampleToken;
}

/** A kind of problem that a contract can cause. */
export type CausedKind =
  | 'invalid-request'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'time-component-version'
  | 'idempotency-key-in-flight'
  | 'idempotency-key-reused'
  | 'too-many-requests'
  | 'unavailable';

/** How a contract causes each kind. */
export const causes: Readonly<Record<CausedKind, (sent: SentParts) => Cause>> = {
  // The request breaks a rule.
  'invalid-request': () => ({}),
  unauthorized: () => ({ token: exampleTokens.rejected }),
  forbidden: () => ({ token: exampleTokens.withoutScope }),
  // Without a state, the id in the path is unknown.
  'not-found': () => ({}),
  'time-component-version': () => ({ states: [['an outdated time component']] }),
  'idempotency-key-in-flight': (sent) => {
    const { idempotencyKey, payrollContractId } = keyedPayment(sent);
    return { states: [['a payment being submitted with a key', { idempotencyKey, payrollContractId }]] };
  },
  'idempotency-key-reused': (sent) => ({ states: [['a payment submitted with a key', keyedPayment(sent)]] }),
  'too-many-requests': () => ({ states: [['a used-up rate limit']] }),
  unavailable: () => ({ states: [['an unavailable service']] }),
};

/** A different payment with the key of the request. */
function keyedPayment({ path, query, body, idempotencyKey }: SentParts) {
  if (idempotencyKey === undefined) {
    throw invalidOption('request: idempotencyKey is missing. Statuses 409 and 422 are about it.');
  }
  const { amount = 0, ...payment } = body as { compensationComponentId: string; amount?: number };
  return {
    idempotencyKey,
    payrollContractId: path?.['contractId'] ?? '',
    billingPeriod: query?.['billingPeriod'] as string,
    payment: { ...payment, amount: amount + 1 },
  };
}

/** The response of a kind of problem. A temporary one says when to retry. */
export function problemResponse(kind: CausedKind, example?: unknown) {
  const { status } = problemKinds[kind];
  // Programs tell problems apart by these two.
  const model = Problem.extend({ type: z.literal(problemType(kind)), status: z.literal(status) });
  return jsonResponse(status, model, example ?? { status }, {
    'Content-Type': mediaType('application/problem+json'),
    ...((status === 429 || status === 503) && { 'Retry-After': headerLike('0', '^[0-9]+$') }),
  });
}

/** An example of several problems, as the example of one of them. */
export function exampleOfKind(kind: ProblemKind, example: object): object {
  const own: Readonly<Record<string, unknown>> = { type: problemType(kind), ...problemKinds[kind] };
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, own[name] ?? value]));
}

/** @throws {HrTestingError} `invalid-option` if no contract can cause this problem of the operation */
export function problemKindOf(id: OperationId, status: number, { forErrors = false } = {}): CausedKind {
  const kinds = problemsOf(id).filter((each): each is CausedKind & typeof each => Object.hasOwn(causes, each));
  const possible = kinds.filter((each) => !forErrors || each !== 'invalid-request');
  const kind = possible.find((each) => problemKinds[each].status === status);
  if (kind) return kind;
  const known = possible.map((each) => problemKinds[each].status).toSorted((one, other) => one - other);
  const fault = `${id}: no contract can bring the status ${status} about here`;
  throw invalidOption(`${fault}. Use one of ${known.join(', ')}.`);
}
