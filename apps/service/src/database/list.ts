import { joined, literal, raw, sql, type Sql } from './sql.ts';

/**
 * What a list is read from: one or more queries that give the columns `key` (unique in all of them, the order of the list: text in
 * collation "C", or a number) and `element` (JSON text in one line). A page begins behind a key, so an index in the order
 * of the keys should serve each query.
 */
export type List = readonly Sql[];

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

/** The part of a list that is between two keys. */
export function between(list: List, { after, before }: Page): List {
  const isBehind = after === undefined ? raw('true') : sql`key > ${after}`;
  const isWithin = before === undefined ? isBehind : sql`${isBehind} and key < ${before}`;
  return list.map((query) => sql`select key, element from (${query}) as list where ${isWithin}`);
}

/** A page with a `limit`, or with `last`, as one query. */
export function pageOf(list: List, page: Page): Sql {
  // Each query is limited by itself, so that an index in the order of the keys serves it.
  const end = sql`order by key ${raw(page.last === undefined ? 'asc' : 'desc')} limit ${page.limit ?? page.last ?? ''}`;
  const parts = between(list, page).map((query) => sql`(${query} ${end})`);
  return sql`select key, element from (${joined(parts, ' union all ')}) as page ${end}`;
}

/**
 * The rows of a page in order, with the columns `last_key`, as text, and `element`.
 *
 * @param after the key behind which the page begins; `undefined` for the first page
 * @param rows how many it has at most: less, and it is the last page
 */
export function pageStatement(list: List, after: string | undefined, rows: number): string {
  const page = pageOf(list, { after, limit: String(rows) });
  return literal(sql`select key::text as last_key, element from (${page}) as page order by key`);
}
