import { ChangesExpiredError } from './database-errors.ts';
import type { Queries } from './database.ts';
import { sql, type Sql } from './sql.ts';

// Any number does, as long as every process of the service takes the same and nothing else takes it.
const DATING_LOCK = 4012;
/** No change set has it. */
export const LAST_ID = String(2n ** 63n - 1n);

// A transaction has its number before its change set has an id. So ids of transactions that begin after a snapshot are
// larger than those of all that it sees.
const numbering = 'pg_current_xact_id() as xid';
const dating = `dating as materialized (select pg_advisory_xact_lock_shared(${DATING_LOCK}), ${numbering})`;

/**
 * SQL for the common table expression `change`, with the `id` of a new change set, dated now. It belongs at the end of a
 * transaction, for whose commit {@link changesSince} waits.
 *
 * @param touched SQL for what it changes, see the table
 * @param condition SQL for whether there is a change set at all
 */
export function datedChange(touched: string, condition = 'true'): string {
  return `${dating}, change as (
      insert into change_set (xid, changed_at, touched)
      select xid, clock_timestamp(), ${touched} from dating where ${condition}
      returning id
    )`;
}

/** Opens the change set of a long transaction, which ends with {@link dateChange} or {@link dropChange}. */
export async function openChange(transaction: Queries): Promise<string> {
  const [row] = await transaction.query<{ id: string }>(
    `with numbering as materialized (select ${numbering})
    insert into change_set (xid) select xid from numbering returning id::text`,
  );
  return (row as { id: string }).id;
}

/** Dates an open change set, and says what it touched. The transaction has to commit next. */
export async function dateChange(transaction: Queries, id: string, touched: Iterable<string>): Promise<void> {
  await transaction.query(
    `with ${dating} update change_set set changed_at = clock_timestamp(), touched = $2 from dating where id = $1`,
    [id, [...touched]],
  );
}

/** Removes an open change set to which no row refers. */
export async function dropChange(transaction: Queries, id: string): Promise<void> {
  await transaction.query('delete from change_set where id = $1', [id]);
}

/** The change sets on or since a date, or after a cursor. Those that come later belong to it, too. */
export interface Since {
  /** The smallest id that can be among them. */
  readonly first: string;
  /** Ids from the first on that do not belong to them: of transactions that ended before a longer one. */
  readonly except: readonly string[];
}

/**
 * The change sets since 00:00 of a date in a time zone. Every change that is not among them is dated, and seen, later than
 * the call began: a client that asks for the day of its last request misses none.
 *
 * @throws {ChangesExpiredError} if changes are kept since a later day only.
 */
export async function changesSince(queries: Queries, date: string, timeZone: string): Promise<Since> {
  // Transactions that have dated their changes hold it until the commit.
  await queries.query('select pg_advisory_xact_lock($1)', [DATING_LOCK]);
  const start = '$1::timestamp at time zone $2';
  const [row] = await queries.query<{ first: string | null; except: readonly string[]; keptSince: string | null }>(
    `with period as materialized (
      select first, opened_at from change_period where start >= date_bin('15 minutes', ${start}, 'epoch') order by start limit 1
    )
    select (select first::text from period), array(
      select id::text from change_set, period where id >= first and changed_at >= opened_at and changed_at < ${start}
    ) as except, (
      select to_char(kept_since at time zone $2, 'YYYY-MM-DD') from change_history where kept_since > ${start}
    ) as "keptSince"`,
    [date, timeZone],
  );
  const { first, except = [], keptSince } = row ?? {};
  if (keptSince) throw new ChangesExpiredError(keptSince);
  return { first: first ?? LAST_ID, except };
}

/** Whether a change set belongs to those since a date. */
export function belongsTo(id: string, { first, except }: Since): boolean {
  return BigInt(id) >= BigInt(first) && !except.includes(id);
}

/** SQL for whether a row's change set belongs to those since a date. */
export function isSince(column: Sql, { first, except }: Since): Sql {
  return except.length === 0
    ? sql`${column} >= ${first}::bigint`
    : sql`(${column} >= ${first}::bigint and ${column} <> all(${except}::bigint[]))`;
}

// Any number does, as long as every process of the service takes the same and nothing else takes it.
const IMPORT_LOCK = 4011;

/** Lets imports, and what must not happen during one, take turns until the transaction ends. */
export async function takeImportLock(transaction: Queries): Promise<void> {
  await transaction.query('select pg_advisory_xact_lock($1)', [IMPORT_LOCK]);
}
