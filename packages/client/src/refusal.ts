import { bodyText } from './body-text.ts';
import type { Call } from './call.ts';
import type { CheckedRequest } from './checked-request.ts';
import type { HrError, HrErrorCode } from './hr-error.ts';
import { hrProblem, places } from './hr-problem.ts';
import { outcomeOfAnswer } from './outcome.ts';

/** More is no problem answer, and not worth the wait. */
const MAX_PROBLEM_BYTES = 64 * 1024;
const codeOfStatus: Readonly<Record<number, HrErrorCode>> = {
  400: 'invalid-request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  408: 'timeout',
  409: 'conflict',
  429: 'rate-limited',
};

/** The error for an answer that is no success. */
export async function refusal(request: CheckedRequest, call: Call, response: Response): Promise<HrError> {
  const { status } = response;
  const problem = hrProblem(await problemText(response, call));
  call.conclude(outcomeOfAnswer(status, problem?.type, request.headers['idempotency-key'] !== undefined));
  const code = codeOfStatus[status] ?? (status >= 500 ? 'server-error' : 'rejected');
  const title = problem?.title === undefined ? '' : `, ${problem.title}`;
  return call.error(code, `the service answered ${status}${title}${problem ? places(problem) : ''}`, problem);
}

async function problemText(response: Response, call: Call): Promise<string | undefined> {
  try {
    return await bodyText(response, call, MAX_PROBLEM_BYTES);
  } catch {
    // A body that breaks off is missed by nobody: the status is there.
    call.signal.throwIfAborted();
    return undefined;
  }
}
