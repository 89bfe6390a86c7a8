import type { Queries } from './database.ts';
import type { JsonAnswer } from './json-answer.ts';

interface KnownList {
  /** A query that finds a row when what owns the list exists. */
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
  const [row] = await queries.query<JsonAnswer>(
    `select '[' || coalesce(string_agg(element, ',' order by key), '') || ']' as json, count(element)::int as elements
    from (${elements}) as list having exists (${known})`,
    values,
  );
  return row;
}
