import type { Database, Queries } from './database.ts';
import type { JsonAnswer } from './json-answer.ts';
import { between, pageOf, type List, type Page } from './list.ts';
import { bound, sql, type Sql } from './sql.ts';

/**
 * A page of a list, read by one statement, in the order of the list; without `limit` and `last`, a stream of all that is
 * between the keys.
 */
export function listPage(database: Database, list: List, page: Page): Promise<JsonAnswer> {
  const isWhole = page.limit === undefined && page.last === undefined;
  return isWhole ? database.list(between(list, page)) : jsonArray(database, pageOf(list, page));
}

/** A list that is read by one statement, because it is short. */
export async function jsonArray(queries: Queries, list: Sql): Promise<JsonAnswer> {
  const [array] = await queries.query<JsonAnswer>(
    ...bound(sql`select '[' || coalesce(string_agg(element::text, E',\\n' order by key), '') || ']' as json,
      count(*)::int as elements
    from (${list}) as list`),
  );
  return array ?? { json: '[]', elements: 0 };
}
