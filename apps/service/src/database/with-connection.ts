import type { Pool, PoolClient } from 'pg';

/**
 * Does work that takes a connection as a stream: it goes back at once, or is closed when the work fails and may have left
 * it in the middle of an answer.
 *
 * @param timeoutMs after which the signal aborts: for a database that says nothing at all
 */
export async function withConnection<Result>(
  connections: Pool,
  timeoutMs: number,
  work: (client: PoolClient, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const client = await connections.connect();
  // Not AbortSignal.timeout: its timer outlives the work, which for the pages of a list costs a tenth of it.
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeoutMs);
  try {
    const result = await work(client, abort.signal);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
