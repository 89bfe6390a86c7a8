import { Client, Pool } from 'pg';
import type { ClientConfig } from 'pg';
import { CopyReader } from './copy-reader.ts';
import type { ListQuery } from './list-query.ts';
import { pageStatement } from './lists.ts';
import type { Elements, ReadElements } from './lists.ts';

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 5000;
const LOCK_TIMEOUT_MS = 3000;
/** PostgreSQL ends a page that takes longer: a filter may leave few of very many rows. */
const STATEMENT_TIMEOUT_MS = 20_000;
/** For a server that sends nothing at all, and so ends no statement itself. */
const SILENCE_MS = 25_000;

/** Few, so that an index that has their order serves them: to find and sort all rows of a rare kind takes longer. */
const FIRST_PAGE_ROWS = 2000;
const PAGE_ROWS = 20_000;
/** A page that sends rows for longer is cut: a statement keeps deleted rows from being vacuumed. */
const PAGE_MS = 10_000;
/** A reader that stalls for longer gives its connection back. */
const STALLED_MS = 1000;
/** While others wait for a connection, a page has one for so long, or until its reader stalls. */
const TURN_MS = 500;
const CHECK_MS = 100;

/** Waiting for a connection has no limit, as its turn will come; only connecting has. */
class ListClient extends Client {
  constructor(settings?: ClientConfig) {
    super({ ...settings, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  }
}

/** Reads lists from PostgreSQL, on connections of their own. */
export interface CopiedLists {
  readonly pool: Pool;
  readonly readElements: ReadElements;
  close(): Promise<void>;
}

/**
 * Streams lists page by page. A page is cut behind any row when its reader stalls or others wait, and the next one goes
 * on behind the last key.
 */
export function copiedLists(connectionString: string): CopiedLists {
  const pool = new Pool({
    connectionString,
    keepAlive: true,
    max: CONNECTIONS,
    lock_timeout: LOCK_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // To compile a statement takes longer than to read a page.
    options: '-c jit=off',
    Client: ListClient,
  });
  const reading = new Set<CopyReader>();
  const timer = setInterval(() => cutPages(reading, pool.waitingCount), CHECK_MS).unref();

  async function* readElements(query: ListQuery, signal: AbortSignal): AsyncGenerator<Elements, void, undefined> {
    let after: string | undefined;
    let rows = FIRST_PAGE_ROWS;
    // oxlint-disable no-await-in-loop -- page by page
    while (!signal.aborted) {
      const client = await pool.connect();
      const reader = new CopyReader(pageStatement(query, after, rows), (broken) => {
        reading.delete(reader);
        client.release(broken);
      });
      const cut = (): void => reader.cut();
      signal.addEventListener('abort', cut);
      reading.add(client.query(reader));
      if (signal.aborted) cut();
      try {
        for (let elements = await reader.next(); elements; elements = await reader.next()) yield elements;
      } finally {
        signal.removeEventListener('abort', cut);
        cut();
      }
      if (!reader.isCut && reader.count < rows) return;
      after = reader.lastKey ?? after;
      rows = PAGE_ROWS;
    }
    // oxlint-enable no-await-in-loop
  }

  return {
    pool,
    readElements,
    async close() {
      clearInterval(timer);
      await pool.end();
    },
  };
}

function cutPages(reading: ReadonlySet<CopyReader>, waiting: number): void {
  const now = performance.now();
  let stillWaiting = waiting;
  for (const reader of reading) {
    const { count, startedAt, receivedAt, pausedAt = now } = reader;
    const [runsMs, stalledMs] = [now - startedAt, now - pausedAt];
    const isStalled = stalledMs > (stillWaiting > 0 ? CHECK_MS : STALLED_MS);
    // A page that nothing was taken of would begin again where it began.
    const hadItsTurn = count > 0 && runsMs > (stillWaiting > 0 ? TURN_MS : PAGE_MS);
    if (isStalled || hadItsTurn) {
      reader.cut();
      stillWaiting--;
    } else if (stalledMs === 0 && now - receivedAt > SILENCE_MS) {
      reader.cut(new Error('PostgreSQL sends nothing.'));
    }
  }
}
