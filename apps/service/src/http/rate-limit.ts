import type { Queries } from '../database/database.ts';
import { problems, rateLimitHeaders } from '@hr/schemas/provider';
import type { FastifyReply } from 'fastify';
import type { ServiceContext } from './runtime.ts';

/** A window of a client begins with its first request. */
const WINDOW_SECONDS = 60;

interface Counted {
  /** Requests of the window, this one too; `limit` and one where it is one too many, however many there were. */
  readonly requests: number;
  /** Whole seconds until the next window may begin. */
  readonly secondsLeft: number;
}

/** Counts a request of a client, across all processes. */
export async function countRequest(queries: Queries, clientId: string, limit: number): Promise<Counted> {
  const [counted] = await queries.query<Counted>(
    `insert into rate_limit as counted (client_id, window_start, requests) values ($1, clock_timestamp(), 1)
    on conflict (client_id) do update set
      (window_start, requests) = (select
        case when is_over then excluded.window_start else counted.window_start end,
        case when is_over then 1 else least(counted.requests, $2) + 1 end
        from (values (counted.window_start <= excluded.window_start - make_interval(secs => ${WINDOW_SECONDS}))) as age (is_over))
    returning requests, greatest(1, ceil(extract(epoch from window_start - clock_timestamp()) + ${WINDOW_SECONDS}))::int as "secondsLeft"`,
    [clientId, limit],
  );
  return counted as Counted;
}

/**
 * Counts a request against the rate limit of its client; the response has what is left of it. Requests of each name are
 * counted apart.
 *
 * @throws {HttpProblem} `too-many-requests`.
 */
export async function checkRateLimit(
  { name, clientId }: { readonly name: 'client' | 'oauth'; readonly clientId: string },
  reply: FastifyReply,
  { database, config: { rateLimit: quota } }: Pick<ServiceContext, 'database' | 'config'>,
): Promise<void> {
  if (quota === undefined) return;
  const { requests, secondsLeft } = await countRequest(database, `${name} ${clientId}`, quota);
  const remaining = Math.max(0, quota - requests);
  const limit = { name, quota, window: WINDOW_SECONDS, remaining, reset: secondsLeft };
  if (requests > quota) throw problems.tooManyRequests(limit);
  reply.headers(rateLimitHeaders(limit));
}
