import { CopyReader } from './copy-reader.ts';
import { listReplica, type PrimaryPosition } from './list-replica.ts';
import { pageStatement } from './list.ts';
import type { ReadElements } from './lists.ts';
import type { Lease, PostgresServers } from './postgres-servers.ts';

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
/** While somebody waits who would get its connection, a page has it for so long, or until its reader stalls. */
const TURN_MS = 500;
const CHECK_MS = 100;

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
 * Streams lists from PostgreSQL page by page, for clients in turns, on connections of their own. A page is cut behind any
 * row when its reader stalls or others wait, and the next one goes on behind the last key.
 */
export function copiedLists({ servers, replica: replicaUrl, size, primaryPosition }: ListSources) {
  // Waiting for a connection has no limit, as its turn will come.
  const pool = servers.pool({ size, session });
  const replica = replicaUrl === undefined ? undefined : listReplica(replicaUrl, { size, session });
  const reading = new Map<CopyReader, Lease>();
  let timer: NodeJS.Timeout | undefined;

  /** Looks as long as pages are being read. */
  function checkPages(): void {
    cutPages(reading);
    timer = reading.size > 0 ? setTimeout(checkPages, CHECK_MS).unref() : undefined;
  }

  const readElements: ReadElements = async function* readElements(list, signal, clientId) {
    let after: string | undefined;
    let rows = FIRST_PAGE_ROWS;
    // Asked once: what is on the replica now is there for the later pages, too.
    let position = replica && (await primaryPosition());
    // oxlint-disable no-await-in-loop -- page by page
    while (!signal.aborted) {
      const statement = pageStatement(list, after, rows);
      const fromReplica = position && (await replica?.connect(position, { clientId, signal }));
      if (!fromReplica) position = undefined;
      const lease = fromReplica ?? (await pool.connect({ clientId, signal }));
      const reader = new CopyReader(statement, (broken) => {
        reading.delete(reader);
        lease.release(broken);
      });
      const cut = (): void => reader.cut();
      signal.addEventListener('abort', cut);
      reading.set(lease.client.query(reader), lease);
      timer ??= setTimeout(checkPages, CHECK_MS).unref();
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
  };

  return {
    pools: () => ({ lists: pool.state(), ...(replica && { replica: replica.state() }) }),
    readElements,
    async close() {
      clearTimeout(timer);
      await Promise.all([pool.end(), replica?.end()]);
    },
  };
}

function cutPages(reading: ReadonlyMap<CopyReader, Lease>): void {
  const now = performance.now();
  for (const [reader, lease] of reading) {
    const { count, startedAt, receivedAt, pausedAt = now } = reader;
    const [runsMs, stalledMs] = [now - startedAt, now - pausedAt];
    // With each page that is cut, another one has its connection.
    const isAwaited = lease.isAwaited();
    const isStalled = stalledMs > (isAwaited ? CHECK_MS : STALLED_MS);
    // A page that nothing was taken of would begin again where it began.
    const hadItsTurn = count > 0 && runsMs > (isAwaited ? TURN_MS : PAGE_MS);
    if (isStalled || hadItsTurn) reader.cut();
    else if (stalledMs === 0 && now - receivedAt > SILENCE_MS) reader.cut(new Error('PostgreSQL sends nothing.'));
  }
}
