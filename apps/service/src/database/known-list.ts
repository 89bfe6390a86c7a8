import type { Queries } from './database.ts';
import type { JsonAnswer } from './json-answer.ts';

interface KnownList {
  /** A query that finds a row when what owns the list exists, with the `person_id` of whom it tells. */
  readonly known: string;
  /** A query that gives the columns `key` (the order) and `element` (JSON text). */
  readonly elements: string;
  readonly values: readonly unknown[];
}

/** A short list of something that may be unknown, in one statement: a JSON array, or `undefined` where its owner is unknown. */
export async function knownList(
  queries: Queries,
  { known, elements, values }: KnownList,
): Promise<JsonAnswer | undefined> {
  const [row] = await queries.query<{ json: string; elements: number; personId: string }>(
    `select json, elements, person_id as "personId"
    from (${known}) as owner cross join (
      select '[' || coalesce(string_agg(element, ',' order by key), '') || ']' as json, count(element)::int as elements
      from (${elements}) as list
    ) as whole`,
    values,
  );
  return row && { json: row.json, elements: row.elements, subject: { personId: row.personId } };
}
