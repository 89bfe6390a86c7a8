import { text } from 'node:stream/consumers';
import type { Database } from '../src/database/database.ts';
import type { ListQuery } from '../src/database/list-query.ts';

/** Reads a list to its end. */
export async function listText(database: Database, query: ListQuery): Promise<string> {
  const { json } = await database.list(query);
  return text(json);
}
