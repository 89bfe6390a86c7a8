import type { Failures } from '../failures.ts';
import { recordOf } from '../recorded-requests.ts';
import type { RecordedRequests } from '../recorded-requests.ts';
import type { Store } from '../store.ts';
import { answerTokenRequest } from './answer-token-request.ts';
import { jsonAnswer, thrownAnswer } from './answers.ts';
import { fail } from './fail.ts';
import { findRoute, isOperation } from './find-route.ts';
import type { FakeOperation, Route } from './find-route.ts';
import { perform } from './perform.ts';
import { receiveRequest } from './received-request.ts';
import type { ReceivedRequest } from './received-request.ts';
import type { Tokens } from './tokens.ts';

interface Context {
  readonly store: Store;
  readonly tokens: Tokens;
  readonly failures: Failures;
  readonly requests: RecordedRequests;
  /** The request's id, where it brings none. */
  readonly requestId: string;
}

/** Answers a request, unless it was told to fail, and records it. An error as fetch has it says that the connection broke. */
export async function answerRequest(sent: Request, context: Context): Promise<Response> {
  const request = await receiveRequest(sent, context.requestId);
  let operation: FakeOperation | undefined;
  let answer: Response;
  try {
    const route = findRoute(request);
    ({ operation } = route);
    const failure = context.failures.take(operation);
    const succeed = (): Response => answerRoute(route, request, context);
    answer = failure === undefined ? succeed() : await fail(failure, { ...context, operation, request, succeed });
  } catch (error) {
    answer = thrownAnswer(error, request);
  }
  const isBroken = answer.type === 'error';
  if (operation === 'requestToken' && !isBroken) answer.headers.set('pragma', 'no-cache');
  context.requests.add(recordOf(request, operation, isBroken ? undefined : answer.status));
  return answer;
}

function answerRoute(route: Route, request: ReceivedRequest, { store, tokens }: Context): Response {
  try {
    const answer = isOperation(route)
      ? perform(store, tokens, route, request)
      : answerTokenRequest(store, tokens, request);
    return jsonAnswer(request, 200, answer);
  } catch (error) {
    return thrownAnswer(error, request);
  }
}
