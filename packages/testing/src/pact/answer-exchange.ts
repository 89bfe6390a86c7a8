import { operations } from '@hr/schemas';
import type { Operation, OperationId } from '@hr/schemas';
import { z } from 'zod';
import type { Given } from '../states/provider-states.ts';
import { checkedStates } from './checked-states.ts';
import { describeExchange } from './describe-exchange.ts';
import { exampleTokens } from '../contract/example-tokens.ts';
import type { OperationExchange } from './exchange.ts';
import { matchersOf } from '../contract/matchers/matchers-of.ts';
import { notExpressedOf } from '../contract/matchers/not-expressed.ts';
import { jsonType, operationRequest } from './operation-request.ts';
import type { SentParts } from './operation-request.ts';

interface AnswerExpectation {
  readonly request?: SentParts;
  readonly given?: Given;
  readonly example: unknown;
  readonly description?: string;
}

/** An operation that succeeds. */
export function answerExchange(id: OperationId, expectation: AnswerExpectation): OperationExchange {
  const { request: sent = {}, given = [], example, description } = expectation;
  const states = checkedStates(given);
  const token = exampleTokens.valid;
  const { request, notExpressed } = operationRequest(id, sent, 200, token);
  const answer = matchersOf(modelOf(operations[id], sent), example);
  return {
    description: description ?? describeExchange(id, 200, states),
    states,
    token,
    request,
    response: {
      status: 200,
      headers: { 'Content-Type': jsonType },
      body: { contentType: jsonType.value, content: answer.content },
    },
    notExpressed: [...notExpressed, ...notExpressedOf('answer', answer.notExpressed)],
  };
}

/** The list tells only what changed where it is asked for that. */
function modelOf({ list, response, delta }: Operation, { query }: SentParts): z.ZodType {
  if (!list) return response;
  return z.array(delta && query?.['changedSince'] !== undefined ? delta : response);
}
