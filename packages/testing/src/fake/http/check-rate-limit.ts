import type { Store } from '../store.ts';
import { HttpProblem } from './http-problem.ts';

export const RATE_LIMIT_WINDOW_SECONDS = 60;
/** Requests a client may send in that time; all of them have been sent where the limit is used up. */
const QUOTA = 100;

/** Requests for tokens are counted apart. */
type Counter = 'client' | 'oauth';

/** Refuses a request that is one too many. */
export function checkRateLimit({ clock, rateLimitedUntil }: Store, counter: Counter): void {
  const secondsLeft = Math.ceil((rateLimitedUntil - clock()) / 1000);
  if (secondsLeft > 0) throw tooManyRequests(counter, secondsLeft);
}

export function tooManyRequests(counter: Counter, retryAfterSeconds: number): HttpProblem {
  return new HttpProblem(
    'too-many-requests',
    `A client may send ${QUOTA} requests in ${RATE_LIMIT_WINDOW_SECONDS} seconds. Ask again in ${retryAfterSeconds}.`,
    {
      headers: {
        'retry-after': String(retryAfterSeconds),
        'ratelimit-policy': `"${counter}";q=${QUOTA};w=${RATE_LIMIT_WINDOW_SECONDS}`,
        ratelimit: `"${counter}";r=0;t=${retryAfterSeconds}`,
      },
    },
  );
}
