import type { Queries } from './database.ts';
import type { JsonAnswer } from './json-answer.ts';
import { bound, sql, type Sql } from './sql.ts';

interface KnownList {
  /** A query that gives the `person_id` of whom the list tells when its owner exists, and otherwise no row. */
  readonly known: Sql;
  /** A query that gives the columns `key` (the order) and `element` (JSON text). */
  readonly elements: Sql;
}

/** A short list of something that may be unknown, in one statement: a JSON array, or `undefined` where its owner is unknown. */
export async function knownList(queries: Queries, { known, elements }: KnownList): Promise<JsonAnswer | undefined> {
  const [row] = await queries.query<{ json: string; elements: number; personId: string | null }>(
    ...bound(sql`select '[' || coalesce(string_agg(element, ',' order by key), '') || ']' as json,
      count(element)::int as elements, (${known}) as "personId"
    from (${elements}) as list`),
  );
  if (!row || row.personId === null) return undefined;
  return { json: row.json, elements: row.elements, subject: { personId: row.personId } };
}
