import { text } from 'node:stream/consumers';
import type { Database } from '../src/database/database.ts';
import type { List } from '../src/database/list.ts';

/** Reads a list to its end. */
export async function listText(database: Database, query: List): Promise<string> {
  const { json } = await database.list(query);
  return text(json);
}
