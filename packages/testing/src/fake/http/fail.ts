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
    await delay(failure.delayMs);
    return succeed();
  }
  const { status, retryAfterSeconds } = typeof failure === 'number' ? { status: failure } : failure;
  if (status === 401) tokens.end(request.headers.get('authorization'));
  throw failedAnswer(status, { operation, retryAfterSeconds });
}

/** Keeps no process alive. */
function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    // A number in browsers.
    const timer: { unref?: () => void } | number = setTimeout(resolve, milliseconds);
    if (typeof timer === 'object') timer.unref?.();
  });
}
