import { API_SCOPE } from '@hr/schemas';
import { insufficientScope, invalidClient, invalidToken, problems } from '@hr/schemas/provider';
import type { HttpError } from '@hr/schemas/provider';
import type { Failure, FailureStatus } from './failures.ts';
import { rateLimitUsedUp } from './rate-limit.ts';
import type { FakeOperation } from './routes.ts';

interface FailingRequest {
  readonly operation: FakeOperation;
  /** Aborts when the caller has left. */
  readonly signal: AbortSignal;
  /** Ends the token of the request. */
  readonly endToken: () => void;
  /** Does what the request asks for. */
  readonly succeed: () => Response;
}

/**
 * Lets a request fail. `Response.error()` stands for a broken connection.
 *
 * @throws {HttpError} when it fails by a status.
 */
export async function fail(failure: Failure, request: FailingRequest): Promise<Response> {
  if (failure === 'lost-request') return Response.error();
  if (failure === 'lost-answer') {
    request.succeed();
    return Response.error();
  }
  if (failure === 'truncated-answer') return truncated(request.succeed());
  if (typeof failure === 'object' && 'delayMs' in failure) {
    await delay(failure.delayMs, request.signal);
    return request.succeed();
  }
  const { status, retryAfterSeconds } = typeof failure === 'number' ? { status: failure } : failure;
  const isToken = request.operation === 'requestToken';
  if (status === 401 && !isToken) request.endToken();
  throw errors[status](isToken, retryAfterSeconds);
}

const errors: {
  readonly [Status in FailureStatus]: (isToken: boolean, retryAfterSeconds: number | undefined) => HttpError;
} = {
  401: (isToken) => (isToken ? invalidClient() : invalidToken()),
  403: () => insufficientScope(API_SCOPE),
  409: (_isToken, retryAfterSeconds) => problems.keyInFlight(retryAfterSeconds),
  429: (isToken, retryAfterSeconds) => rateLimitUsedUp(isToken ? 'oauth' : 'client', retryAfterSeconds),
  500: () => problems.internalError(),
  503: (_isToken, retryAfterSeconds) => problems.unavailable(undefined, { retryAfterSeconds }),
};

/** Ends early when the caller has left: otherwise a process could not end before. */
function delay(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const leave = (): void => {
    clearTimeout(timer);
    resolve();
  };
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  return promise;
}

/** A response that breaks off in the middle. */
async function truncated(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const body = new ReadableStream(
    {
      start: (controller) => controller.enqueue(bytes.slice(0, Math.ceil(bytes.length / 2))),
      pull: (controller) => controller.error(new TypeError('failNext told this response to break off.')),
    },
    // Otherwise it would break before the first half was read.
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}
