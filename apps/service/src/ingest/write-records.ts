import type { Queries } from '../database/database.ts';
import { UNSETTLED } from '../database/person-view.ts';
import type { FeedRecord } from './feed-record.ts';
import type { RecordKind } from './record-kind.ts';
import { recordKinds } from './record-kinds.ts';

/** What writing did to the table, and whose views it touches. */
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
): Promise<Written> {
  const [{ kind, deletes, key, values }] = records;
  const keys = Object.keys(key);
  const columns = [...keys, ...Object.keys(values)];
  const statement = (deletes ? deletion : upsert)(recordKinds[kind], keys, columns);
  const rows = records.map((record) => ({ ...record.key, ...record.values }));
  const [written] = await transaction.query<Written>(
    statement,
    columns.map((column) => rows.map((row) => row[column])),
  );
  return written as Written;
}

// Rows that stay as they are are not touched, not even locked: loading the same again writes nothing.
function upsert({ table, dated, personId }: RecordKind, keys: readonly string[], columns: readonly string[]): string {
  const values = columns.filter((column) => !keys.includes(column));
  const written = dated ? [...columns, 'changed_at'] : columns;
  return `
    with fed as (${unnested(columns)}),
    news as (
      select fed.*${dated ? `, '${UNSETTLED}'::timestamptz as changed_at` : ''},
        before.${keys[0]} is null as created, ${personIds(personId, ['fed', 'before'])} as person_ids
      from fed left join lateral (
        select * from ${table} as kept where ${equal('kept', 'fed', keys)} limit 1
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

function deletion({ table, personId }: RecordKind, keys: readonly string[]): string {
  return `
    with fed as (${unnested(keys)}),
    gone as (
      delete from ${table} as before using fed where ${equal('before', 'fed', keys)}
      returning ${personIds(personId, ['before'])} as person_ids
    )
    select 0 as created, 0 as changed, count(*)::int as deleted, ${distinctPersonIds('gone')} from gone`;
}

function columnsOf(row: string, columns: readonly string[]): string {
  return columns.map((name) => `${row}.${name}`).join(', ');
}

function equal(one: string, other: string, columns: readonly string[]): string {
  return columns.map((name) => `${one}.${name} = ${other}.${name}`).join(' and ');
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
