import type { Config } from '../config/config.ts';
import type { Since } from '../database/change-sets.ts';
import type { Database } from '../database/database.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import type { List } from '../database/list.ts';
import type { ListStarts, Start } from '../http/changes.ts';
import type { TokenGrant } from '../http/grant.ts';

interface Reading {
  readonly database: Database;
  readonly cursors: ListStarts;
  readonly grant: TokenGrant;
  readonly config: Pick<Config, 'timeZone'>;
  readonly query: Start;
}

/**
 * Reads a list with a cursor: whole, or what changed.
 *
 * @param listOf the list, whole without change sets
 */
export async function cursorList(
  { database, cursors, grant, config, query }: Reading,
  listOf: (since: Since | undefined) => List,
): Promise<JsonAnswer> {
  const { since, cursor } = await cursors.start(query, { queries: database, grant, timeZone: config.timeZone });
  // The stream counts its elements in itself.
  return Object.assign(await database.list(listOf(since)), { cursor });
}
