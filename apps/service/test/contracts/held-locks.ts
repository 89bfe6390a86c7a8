import type { Database, Queries } from '../../src/database/database.ts';

/** A database of whose locks somebody else holds some. */
export interface DatabaseWithLocks extends Database {
  /** The numbers of the advisory locks that transactions are not given. */
  readonly heldLocks: Set<string>;
}

/** An embedded database has one connection, which is given every lock that it asks for: so nobody else can really hold one. */
export function withHeldLocks(database: Database): DatabaseWithLocks {
  const heldLocks = new Set<string>();
  const aside = (queries: Queries): Queries => ({
    query: async (text, values = []) => {
      const isRefused = text.startsWith('select pg_try_advisory_xact_lock(') && heldLocks.has(String(values[0]));
      return isRefused ? ([{ held: false }] as never) : queries.query(text, values);
    },
  });
  return {
    ...database,
    heldLocks,
    transaction: (work, options) => database.transaction((queries) => work(aside(queries)), options),
  };
}
