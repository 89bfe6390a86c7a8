import type { Queries } from '../database/database.ts';
import type { FeedRecord } from './feed-record.ts';
import type { RecordKind } from './record-kind.ts';
import { recordKinds } from './record-kinds.ts';

/** What writing did to the table, and whose views or time accounts it affects. */
export interface Written {
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
  readonly personIds: readonly string[];
}

/** Writes records of one kind, or deletes them, in one statement. Each has another key. */
export async function writeRecords(
  transaction: Queries,
  records: readonly [FeedRecord, ...FeedRecord[]],
  change: string,
): Promise<Written> {
  const [{ kind, deletes, key, values }] = records;
  const recordKind: RecordKind = recordKinds[kind];
  const keys = Object.keys(key);
  const columns = [...keys, ...Object.keys(values)];
  const statement = (deletes ? deletion : upsert)(recordKind, keys, columns);
  const rows = records.map((record) => ({ ...record.key, ...record.values }));
  const lists: unknown[] = columns.map((column) => rows.map((row) => row[column]));
  const [written] = await transaction.query<Written>(statement, recordKind.emptied ? [...lists, change] : lists);
  return written as Written;
}

// Rows that stay as they are are not touched, not even locked: loading the same again writes nothing.
function upsert({ table, emptied, personId }: RecordKind, keys: readonly string[], columns: readonly string[]): string {
  const values = columns.filter((column) => !keys.includes(column));
  const written = emptied ? [...columns, 'change'] : columns;
  return `
    with fed as (${unnested(columns)}),
    news as (
      select fed.*${emptied ? `, ${changeAfter(columns)} as change` : ''},
        before.${keys[0]} is null as created, ${personIds(personId, ['fed', 'before'])} as person_ids
      from fed left join lateral (
        select * from ${table} as kept where ${isKept('kept', 'fed', keys, emptied)} limit 1
      ) as before on true
      where before.${keys[0]} is null or (${columnsOf('before', values)}) is distinct from (${columnsOf('fed', values)})
    ),
    written as (
      insert into ${table} (${written.join(', ')}) select ${written.join(', ')} from news
      on conflict (${keys.join(', ')}) do update set ${written
        .filter((name) => !keys.includes(name))
        .map((name) => `${name} = excluded.${name}`)
        .join(', ')}
    )
    select count(*) filter (where created)::int as created, count(*) filter (where not created)::int as changed, 0 as deleted,
      ${distinctPersonIds('news')} from news`;
}

function deletion({ table, emptied, personId }: RecordKind, keys: readonly string[]): string {
  const where = isKept('before', 'fed', keys, emptied);
  const act = emptied
    ? `update ${table} as before set ${emptied.map((name) => `${name} = null`).join(', ')}, change = ${changeAfter(keys)}
        from fed where ${where}`
    : `delete from ${table} as before using fed where ${where}`;
  return `
    with fed as (${unnested(keys)}),
    gone as (${act} returning ${personIds(personId, ['before'])} as person_ids)
    select 0 as created, 0 as changed, count(*)::int as deleted, ${distinctPersonIds('gone')} from gone`;
}

/** The parameter after those of the columns. */
function changeAfter(columns: readonly string[]): string {
  return `$${columns.length + 1}::bigint`;
}

/** Whether a row has the key of another, and was not deleted. */
function isKept(row: string, other: string, keys: readonly string[], emptied: RecordKind['emptied']): string {
  const conditions = keys.map((name) => `${row}.${name} = ${other}.${name}`);
  return [...conditions, ...(emptied ? [`${row}.${emptied[0]} is not null`] : [])].join(' and ');
}

function columnsOf(row: string, columns: readonly string[]): string {
  return columns.map((name) => `${row}.${name}`).join(', ');
}

function unnested(columns: readonly string[]): string {
  const parameters = columns.map((_, index) => `$${index + 1}::text[]`);
  return `select * from unnest(${parameters.join(', ')}) as fed (${columns.join(', ')})`;
}

function personIds(personId: RecordKind['personId'], rows: readonly string[]): string {
  return `array[${personId ? rows.map(personId).join(', ') : ''}]::text[]`;
}

function distinctPersonIds(rows: string): string {
  return `array(select distinct shown.id from ${rows}, unnest(person_ids) as shown (id) where shown.id is not null) as "personIds"`;
}
