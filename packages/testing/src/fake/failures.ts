import { API_SCOPE, operations, type Operation, type OperationId, type Operations } from '@hr/schemas';
import { insufficientScope, invalidClient, invalidToken, problems, type HttpError } from '@hr/schemas/provider';
import { z } from 'zod';
import { invalidOption, type HrTestingError } from '../hr-testing-error.ts';
import { fakeOperations, type FakeOperation } from './routes.ts';

const RATE_LIMIT_QUOTA = 100;
export const RATE_LIMIT_SECONDS = 60;

/** The rate limit of a client. Token requests have their own limit. */
export function rateLimitUsedUp(operation: FakeOperation, reset = 1): HttpError {
  const name = operation === 'requestToken' ? 'oauth' : 'client';
  return problems.tooManyRequests({ name, quota: RATE_LIMIT_QUOTA, window: RATE_LIMIT_SECONDS, remaining: 0, reset });
}

/** A status with which a valid request can fail. */
export type FailureStatus = 401 | 403 | 409 | 429 | 500 | 503;

const errors: Readonly<Record<FailureStatus, (operation: FakeOperation, retryAfterSeconds?: number) => HttpError>> = {
  401: (operation) => (operation === 'requestToken' ? invalidClient() : invalidToken()),
  403: () => insufficientScope(API_SCOPE),
  409: (_operation, retryAfterSeconds) => problems.keyInFlight(retryAfterSeconds),
  429: rateLimitUsedUp,
  500: () => problems.internalError(),
  503: (_operation, retryAfterSeconds) => problems.unavailable(undefined, { retryAfterSeconds }),
};

/**
 * How a request fails, or is delayed:
 *
 * - a status: the fake responds with it and does nothing else. 401 also invalidates the token. 409 says that the
 *   `Idempotency-Key` is in flight. 429 and 503 have a `Retry-After`
 * - `lost-request`: the connection breaks before the request is handled
 * - `lost-response`: the request is handled, and the connection breaks before the response
 * - `truncated-response`: the request is handled, and the connection breaks in the middle of the response
 * - `delayMs`: the delay before the request is handled, in milliseconds, at most 2,147,483,647
 */
export type Failure<Status extends FailureStatus = FailureStatus> =
  | Status
  | { readonly status: Status; readonly retryAfterSeconds?: number | undefined }
  | 'lost-request'
  | 'lost-response'
  | 'truncated-response'
  | { readonly delayMs: number };

/** How a request of an operation can fail. */
export type FailureOf<Id extends FakeOperation> = Failure<
  Id extends OperationId
    ? Operations[Id] extends { idempotencyKey: true }
      ? FailureStatus
      : Exclude<FailureStatus, 409>
    : Exclude<FailureStatus, 403 | 409>
>;

const broken = ['lost-request', 'lost-response', 'truncated-response'] as const;
/** The maximum delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** @throws {HrTestingError} `invalid-option` if requests of the operation cannot fail this way. */
export function checkFailure(operation: FakeOperation, failure: Failure, times: number): void {
  if (!Number.isSafeInteger(times) || times < 1) throw invalid('times must be a whole number, 1 or more');
  if (!fakeOperations.includes(operation)) throw invalid(`the operation must be one of ${fakeOperations.join(', ')}`);
  const known: Operation | undefined = operation === 'requestToken' ? undefined : operations[operation];
  const impossible = new Set([...(known ? [] : [403]), ...(known?.idempotencyKey ? [] : [409])]);
  const statuses = Object.keys(errors)
    .map(Number)
    .filter((status) => !impossible.has(status));
  const status = z.literal(statuses);
  const model = z.union([
    status,
    z.strictObject({ status, retryAfterSeconds: z.int().gte(0).optional() }),
    z.enum(broken),
    z.strictObject({ delayMs: z.number().gte(0).lte(MAX_DELAY_MS) }),
  ]);
  if (model.safeParse(failure).success) return;
  throw invalid(
    `the failure of ${operation} must be one of ${statuses.join(', ')}, '${broken.join("', '")}', ` +
      `{ status, retryAfterSeconds } with whole seconds, or { delayMs } from 0 to ${MAX_DELAY_MS}`,
  );
}

function invalid(sentence: string): HrTestingError {
  return invalidOption(`failNext: ${sentence}.`);
}

interface FailingRequest {
  readonly operation: FakeOperation;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Handles the request. */
  readonly succeed: () => Promise<Response>;
  readonly endToken: () => void;
}

/**
 * Makes a request fail. `Response.error()` represents a broken connection.
 *
 * @throws {HttpError} if it fails with a status.
 */
export async function fail(failure: Failure, request: FailingRequest): Promise<Response> {
  const { operation, signal, succeed, endToken } = request;
  if (typeof failure === 'object' && 'delayMs' in failure) {
    await delay(failure.delayMs, signal);
    return succeed();
  }
  if (typeof failure === 'string') {
    const response = failure === 'lost-request' ? Response.error() : await succeed();
    return failure === 'truncated-response' ? truncated(response) : Response.error();
  }
  const { status, retryAfterSeconds } = typeof failure === 'number' ? { status: failure } : failure;
  if (status === 401 && operation !== 'requestToken') endToken();
  throw errors[status](operation, retryAfterSeconds);
}

/** Ends early when the caller disconnects, so that it does not keep the process alive. */
function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** A response whose body breaks in the middle. */
async function truncated(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  let isSent = false;
  // With a higher mark, MSW would see the error before the first half.
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (isSent) controller.error(new TypeError('The fake breaks this response off, as failNext says.'));
        else controller.enqueue(bytes.slice(0, Math.ceil(bytes.length / 2)));
        isSent = true;
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}
