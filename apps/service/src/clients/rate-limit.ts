import type { Queries } from '../database/database.ts';

/** A window of a client begins with its first request. */
export const WINDOW_SECONDS = 60;

interface Counted {
  /** Requests of the window, this one too; `limit` and one where it is one too many, however many there were. */
  readonly requests: number;
  /** Whole seconds until the next window may begin. */
  readonly secondsLeft: number;
}

/** Counts a request of a client, truly across all processes. */
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
