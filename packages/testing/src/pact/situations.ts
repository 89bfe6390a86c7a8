import type { OperationId, ProblemKind, ProblemOf, problemKinds } from '@hr/schemas';
import { HrTestingError } from '../hr-testing-error.ts';
import type { State } from '../states/provider-states.ts';
import { exampleTokens } from '../contract/example-tokens.ts';
import type { ExampleToken } from '../contract/example-tokens.ts';
import type { SentParts } from './operation-request.ts';

/** How an HR cloud comes to answer a problem. */
interface Situation {
  readonly states: readonly State[];
  readonly token: ExampleToken;
}

const { valid, rejected, withoutScope } = exampleTokens;

/** A kind of problem for which the kit knows by itself what has to be there, so that an operation answers it. */
export type DerivedKind =
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'time-component-version'
  | 'idempotency-key-reused'
  | 'too-many-requests'
  | 'unavailable';

const situations: { readonly [Kind in DerivedKind]: (sent: SentParts) => Situation } = {
  unauthorized: () => ({ states: [], token: rejected }),
  forbidden: () => ({ states: [], token: withoutScope }),
  // Nobody has made what the path names.
  'not-found': () => ({ states: [], token: valid }),
  'time-component-version': () => ({ states: [['an outdated time component']], token: valid }),
  'idempotency-key-reused': (sent) => ({ states: [anotherPayment(sent)], token: valid }),
  'too-many-requests': () => ({ states: [['a used-up rate limit']], token: valid }),
  unavailable: () => ({ states: [['an unavailable service']], token: valid }),
};

/** A status for which the kit knows by itself what has to be there, so that an operation answers it. */
export type DerivedStatus<Id extends OperationId> = (typeof problemKinds)[Extract<
  ProblemOf<Id>,
  DerivedKind
>]['status'];

/** How an HR cloud comes to answer such a problem; a valid request finds nothing where the kit does not know. */
export function situationOf(kind: ProblemKind, sent: SentParts): Situation {
  return Object.hasOwn(situations, kind) ? situations[kind as DerivedKind](sent) : { states: [], token: valid };
}

/** Another payment, which was submitted with the key of the request. */
function anotherPayment({ path, query, body, idempotencyKey }: SentParts): State {
  if (idempotencyKey === undefined) {
    throw new HrTestingError('invalid-option', 'A key can only be answered 422 where the request has idempotencyKey.');
  }
  const { amount = 0, ...payment } = body as { compensationComponentId: string; amount?: number };
  const parameters = {
    idempotencyKey,
    payrollContractId: path?.['contractId'] ?? '',
    billingPeriod: query?.['billingPeriod'] as string,
    payment: { ...payment, amount: amount + 1 },
  };
  return ['a payment submitted with a key', parameters];
}
