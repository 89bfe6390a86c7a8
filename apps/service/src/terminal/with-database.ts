import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { CommandError } from './command-error.ts';

/** Runs `work` on the database of the settings, its tables up to date, and closes it. */
export async function withDatabase<Result>(
  { database: url, databasePool: requests, databaseListPool: lists }: Config,
  work: (database: Database, applied: readonly string[]) => Promise<Result>,
): Promise<Result> {
  if (url === 'pglite:memory') {
    throw new CommandError(
      'pglite:memory lasts as long as its process, so only demo and serve take it: set HR_DATABASE.',
      2,
    );
  }
  const database = await openDatabase(url, { requests, lists });
  try {
    return await work(database, await migrate(database));
  } finally {
    await database.close();
  }
}
