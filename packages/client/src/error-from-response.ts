import type { Call } from './call.ts';
import type { CheckedRequest } from './checked-request.ts';
import type { HrError, HrErrorCode } from './hr-error.ts';
import { hrProblem, places } from './hr-problem.ts';
import { outcomeOfResponse } from './outcome.ts';
import { bodyText } from './response-body.ts';

/** A longer body is not a problem of this API. */
const MAX_PROBLEM_BYTES = 64 * 1024;
/** How long to wait for a problem's body, at most half of the remaining time. The status is there already. */
const MAX_PROBLEM_WAIT_MS = 5000;
const codeOfStatus: Readonly<Record<number, HrErrorCode>> = {
  400: 'invalid-request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  408: 'timeout',
  409: 'conflict',
  429: 'rate-limited',
};

/** The error for a response that is not a success. Its outcome follows from the status, whether or not the body arrives. */
export async function errorFromResponse(request: CheckedRequest, call: Call, response: Response): Promise<HrError> {
  const { status } = response;
  const hasKey = request.headers['idempotency-key'] !== undefined;
  call.conclude(outcomeOfResponse(status, undefined, hasKey));
  const problem = hrProblem(await problemText(response, call));
  call.conclude(outcomeOfResponse(status, problem?.kind, hasKey));
  const code =
    problem?.kind === 'idempotency-key-reused'
      ? problem.kind
      : (codeOfStatus[status] ?? (status >= 500 ? 'server-error' : 'rejected'));
  const title = problem?.title === undefined ? '' : `, ${problem.title}`;
  return call.error(code, `the service responded with ${status}${title}${problem ? places(problem) : ''}`, { problem });
}

/** The body as text; undefined when it is unreadable, breaks off or stalls. */
async function problemText(response: Response, call: Call): Promise<string | undefined> {
  const { deadline, signal } = call;
  const stall = new AbortController();
  const timer = setTimeout(() => stall.abort(), Math.min(MAX_PROBLEM_WAIT_MS, deadline.remaining / 2));
  try {
    return await bodyText(response, call, MAX_PROBLEM_BYTES, AbortSignal.any([signal, stall.signal]));
  } catch {
    if (!deadline.expired) signal.throwIfAborted();
    return undefined;
  } finally {
    clearTimeout(timer);
    deadline.resume();
  }
}
