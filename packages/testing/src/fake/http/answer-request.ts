import type { Failure, Failures } from '../failure.ts';
import { recordOf } from '../recorded-requests.ts';
import type { RecordedRequests } from '../recorded-requests.ts';
import type { Store } from '../store.ts';
import { answerTokenRequest } from './answer-token-request.ts';
import { jsonAnswer, thrownAnswer, truncated } from './answers.ts';
import { checkAccept } from './check-headers.ts';
import { failedAnswer } from './failed-answer.ts';
import { findRoute } from './find-route.ts';
import type { FakeOperation } from './find-route.ts';
import { checkLength, perform } from './perform.ts';
import { receiveRequest } from './received-request.ts';
import type { ReceivedRequest } from './received-request.ts';
import type { Tokens } from './tokens.ts';

const MOST_FORM_BYTES = 16 * 1024;

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
  const { failures, requests } = context;
  let operation: FakeOperation | undefined;
  let answer: Response;
  try {
    const route = findRoute(request);
    ({ operation } = route);
    answer = await failing(failures.take(operation), request, context, operation, () =>
      answerRoute(route, request, context),
    );
  } catch (error) {
    answer = thrownAnswer(error, request);
  }
  if (operation === 'requestToken' && answer.type !== 'error') answer.headers.set('pragma', 'no-cache');
  requests.add(recordOf(request, operation, answer.type === 'error' ? undefined : answer.status));
  return answer;
}

function answerRoute(
  { operation, path }: ReturnType<typeof findRoute>,
  request: ReceivedRequest,
  { store, tokens }: Context,
): Response {
  try {
    if (operation !== 'requestToken')
      return jsonAnswer(request, 200, perform(store, tokens, request, { operation, path }));
    checkAccept(request);
    checkLength(request, MOST_FORM_BYTES);
    return jsonAnswer(request, 200, answerTokenRequest(store, tokens, request));
  } catch (error) {
    return thrownAnswer(error, request);
  }
}

/** Answers as the failure says. */
async function failing(
  failure: Failure | undefined,
  request: ReceivedRequest,
  { tokens }: Context,
  operation: FakeOperation,
  answer: () => Response,
): Promise<Response> {
  if (failure === undefined) return answer();
  if (failure === 'lost-request') return Response.error();
  if (failure === 'lost-answer') {
    answer();
    return Response.error();
  }
  if (failure === 'truncated-answer') return truncated(answer());
  if (typeof failure === 'object' && 'delayMs' in failure) {
    await delay(failure.delayMs);
    return answer();
  }
  const { status, retryAfterSeconds } = typeof failure === 'number' ? { status: failure } : failure;
  if (status === 401) tokens.end(request.headers.get('authorization'));
  throw failedAnswer(status, { operation, retryAfterSeconds });
}

/** Keeps no process alive. */
function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: { unref?: () => void } | number = setTimeout(resolve, milliseconds);
    if (typeof timer === 'object') timer.unref?.();
  });
}
