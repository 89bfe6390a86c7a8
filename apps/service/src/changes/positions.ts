import { LAST_ID, type Since } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import type { Touched } from '../http/changes.ts';

/** So many transactions in progress a cursor names. What came after the first of the others is told again. */
const MAX_IN_PROGRESS = 30;
/** A list of changes after more change sets is not looked at one by one. */
const MAX_LOOKED_AT = 1000;

/** A position in the changes: which change sets are before it. */
export interface Position {
  /** The transactions before it, as PostgreSQL writes a snapshot. */
  readonly snapshot: string;
  /** The last change set before it; 0 if there is none. All later ones are after it. */
  readonly latest: string;
  /** Another one if one of those before it is lost. */
  readonly digest: string;
}

/** Why it is unknown what came after a position: see `problems.cursorExpired`. */
export type Expiry = 'history' | 'database';

const capped = `
  in_progress as materialized (
    select snapshot, array(select pg_snapshot_xip(snapshot)) as xids from pg_current_snapshot() as snapshot
  ),
  capped as materialized (
    select case when cardinality(xids) <= ${MAX_IN_PROGRESS} then snapshot else
      format('%s:%s:%s', pg_snapshot_xmin(snapshot), xids[${MAX_IN_PROGRESS + 1}],
        array_to_string(xids[1:${MAX_IN_PROGRESS}], ','))::pg_snapshot
    end as snapshot from in_progress
  ),
  last as materialized (
    select snapshot, greatest(
      0, (select id from change_set where pg_visible_in_snapshot(xid, snapshot) order by id desc limit 1),
      (select dropped_id from change_history)
    ) as latest from capped
  )`;
const current = `snapshot::text, latest::text, change_digest(snapshot, latest) as digest`;

/**
 * SQL for whether something came after a position, or may have.
 *
 * @param row the name of a table with the columns of a {@link Position}
 */
export function isPassed(row: string): string {
  const inProgress = `array(select pg_snapshot_xip(${row}.snapshot))`;
  return `(
    exists (select from change_set where change_set.id > ${row}.latest)
    or exists (select from change_set where xid = any(${inProgress}))
    or exists (select from change_set where xid >= pg_snapshot_xmax(${row}.snapshot))
    or is_dropped_after(${row}.snapshot, ${row}.latest)
  )`;
}

/** The position of what the database has now. */
export async function currentPosition(queries: Queries): Promise<Position> {
  const [row] = await queries.query<Position>(`with ${capped} select ${current} from last`);
  return row as Position;
}

/** What came after a position. */
export interface Later {
  readonly since: Since;
  /** Where to go on: the same position if nothing came. */
  readonly position: Position;
  /** Of very many, the first ones and one that may have touched anything. */
  readonly changes: readonly ChangeSet[];
}

/** A change set that came after a position. */
export interface ChangeSet extends Touched {
  readonly id: bigint;
  readonly xid: string;
}

/** Whether a change set comes after a position. */
export function comesAfter({ snapshot, latest }: Position): (change: ChangeSet) => boolean {
  const [, next = '', list = ''] = snapshot.split(':');
  const inProgress = new Set(list.split(','));
  const [last, first] = [BigInt(latest), BigInt(next)];
  return ({ id, xid }) => id > last || inProgress.has(xid) || BigInt(xid) >= first;
}

/** What came after a position, or why that is unknown. */
export async function changesAfter(queries: Queries, before: Position): Promise<Later | Expiry> {
  const { snapshot, latest, digest } = before;
  const [row] = await queries.query<
    Position & {
      readonly isLost: boolean;
      readonly isDropped: boolean;
      readonly isOld: boolean;
      readonly first: string | null;
      readonly except: readonly string[];
      readonly changes: readonly (readonly [id: string, xid: string, touched: readonly string[] | null])[];
    }
  >(
    `with ${capped},
    before as materialized (
      select array(select pg_snapshot_xip(given)) as in_progress, pg_snapshot_xmax(given) as next from (select $1::pg_snapshot as given) as before
    ),
    -- A change set after the position has a larger id than the latest one before it, or its transaction was in progress.
    -- The snapshot does not name those in progress with larger numbers than all that had ended: these are the first behind it.
    later as materialized (
      (select id, xid, touched from change_set where id > $2::bigint order by id limit ${MAX_LOOKED_AT})
      union
      (select id, xid, touched from change_set where xid >= (select next from before) order by xid limit ${MAX_LOOKED_AT})
      union
      select id, xid, touched from before, change_set
      where xid = any(in_progress) or (cardinality(in_progress) = ${MAX_IN_PROGRESS} and xid >= next)
    ),
    first as materialized (select min(id) as id from later)
    select ${current},
      change_digest($1::pg_snapshot, $2::bigint) <> $3 as "isLost",
      is_dropped_after($1::pg_snapshot, $2::bigint) as "isDropped",
      -- Then the latest change set itself may be gone.
      exists (select from change_history where dropped_id >= $2::bigint) as "isOld",
      (select id::text from first) as first,
      array(
        select change_set.id::text from change_set, first where change_set.id > first.id and change_set.id <= $2::bigint
          and pg_visible_in_snapshot(xid, $1::pg_snapshot)
      ) as except,
      (select coalesce(json_agg(json_build_array(id::text, xid::text, touched)), '[]') from later) as changes
    from last`,
    [snapshot, latest, digest],
  );
  const { isLost, isDropped, isOld, first, except, changes, ...position } = row as NonNullable<typeof row>;
  if (isDropped || (isLost && isOld)) return 'history';
  if (isLost) return 'database';
  return {
    since: { first: first ?? LAST_ID, except },
    position: first === null ? before : position,
    changes: changes.map(([id, xid, touched], index) => ({
      id: BigInt(id),
      xid,
      touched: index < MAX_LOOKED_AT - 1 ? touched : null,
    })),
  };
}
