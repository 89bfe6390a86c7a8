/** A limit, and how much of it is left. */
interface RateLimit {
  readonly name: string;
  readonly quota: number;
  /** Seconds in which so many requests may be sent; without it, so many may run at the same time. */
  readonly window?: number;
  readonly remaining: number;
  /** Seconds until there is more. */
  readonly reset: number;
}

/** The header fields that tell a limit (draft-ietf-httpapi-ratelimit-headers-10). */
export function rateLimitFields({ name, quota, window, remaining, reset }: RateLimit): Record<string, string> {
  return {
    'ratelimit-policy': `"${name}";q=${quota};${window === undefined ? 'qu="concurrent-requests"' : `w=${window}`}`,
    ratelimit: `"${name}";r=${remaining};t=${reset}`,
  };
}
