import { escapeLiteral } from 'pg';
import type { Database, Queries } from './database.ts';
import type { JsonAnswer } from './json-answer.ts';
import type { ListQuery } from './list-query.ts';

/** Which part of a list to read. `limit` and `last` exclude each other. */
export interface Page {
  /** How many of its first elements at most. */
  readonly limit?: string | undefined;
  /** How many of its last elements at most. */
  readonly last?: string | undefined;
  /** A key: only elements behind it. */
  readonly after?: string | undefined;
  /** A key: only elements before it. */
  readonly before?: string | undefined;
}

/**
 * A page of a list, read by one statement, in the order of the list; without `limit` and `last`, a stream of all that is
 * between the keys.
 */
export function listPage(database: Database, list: ListQuery, page: Page): Promise<JsonAnswer> {
  const isWhole = page.limit === undefined && page.last === undefined;
  return isWhole ? database.list(listWithin(list, page)) : jsonArray(database, listWithin(list, page));
}

/** The part of a list that is in a page. */
export function listWithin({ text, among = [] }: ListQuery, { limit, last, after, before }: Page): ListQuery {
  const bounds = [
    ...(after === undefined ? [] : [`key > ${escapeLiteral(after)}`]),
    ...(before === undefined ? [] : [`key < ${escapeLiteral(before)}`]),
  ];
  const where = bounds.length > 0 ? `where ${bounds.join(' and ')}` : '';
  const [first = '', ...others] = [text, ...among.map((other) => other.text)].map(
    (part) => `select key, element from (${part}) as list ${where}`,
  );
  const rows = limit ?? last;
  if (rows === undefined) return { text: first, among: others.map((other) => ({ text: other })) };
  // Each part is limited by itself, so that an index in the order of the keys serves it.
  const end = `order by key ${last === undefined ? 'asc' : 'desc'} limit ${Number(rows)}`;
  const rest = [first, ...others].map((part) => `(${part} ${end})`).join(' union all ');
  return { text: `select key, element from (${rest}) as page ${end}` };
}

/** A list that is read by one statement, because it is short. */
export async function jsonArray(queries: Queries, { text }: ListQuery): Promise<JsonAnswer> {
  const [list] = await queries.query<JsonAnswer>(
    `select '[' || coalesce(string_agg(element::text, E',\\n' order by key), '') || ']' as json, count(*)::int as elements
    from (${text}) as list`,
  );
  return list ?? { json: '[]', elements: 0 };
}
