import type { Attempt } from './send-message.ts';

/** How long to wait after a failure, by the failures before it; after more of them as after the last. */
const DELAYS_SECONDS = [5, 30, 120, 600, 1800, 3600] as const;
const MAX_DELAY_SECONDS = 3600;
/** A delay is up to so much longer, so that what failed together is not tried together. */
const JITTER = 0.25;

export function isSuccess({ status = 0 }: Pick<Attempt, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** Seconds until the next attempt. */
export function retryDelaySeconds(failuresBefore: number, { sentAt, status, retryAfter = '' }: Attempt): number {
  const delay = (DELAYS_SECONDS[failuresBefore] ?? MAX_DELAY_SECONDS) * (1 + JITTER * Math.random());
  if (status !== 429 && status !== 503) return delay;
  const asked = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.parse(sentAt)) / 1000;
  return Math.max(delay, Math.min(asked || 0, MAX_DELAY_SECONDS));
}
