import { problems } from '@hr/schemas/provider';
import type { HttpProblem } from '@hr/schemas/provider';
import type { Store } from './store.ts';

export const RATE_LIMIT_WINDOW_SECONDS = 60;
const QUOTA = 100;

/** Requests for tokens are counted apart. */
type Counter = 'client' | 'oauth';

/** @throws {HttpProblem} `too-many-requests`. */
export function checkRateLimit({ clock, rateLimitedUntil }: Store, counter: Counter): void {
  const secondsLeft = Math.ceil((rateLimitedUntil - clock()) / 1000);
  if (secondsLeft > 0) throw rateLimitUsedUp(counter, secondsLeft);
}

export function rateLimitUsedUp(name: Counter, reset = 1): HttpProblem {
  return problems.tooManyRequests({ name, quota: QUOTA, window: RATE_LIMIT_WINDOW_SECONDS, remaining: 0, reset });
}
