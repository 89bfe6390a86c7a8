import type { Database, Requester } from './database.ts';

/** The database for the request of a client: all of its statements take the client's turns. */
export function onBehalfOf(database: Database, requester: Requester): Database {
  return {
    ...database,
    query: (text, values) => database.query(text, values, requester),
    transaction: (work, options) => database.transaction(work, { ...options, requester }),
    list: (query) => database.list(query, requester),
  };
}
