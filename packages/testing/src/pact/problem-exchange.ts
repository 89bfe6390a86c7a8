import { Problem, problemKinds, problemType, problemsOf } from '@hr/schemas';
import type { OperationId, ProblemKind } from '@hr/schemas';
import { z } from 'zod';
import { HrTestingError } from '../hr-testing-error.ts';
import type { Given } from '../states/provider-states.ts';
import { checkedStates } from './checked-states.ts';
import { describeExchange } from './describe-exchange.ts';
import type { Example } from './example.ts';
import type { ExpectedResponse, OperationExchange } from './exchange.ts';
import { matchersOf } from '../contract/matchers/matchers-of.ts';
import { notExpressedOf } from '../contract/matchers/not-expressed.ts';
import type { NotExpressed } from '../contract/matchers/not-expressed.ts';
import { operationRequest } from './operation-request.ts';
import type { SentParts } from './operation-request.ts';
import { situationOf } from './situations.ts';

interface ProblemDetails {
  readonly status: number;
  readonly request?: SentParts;
  readonly given?: Given;
  readonly example?: Example<Problem>;
  readonly description?: string;
}

const problemContentType = { value: 'application/problem+json', pattern: '^application/problem\\+json\\s*(;.*)?$' };

/** An operation that is answered with a problem. What has to be there for that is known, unless `given` says it. */
export function problemExchange(id: OperationId, expectation: ProblemDetails): OperationExchange {
  const { status, request: sent = {}, given, example, description } = expectation;
  const kind = kindOf(id, status);
  const situation = situationOf(kind, sent);
  const states = given === undefined ? situation.states : checkedStates(given);
  const { token } = situation;
  const { request, notExpressed } = operationRequest(id, sent, status, token);
  const problem = problemResponse(kind, example);
  return {
    description: description ?? describeExchange(id, status, states),
    states,
    token,
    request,
    response: problem.response,
    notExpressed: [...notExpressed, ...problem.notExpressed],
  };
}

/** The answer of a kind of problem. Whoever is limited or put off is told when to ask again. */
export function problemResponse(
  kind: ProblemKind,
  example?: Example<Problem>,
): { response: ExpectedResponse; notExpressed: readonly NotExpressed[] } {
  const { status } = problemKinds[kind];
  const type = problemType(kind);
  // A program tells problems apart by these two, so others would not do.
  const model = Problem.extend({ type: z.literal(type), status: z.literal(status) });
  const { content, notExpressed } = matchersOf(model, example ?? { status });
  const isTemporary = status === 429 || status === 503;
  const response = {
    status,
    headers: {
      'Content-Type': problemContentType,
      ...(isTemporary && { 'Retry-After': { value: '0', pattern: '^[0-9]+$' } }),
    },
    body: { contentType: problemContentType.value, content },
  };
  return { response, notExpressed: notExpressedOf('answer', notExpressed) };
}

/** An example of problems, as that of one of them. */
export function ownProblem(id: OperationId, status: number, example: Example<Problem>): Example<Problem> {
  const kind = kindOf(id, status);
  const own: Readonly<Record<string, unknown>> = { type: problemType(kind), ...problemKinds[kind] };
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, own[name] ?? value]));
}

function kindOf(id: OperationId, status: number): ProblemKind {
  const kinds = problemsOf(id);
  const kind = kinds.find((each) => problemKinds[each].status === status);
  if (kind) return kind;
  const known = kinds.map((each) => problemKinds[each].status).join(', ');
  throw new HrTestingError('invalid-option', `${id} is not documented to answer ${status}, but 200, ${known}.`);
}
