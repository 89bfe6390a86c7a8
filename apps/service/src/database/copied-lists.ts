import type { PoolState } from './database.ts';
import { CopyReader } from './copy-reader.ts';
import type { ListQuery } from './list-query.ts';
import { listReplica } from './list-replica.ts';
import type { PrimaryPosition } from './list-replica.ts';
import { pageStatement } from './lists.ts';
import type { PostgresServers } from './postgres-servers.ts';
import type { Elements, ReadElements } from './lists.ts';

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

/** Reads lists from PostgreSQL, on connections of their own. */
export interface CopiedLists {
  pools(): { readonly lists: PoolState; readonly replica?: PoolState };
  readonly readElements: ReadElements;
  close(): Promise<void>;
}

const session = {
  lock_timeout: String(LOCK_TIMEOUT_MS),
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  // To compile a statement takes longer than to read a page.
  jit: 'off',
};

interface ListSources {
  readonly servers: PostgresServers;
  /** The address of a standby that lists are read from while it has all that the primary has. */
  readonly replica?: string | undefined;
  /** How many connections to each there are at most. */
  readonly size: number;
  /** Asks the primary for its position. */
  readonly primaryPosition: () => Promise<PrimaryPosition | undefined>;
}

/**
 * Streams lists page by page. A page is cut behind any row when its reader stalls or others wait, and the next one goes
 * on behind the last key.
 */
export function copiedLists({ servers, replica: replicaUrl, size, primaryPosition }: ListSources): CopiedLists {
  // Waiting for a connection has no limit, as its turn will come.
  const pool = servers.pool({ size, session });
  const replica = replicaUrl === undefined ? undefined : listReplica(replicaUrl, { size, session });
  const reading = new Set<CopyReader>();
  const waiting = (): number => pool.state().waiting + (replica?.state().waiting ?? 0);
  const timer = setInterval(() => cutPages(reading, waiting()), CHECK_MS).unref();

  async function* readElements(query: ListQuery, signal: AbortSignal): AsyncGenerator<Elements, void, undefined> {
    let after: string | undefined;
    let rows = FIRST_PAGE_ROWS;
    // Asked once: what is on the replica now is there for the later pages, too.
    let position = replica && (await primaryPosition());
    // oxlint-disable no-await-in-loop -- page by page
    while (!signal.aborted) {
      const fromReplica = position && (await replica?.connect(position));
      if (!fromReplica) position = undefined;
      const client = fromReplica ?? (await pool.connect());
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
        if (!reader.isCut && reader.count < rows) return;
      } catch (error) {
        // The primary goes on: a standby ends statements that hold up its replay, or it may stop.
        if (!fromReplica) throw error;
        position = undefined;
      } finally {
        signal.removeEventListener('abort', cut);
        cut();
      }
      after = reader.lastKey ?? after;
      rows = PAGE_ROWS;
    }
    // oxlint-enable no-await-in-loop
  }

  return {
    pools: () => ({ lists: pool.state(), ...(replica && { replica: replica.state() }) }),
    readElements,
    async close() {
      clearInterval(timer);
      await Promise.all([pool.end(), replica?.end()]);
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
