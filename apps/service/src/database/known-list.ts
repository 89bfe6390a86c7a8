import type { Queries } from './database.ts';

interface KnownList {
  /** A query that finds a row when what owns the list exists. */
  readonly known: string;
  /** A query that gives the columns `key` (the order) and `element` (JSON text). */
  readonly elements: string;
  readonly values: readonly unknown[];
}

/** A short list of something that may be unknown, in one statement: the text of a JSON array, or `undefined` where its owner is unknown. */
export async function knownList(queries: Queries, { known, elements, values }: KnownList): Promise<string | undefined> {
  const [row] = await queries.query<{ list: string | null }>(
    `select case when exists (${known}) then (
      select '[' || coalesce(string_agg(element, ',' order by key), '') || ']' from (${elements}) as list
    ) end as list`,
    values,
  );
  return row?.list ?? undefined;
}
