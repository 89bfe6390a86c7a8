import type { Failure } from '../failure.ts';
import { truncated } from './answers.ts';
import { failedAnswer } from './failed-answer.ts';
import type { FakeOperation } from './find-route.ts';
import type { ReceivedRequest } from './received-request.ts';
import type { Tokens } from './tokens.ts';

interface FailingRequest {
  readonly operation: FakeOperation;
  readonly request: ReceivedRequest;
  readonly tokens: Tokens;
  /** Does what the request asks for. */
  readonly succeed: () => Response;
}

/** Lets a request fail. */
export async function fail(
  failure: Failure,
  { operation, request, tokens, succeed }: FailingRequest,
): Promise<Response> {
  if (failure === 'lost-request') return Response.error();
  if (failure === 'lost-answer') {
    succeed();
    return Response.error();
  }
  if (failure === 'truncated-answer') return truncated(succeed());
  if (typeof failure === 'object' && 'delayMs' in failure) {
    await delay(failure.delayMs, request.sent.signal);
    return succeed();
  }
  const { status, retryAfterSeconds } = typeof failure === 'number' ? { status: failure } : failure;
  if (status === 401) tokens.end(request.headers.get('authorization'));
  throw failedAnswer(status, { operation, retryAfterSeconds });
}

/** Ends early where nobody waits for the answer any more: otherwise a process could not end before. */
function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const leave = (): void => {
    clearTimeout(timer);
    resolve();
  };
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  return promise;
}
