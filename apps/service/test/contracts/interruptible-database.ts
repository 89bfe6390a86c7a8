import { DatabaseUnavailableError } from '../../src/database/database-errors.ts';
import type { Database } from '../../src/database/database.ts';

/** A database that can be out of reach for a while, as both drivers tell it. */
export interface InterruptibleDatabase extends Database {
  /** Whether it is out of reach. */
  isGone: boolean;
}

export function interruptible(database: Database): InterruptibleDatabase {
  const whileThere = <Result>(attempt: () => Promise<Result>): Promise<Result> =>
    one.isGone ? Promise.reject(new DatabaseUnavailableError()) : attempt();
  const one: InterruptibleDatabase = {
    ...database,
    isGone: false,
    query: (text, values) => whileThere(() => database.query(text, values)),
    transaction: (work, options) => whileThere(() => database.transaction(work, options)),
    list: (query) => whileThere(() => database.list(query)),
    copy: (...values) => whileThere(() => database.copy(...values)),
  };
  return one;
}
