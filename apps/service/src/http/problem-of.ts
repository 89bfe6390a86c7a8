import { DatabaseBusyError, DatabaseUnavailableError } from '../database/database-errors.ts';
import { HttpProblem } from './http-problem.ts';
import { rateLimitFields } from './rate-limit-fields.ts';

const BUSY_RETRY_SECONDS = 1;
const UNAVAILABLE_RETRY_SECONDS = '5';
const REPEAT_OR_LOOK = 'Send it again with the same Idempotency-Key, or look what is stored first.';

/** The problem that answers whatever was thrown. Nothing of a fault of ours gets out. */
export function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof DatabaseBusyError) {
    const limit = { name: 'lists', quota: error.mostLists, remaining: 0, reset: BUSY_RETRY_SECONDS };
    return new HttpProblem('too-many-requests', `${error.message} Ask again in a moment.`, {
      headers: { 'retry-after': String(BUSY_RETRY_SECONDS), ...rateLimitFields(limit) },
    });
  }
  if (error instanceof DatabaseUnavailableError && error.mayBeStored) {
    return new HttpProblem('unavailable', `${error.message} ${REPEAT_OR_LOOK}`, {
      headers: { 'retry-after': UNAVAILABLE_RETRY_SECONDS },
    });
  }
  if (error instanceof DatabaseUnavailableError) return unavailable(error.message);
  // Only Fastify gives its errors a status.
  switch (error instanceof Error && 'statusCode' in error && error.statusCode) {
    case 400:
      return new HttpProblem(
        'invalid-request',
        'The request is cut short or its address is not valid percent-encoded UTF-8.',
      );
    case 413:
      return new HttpProblem('content-too-large', 'Send a shorter body: 1 MiB at most, 16 KiB below /api/oauth2.');
    case 415:
      return unsupportedMediaType();
    default:
      return new HttpProblem('internal-error', 'Something failed here; tell the request id to support.');
  }
}

export function unavailable(detail: string, headers: Readonly<Record<string, string>> = {}): HttpProblem {
  return new HttpProblem('unavailable', `${detail} Ask again in a moment.`, {
    headers: { 'retry-after': UNAVAILABLE_RETRY_SECONDS, ...headers },
  });
}

export function unsupportedMediaType(): HttpProblem {
  return new HttpProblem('unsupported-media-type', 'Send the body as application/json in UTF-8, not compressed.');
}
