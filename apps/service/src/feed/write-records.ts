import type { Queries } from '../database/database.ts';
import type { FeedRecord } from './feed-record.ts';
import { recordKinds } from './record-kinds.ts';
import type { RecordKind } from './record-kinds.ts';

/** What a statement did to the table, and whose views or time accounts it affects. */
export interface Written {
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
  readonly personIds: readonly string[];
}

/** Writes records of one kind, or deletes them, in one statement. Each has another key. Only imports may write the table meanwhile. */
export async function writeRecords(
  transaction: Queries,
  records: readonly [FeedRecord, ...FeedRecord[]],
  change: string,
): Promise<Written> {
  const [{ kind, deletes, key, values }] = records;
  const recordKind: RecordKind = recordKinds[kind];
  const parameters: unknown[] = [
    ...Object.keys(key).map((column) => records.map((record) => record.key[column])),
    ...Object.keys(values).map((column) => {
      const texts = records.map((record) => record.values[column]);
      return column === recordKind.json ? texts.join('\n') : texts;
    }),
  ];
  const statement = (deletes ? deletion : upsert)(recordKind, Object.keys(key), Object.keys(values));
  const [written] = await transaction.query<Written>(
    statement,
    recordKind.emptied ? [...parameters, change] : parameters,
  );
  return written as Written;
}

// Rows that stay as they are are not touched, not even locked: loading the same again writes nothing. New rows come by an
// INSERT of their own: with ON CONFLICT it takes half as long again.
function upsert(kind: RecordKind, keys: readonly string[], values: readonly string[]): string {
  const { table, emptied, personId } = kind;
  const columns = [...keys, ...values];
  const written = [...columns, ...(emptied ? ['change'] : [])];
  const insert = `insert into ${table} (${written.join(', ')}) select ${written.join(', ')} from changes`;
  return `
    with incoming as (${unnested(kind, columns)}),
    changes as materialized (
      select incoming.*${emptied ? `, ${changeAfter(columns)} as change` : ''}, stored.${keys[0]} is null as is_new,
        ${emptied ? `stored.${emptied[0]} is null` : `stored.${keys[0]} is null`} as is_created,
        ${personIds(personId, ['incoming', 'stored'])} as person_ids
      from incoming left join lateral (
        select * from ${table} as stored where ${isSame('stored', 'incoming', keys)} limit 1
      ) as stored on true
      where stored.${keys[0]} is null or (${columnsOf('stored', values)}) is distinct from (${columnsOf('incoming', values)})
    ),
    added as (${insert} where is_new),
    updated as (${insert} where not is_new
      on conflict (${keys.join(', ')}) do update set ${written
        .filter((name) => !keys.includes(name))
        .map((name) => `${name} = excluded.${name}`)
        .join(', ')}
    )
    select count(*) filter (where is_created)::int as created, count(*) filter (where not is_created)::int as changed, 0 as deleted,
      ${distinctPersonIds(personId, 'changes')} from changes`;
}

function deletion(kind: RecordKind, keys: readonly string[]): string {
  const { table, emptied, personId } = kind;
  const where = isSame('stored', 'incoming', keys);
  const act = emptied
    ? `update ${table} as stored set ${emptied.map((name) => `${name} = null`).join(', ')}, change = ${changeAfter(keys)}
        from incoming where ${where} and stored.${emptied[0]} is not null`
    : `delete from ${table} as stored using incoming where ${where}`;
  return `
    with incoming as (${unnested(kind, keys)}),
    deleted as (${act} returning ${personIds(personId, ['stored'])} as person_ids)
    select 0 as created, 0 as changed, count(*)::int as deleted, ${distinctPersonIds(personId, 'deleted')} from deleted`;
}

/** The parameter after those of the columns. */
function changeAfter(columns: readonly string[]): string {
  return `$${columns.length + 1}::bigint`;
}

function isSame(row: string, other: string, keys: readonly string[]): string {
  return keys.map((name) => `${row}.${name} = ${other}.${name}`).join(' and ');
}

function columnsOf(row: string, columns: readonly string[]): string {
  return columns.map((name) => `${row}.${name}`).join(', ');
}

/** The records as rows. JSON texts have no line feed, and come as the lines of one text: an array costs several times as much. */
function unnested({ json }: RecordKind, columns: readonly string[]): string {
  const lists = columns.map((column, index) =>
    column === json ? String.raw`string_to_array($${index + 1}, E'\n')` : `$${index + 1}::text[]`,
  );
  return `select * from unnest(${lists.join(', ')}) as incoming (${columns.join(', ')})`;
}

function personIds(personId: RecordKind['personId'], rows: readonly string[]): string {
  return personId ? `array[${rows.map(personId).join(', ')}]` : 'null';
}

function distinctPersonIds(personId: RecordKind['personId'], rows: string): string {
  return personId
    ? `array(select distinct shown.id from ${rows}, unnest(person_ids) as shown (id) where shown.id is not null) as "personIds"`
    : `'{}'::text[] as "personIds"`;
}
