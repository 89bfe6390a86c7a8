import { ChangesExpiredError } from './database-errors.ts';
import type { Queries } from './database.ts';
import { sql, type Sql } from './sql.ts';

// Any number does, as long as every process of the service takes the same and nothing else takes it.
const DATING_LOCK = 4012;
const LAST_ID = String(2n ** 63n - 1n);

const dating = `dating as materialized (select pg_advisory_xact_lock_shared(${DATING_LOCK}))`;

/**
 * SQL for the common table expression `change`, with the `id` of a new change set, dated now. It belongs at the end of a
 * transaction, for whose commit {@link changesSince} waits.
 *
 * @param condition SQL for whether there is a change set at all
 */
export function datedChange(condition = 'true'): string {
  return `${dating},
    change as (insert into change_set (changed_at) select clock_timestamp() from dating where ${condition} returning id)`;
}

/** Opens the change set of a long transaction, which ends with {@link dateChange} or {@link dropChange}. */
export async function openChange(transaction: Queries): Promise<string> {
  const [row] = await transaction.query<{ id: string }>('insert into change_set default values returning id::text');
  return (row as { id: string }).id;
}

/** Dates an open change set. The transaction has to commit next. */
export async function dateChange(transaction: Queries, id: string): Promise<void> {
  await transaction.query(
    `with ${dating} update change_set set changed_at = clock_timestamp() from dating where id = $1`,
    [id],
  );
}

/** Removes an open change set to which no row refers. */
export async function dropChange(transaction: Queries, id: string): Promise<void> {
  await transaction.query('delete from change_set where id = $1', [id]);
}

/** The change sets on or since a date. Those that come later belong to it, too. */
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

/** The change sets of a list of changes, by the parameters of a request; `undefined` for a whole list. */
export async function sinceOf(
  { changedSince }: { readonly changedSince?: string | undefined },
  queries: Queries,
  { timeZone }: { readonly timeZone: string },
): Promise<Since | undefined> {
  return changedSince === undefined ? undefined : changesSince(queries, changedSince, timeZone);
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
