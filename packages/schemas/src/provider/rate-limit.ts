/** A limit of requests, and its remaining quota. */
export interface RateLimit {
  readonly name: string;
  /** The maximum number of requests. */
  readonly quota: number;
  /** The window in seconds; without it, `quota` is the maximum number of requests in flight. */
  readonly window?: number | undefined;
  readonly remaining: number;
  /** Seconds until more requests are allowed. */
  readonly reset: number;
}

/**
 * The headers of every response that counts against a limit (draft-ietf-httpapi-ratelimit-headers-10).
 *
 * @example
 * rateLimitHeaders({ name: 'client', quota: 100, window: 60, remaining: 99, reset: 60 }).ratelimit; // '"client";r=99;t=60'
 */
export function rateLimitHeaders({ name, quota, window, remaining, reset }: RateLimit): RateLimitHeaders {
  return {
    'ratelimit-policy': `"${name}";q=${quota};${window === undefined ? 'qu="concurrent-requests"' : `w=${window}`}`,
    ratelimit: `"${name}";r=${remaining};t=${reset}`,
  };
}

/** The headers of a {@link RateLimit}. */
export type RateLimitHeaders = Readonly<Record<'ratelimit' | 'ratelimit-policy', string>>;
