import type { Database } from './database.ts';

/** So many rows of a table go at a time: a statement that deletes more holds up others. */
const MAX_ROWS = 5000;

/** What the history of changes consists of: rows that tell of what is gone, and the moments of changes. */
const history = [
  { table: 'gone_person', before: 'first', condition: 'change < $1::bigint' },
  { table: 'time_day', before: 'first', condition: 'day is null and change < $1::bigint' },
  { table: 'absence', before: 'first', condition: 'absence is null and change < $1::bigint' },
  { table: 'moved_absence', before: 'first', condition: 'change < $1::bigint' },
  { table: 'change_set', before: 'moment', condition: 'changed_at < $1::timestamptz' },
  { table: 'change_period', before: 'moment', condition: 'start < $1::timestamptz' },
] as const;

/**
 * Drops a part of the changes that are older than so many days. From now on, lists of changes since an earlier day are refused.
 * What they tell is dropped a day later, as a list that was asked for before may still be read.
 *
 * @param timeZone in which days begin
 * @returns whether there is more
 */
export async function pruneChanges(database: Database, days: number, timeZone: string): Promise<boolean> {
  const [end] = await database.query<{ moment: string; first: string | null }>(
    `with day as (
      select local at time zone $2 as start, (local - interval '1 day') at time zone $2 as before
      from (select date_trunc('day', now() at time zone $2) - $1::int * interval '1 day' as local) as midnight
    ), advanced as (
      insert into change_history as old (kept_since, dropped_id, dropped_xid, dropped_seen)
      select start, max(id), max(xid), pg_current_snapshot()
      from day left join change_set on changed_at < start
      where exists (select from change_period where change_period.start < day.start)
      group by start
      on conflict ((true)) do update
        set kept_since = excluded.kept_since, dropped_id = greatest(old.dropped_id, excluded.dropped_id),
          dropped_xid = greatest(old.dropped_xid, excluded.dropped_xid), dropped_seen = excluded.dropped_seen
        where old.kept_since < excluded.kept_since
    )
    select before::text as moment,
      (select first::text from change_period where start >= before order by start limit 1) as first from day`,
    [days, timeZone],
  );
  let isMore = false;
  for (const { table, before, condition } of history) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const deleted = await database.query(
      `delete from ${table}
      where ctid = any(array(select ctid from ${table} where ${condition} limit ${MAX_ROWS})) returning 1`,
      [end?.[before] ?? null],
    );
    isMore ||= deleted.length === MAX_ROWS;
  }
  return isMore;
}
