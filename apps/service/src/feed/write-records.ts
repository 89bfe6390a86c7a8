import type { Queries } from '../database/database.ts';
import type { FeedRecord } from './feed-record.ts';
import { recordKinds, type RecordKind } from './record-kinds.ts';

/** What a statement did to the table, and to whom. */
export interface Written {
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
  readonly subjects: readonly ChangedSubject[];
}

/** A person, or a payroll contract without a mapping, and the number of changed records about it. */
type ChangedSubject = readonly [personId: string | null, payrollContractId: string | null, records: number];

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
  const { table, emptied } = kind;
  const columns = [...keys, ...values];
  const written = [...columns, ...(emptied ? ['change'] : [])];
  const insert = `insert into ${table} (${written.join(', ')}) select ${written.join(', ')} from changes`;
  return `
    with incoming as (${unnested(kind, columns)}),
    changes as materialized (
      select incoming.*${emptied ? `, ${changeAfter(columns)} as change` : ''}, stored.${keys[0]} is null as is_new,
        ${emptied ? `stored.${emptied[0]} is null` : `stored.${keys[0]} is null`} as is_created,
        ${movesFrom(kind, values)} as former_person_id
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
      ${subjectsOf(kind, 'changes')} as subjects from changes`;
}

function deletion(kind: RecordKind, keys: readonly string[]): string {
  const { table, emptied } = kind;
  const where = isSame('stored', 'incoming', keys);
  const act = emptied
    ? `update ${table} as stored set ${emptied.map((name) => `${name} = null`).join(', ')}, change = ${changeAfter(keys)}
        from incoming where ${where} and stored.${emptied[0]} is not null`
    : `delete from ${table} as stored using incoming where ${where}`;
  return `
    with incoming as (${unnested(kind, keys)}),
    deleted as (${act} returning stored.${kind.subject}, null as former_person_id)
    select 0 as created, 0 as changed, count(*)::int as deleted, ${subjectsOf(kind, 'deleted')} as subjects from deleted`;
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

/** The person who loses a row to another one. */
function movesFrom({ subject }: RecordKind, values: readonly string[]): string {
  return values.includes(subject) ? `nullif(stored.${subject}, incoming.${subject})` : 'null';
}

/** The {@link ChangedSubject}s of changed rows, as JSON. */
function subjectsOf({ subject }: RecordKind, rows: string): string {
  const counted =
    subject === 'person_id'
      ? `select person_id, null as payroll_contract_id, count(*) as records from (
          select person_id from ${rows} union all select former_person_id from ${rows} where former_person_id is not null
        ) as persons group by person_id`
      : `select person_id, case when person_id is null then payroll_contract_id end, records from (
          select payroll_contract_id, count(*) as records from ${rows} group by payroll_contract_id
        ) as contracts left join lateral (
          select person_id from mapping where mapping.payroll_contract_id = contracts.payroll_contract_id limit 1
        ) as owner on true`;
  return `(select coalesce(json_agg(json_build_array(person_id, payroll_contract_id, records)), '[]')
    from (${counted}) as subjects (person_id, payroll_contract_id, records))`;
}
