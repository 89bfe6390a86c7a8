import { DatabaseUnavailableError } from '../../src/database/database-errors.ts';
import type { Database, Queries } from '../../src/database/database.ts';

/** A database that can be unavailable, and some of whose locks can be held. */
interface StagedDatabase extends Database {
  /** Whether it is unavailable, as both drivers report it. */
  isGone: boolean;
  /** The numbers of the advisory locks that transactions are not given. */
  readonly heldLocks: Set<string>;
}

/** An embedded database has one connection, which gets every lock: so a test can only simulate that another one holds it. */
export function staged(database: Database): StagedDatabase {
  const heldLocks = new Set<string>();
  const aside = (queries: Queries): Queries => ({
    query: async (text, values = []) => {
      const isRefused = text.startsWith('select pg_try_advisory_xact_lock(') && heldLocks.has(String(values[0]));
      return isRefused ? ([{ held: false }] as never) : queries.query(text, values);
    },
  });
  const whileThere = <Result>(attempt: () => Promise<Result>): Promise<Result> =>
    one.isGone ? Promise.reject(new DatabaseUnavailableError()) : attempt();
  const one: StagedDatabase = {
    ...database,
    heldLocks,
    isGone: false,
    query: (text, values) => whileThere(() => database.query(text, values)),
    transaction: (work, options) => whileThere(() => database.transaction((queries) => work(aside(queries)), options)),
    list: (query) => whileThere(() => database.list(query)),
    copy: (...values) => whileThere(() => database.copy(...values)),
  };
  return one;
}
