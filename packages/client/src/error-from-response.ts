import type { Call } from './call.ts';
import type { CheckedRequest } from './checked-request.ts';
import { Deadline } from './deadline.ts';
import type { HrError, KnownErrorCode } from './hr-error.ts';
import { hrProblem, places } from './hr-problem.ts';
import { outcomeOfResponse } from './outcome.ts';
import { ResponseBody } from './response-body.ts';

/** Problems of this API are shorter. */
const MAX_PROBLEM_BYTES = 64 * 1024;
/** Maximum wait for the body of a problem, at most half of the remaining time. The status is already known. */
const MAX_PROBLEM_WAIT_MS = 5000;
const remedyOfKind: Readonly<Record<string, string>> = {
  'idempotency-key-in-flight': 'Wait retryAfterMs, then send it again with the same key.',
  'cursor-expired': 'Leave out after to read everything, then go on with the cursor of that response.',
};
const codeOfStatus: Readonly<Record<number, KnownErrorCode>> = {
  400: 'invalid-request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  408: 'timeout',
  409: 'conflict',
  429: 'rate-limited',
};

/** The error for an unsuccessful response. Its outcome depends on the status, even if the body does not arrive. */
export async function errorFromResponse(request: CheckedRequest, call: Call, response: Response): Promise<HrError> {
  const { status } = response;
  const hasKey = request.headers['idempotency-key'] !== undefined;
  call.conclude(outcomeOfResponse(status, undefined, hasKey));
  const problem = hrProblem(await problemText(response, call));
  call.conclude(outcomeOfResponse(status, problem?.kind, hasKey));
  const code =
    problem?.kind === 'idempotency-key-reused'
      ? 'idempotency-key-reused'
      : (codeOfStatus[status] ?? (status >= 500 ? 'server-error' : 'rejected'));
  const title = problem?.title === undefined ? '' : `, ${problem.title}`;
  return call.error(
    code,
    `the service responded with ${status}${title}${places(problem?.errors ?? [], 'the request')}`,
    { problem, remedy: remedyOfKind[problem?.kind ?? ''] },
  );
}

/** The body as text; undefined if it is unreadable, incomplete or stalled. */
async function problemText(response: Response, call: Call): Promise<string | undefined> {
  const { deadline, signal } = call;
  const stall = new Deadline(Math.min(MAX_PROBLEM_WAIT_MS, deadline.remaining / 2), signal);
  const body = new ResponseBody(response, call, stall);
  try {
    return await body.text(MAX_PROBLEM_BYTES);
  } catch {
    if (!deadline.expired) signal.throwIfAborted();
    return undefined;
  } finally {
    body.cancel();
    stall.end();
  }
}
