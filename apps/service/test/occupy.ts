import type { Database } from '../src/database/database.ts';

/**
 * Keeps so many transactions going, or waiting for a connection.
 *
 * @returns a function that ends them
 */
export function occupy(database: Database, transactions: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const over = new AbortController();
  const lanes = Array.from({ length: transactions }, async () => {
    // One that has waited for too long is refused, and tries again.
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    while (!over.signal.aborted) await database.transaction(() => promise).catch(() => {});
  });
  return async () => {
    over.abort();
    resolve();
    await Promise.all(lanes);
  };
}
