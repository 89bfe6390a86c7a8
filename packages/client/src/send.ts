import { problemType } from '@hr/schemas';
import ky, { isHTTPError } from 'ky';
import { attemptsOf } from './attempts.ts';
import type { Call } from './call.ts';
import type { CheckedRequest } from './checked-request.ts';
import type { HrClientSettings } from './hr-client-options.ts';
import { isHrError } from './hr-error.ts';
import type { HrError, HrErrorCode } from './hr-error.ts';
import { hrProblem, places } from './hr-problem.ts';
import { outcomeOfAnswer } from './outcome.ts';

/** Statuses that say "not now". */
const transientStatuses = [408, 429, 500, 502, 503, 504];
const CONFLICT = 409;
const keyInFlight = problemType('idempotency-key-in-flight');
const FIRST_DELAY_MS = 300;
const codeOfStatus: Readonly<Record<number, HrErrorCode>> = {
  400: 'invalid-request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  408: 'timeout',
  409: 'conflict',
  429: 'rate-limited',
};

/**
 * Sends a request until it is answered with success, as the rules for retries allow. The body of the answer is still to
 * be read.
 *
 * ky keeps the rhythm of the retries and nothing else: it knows neither token nor body, so its errors cannot show them,
 * and none of them gets out of here.
 */
export async function send(settings: HrClientSettings, request: CheckedRequest, call: Call): Promise<Response> {
  const { limit, maxDelay } = settings.retry;
  const statusCodes = [...transientStatuses, CONFLICT];
  try {
    const response = await ky(request.url, {
      method: request.method,
      signal: call.signal,
      fetch: attemptsOf(settings, request, call),
      timeout: false,
      retry: {
        limit,
        methods: ['get', 'patch', 'post'],
        statusCodes,
        afterStatusCodes: statusCodes,
        maxRetryAfter: maxDelay,
        backoffLimit: maxDelay,
        delay: (count) => FIRST_DELAY_MS * 2 ** (count - 1),
        jitter: true,
        shouldRetry({ error: thrown }) {
          const error = failure(request, call, thrown);
          if (!(isHrError(error) && mayRetry(settings, request, error))) return false;
          call.retrying(error.code);
          // Undefined lets ky look for Retry-After.
          return isHTTPError(thrown) ? undefined : true;
        },
      },
    });
    call.conclude('accepted');
    return response;
  } catch (error) {
    throw failure(request, call, error);
  }
}

/**
 * A patch replaces whole properties, so sending it twice is sending it once; a payment is another one each time, unless
 * its key makes it the same.
 */
function mayRetry(settings: HrClientSettings, request: CheckedRequest, error: HrError): boolean {
  const isRepeatable =
    request.method !== 'POST' ||
    (settings.idempotency === 'provider-supports' && request.headers['idempotency-key'] !== undefined);
  if (!isRepeatable) return error.code === 'network' && error.outcome === 'not-sent';
  return (
    error.code === 'network' || transientStatuses.includes(error.status ?? 0) || error.problem?.type === keyInFlight
  );
}

/** Turns ky's error for a status into ours; any other error is ours already, or the caller's reason. */
function failure(request: CheckedRequest, call: Call, thrown: unknown): unknown {
  if (!isHTTPError(thrown)) return thrown;
  const { status } = thrown.response;
  const problem = hrProblem(thrown.data);
  // A conflict that does not say which may be about the key.
  const assumedType = request.headers['idempotency-key'] === undefined ? undefined : keyInFlight;
  call.conclude(outcomeOfAnswer(status, problem?.type ?? assumedType));
  const code = codeOfStatus[status] ?? (status >= 500 ? 'server-error' : 'rejected');
  const title = problem ? `, ${problem.title}${places(problem)}` : '';
  return call.error(code, `the service answered ${status}${title}`, problem);
}
