import { HttpProblem } from './http-problem.ts';

/** Another request with the same key has not ended yet. */
export function keyInFlight(retryAfterSeconds = 1): HttpProblem {
  return new HttpProblem(
    'idempotency-key-in-flight',
    'A request with this Idempotency-Key has not ended yet; send it again in a moment.',
    { headers: { 'retry-after': String(retryAfterSeconds) } },
  );
}
