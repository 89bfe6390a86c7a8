import type { Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { bareDatabase, emptyDatabase, type Driver, type TestDatabase } from './drivers.ts';

interface OwnDatabaseOptions {
  /** Without any table. */
  readonly bare?: boolean;
  /** With one connection for requests and one for lists. */
  readonly single?: boolean;
}

/** Makes one with the tables of the service, and opens it. */
export async function ownDatabase(
  driver: Driver,
  options: OwnDatabaseOptions = {},
): Promise<TestDatabase & { readonly database: Database }> {
  const { url, remove } = await (options.bare ? bareDatabase : emptyDatabase)(driver);
  const database = await openDatabase(url, options.single ? { requests: 1, lists: 1 } : undefined);
  return {
    database,
    url,
    async remove() {
      await database.close();
      await remove();
    },
  };
}
