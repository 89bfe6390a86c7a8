import type { Queries } from './database.ts';
import type { JsonAnswer } from './json-answer.ts';

interface KnownList {
  /** A query that gives the `person_id` of whom the list tells when its owner exists, and otherwise no row. */
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
  const [row] = await queries.query<{ json: string; elements: number; personId: string | null }>(
    `select '[' || coalesce(string_agg(element, ',' order by key), '') || ']' as json, count(element)::int as elements,
      (${known}) as "personId"
    from (${elements}) as list`,
    values,
  );
  if (!row || row.personId === null) return undefined;
  return { json: row.json, elements: row.elements, subject: { personId: row.personId } };
}
