import type { FailureStatus } from '../failure.ts';
import { tooManyRequests } from './check-rate-limit.ts';
import type { FakeOperation } from './find-route.ts';
import { HttpProblem, unavailable } from './http-problem.ts';
import { keyInFlight } from './key-in-flight.ts';
import { invalidClient } from './token-refusal.ts';
import type { TokenRefusal } from './token-refusal.ts';
import { insufficientScope, invalidToken } from './tokens.ts';

interface FailedRequest {
  readonly operation: FakeOperation;
  readonly retryAfterSeconds: number | undefined;
}

const answers: { readonly [Status in FailureStatus]: (request: FailedRequest) => HttpProblem | TokenRefusal } = {
  401: ({ operation }) => (operation === 'requestToken' ? invalidClient() : invalidToken()),
  403: insufficientScope,
  409: ({ retryAfterSeconds }) => keyInFlight(retryAfterSeconds),
  429: ({ operation, retryAfterSeconds = 1 }) =>
    tooManyRequests(operation === 'requestToken' ? 'oauth' : 'client', retryAfterSeconds),
  500: () => new HttpProblem('internal-error', 'Something failed here; tell the request id to support.'),
  503: ({ retryAfterSeconds }) => unavailable(retryAfterSeconds),
};

/** What answers a request that was told to fail by a status. */
export function failedAnswer(status: FailureStatus, request: FailedRequest): HttpProblem | TokenRefusal {
  return answers[status](request);
}
