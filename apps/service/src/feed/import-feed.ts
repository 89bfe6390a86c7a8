import { randomUUID } from 'node:crypto';
import { recordEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { dateChange, dropChange, openChange, takeImportLock } from '../database/change-sets.ts';
import { applyBatch, emptyTally } from './apply-batch.ts';
import type { Tally } from './apply-batch.ts';
import type { FeedRecord } from './feed-record.ts';
import { feedBatches } from './feed-batches.ts';
import type { BadLine } from './feed-batches.ts';
import { FeedSourceError, repeatable } from './feed-source.ts';
import type { FeedSource } from './feed-source.ts';

/** How far an import has come. */
export interface ImportProgress {
  /** The name of the source. */
  readonly source: string;
  /** Lines read so far, of all sources. */
  readonly lines: number;
}

/** What an import did. */
export interface ImportSummary {
  /** Lines that were read, without blank ones. */
  readonly lines: number;
  /** Those of them that were left out. */
  readonly badLines: number;
  readonly outcomes: Tally;
}

interface ImportOptions {
  /**
   * Checks all lines first, and stores nothing if one is bad. By default bad lines are left out. Either way each batch of
   * lines is durable once it is stored, and stays if the import fails after it.
   */
  readonly strict?: boolean;
  readonly onBadLine?: (badLine: BadLine) => void;
  /** Called after each batch that is stored. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

/**
 * Loads feeds, one after the other: NDJSON, one record a line, told by its `kind`. Loading the same again is a no-op.
 * Imports that run at the same time take turns.
 *
 * @throws {FeedSourceError} when a source cannot be read to its end.
 * @example
 * const { badLines } = await importFeed(database, [await feedSource('feed.ndjson.gz')]);
 */
export async function importFeed(
  database: Database,
  sources: Iterable<FeedSource>,
  { strict = false, ...observers }: ImportOptions = {},
): Promise<ImportSummary> {
  if (!strict) return loadFeed(database, sources, observers);
  await using copies = new AsyncDisposableStack();
  const checked: FeedSource[] = [];
  for (const source of sources) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    checked.push(source.isRepeatable ? source : copies.use(await repeatable(source)));
  }
  const { lines, badLine } = await checkFeed(checked);
  if (badLine) {
    observers.onBadLine?.(badLine);
    return { lines, badLines: 1, outcomes: emptyTally() };
  }
  return await loadFeed(database, checked, { ...observers, onBadLine: rejectChange });
}

function rejectChange({ source }: BadLine): never {
  throw new FeedSourceError(source, new Error('it changed after it was checked'));
}

/** Looks for the first bad line. Gives the lines until then, too. */
async function checkFeed(sources: Iterable<FeedSource>): Promise<{ lines: number; badLine?: BadLine }> {
  const badLines: BadLine[] = [];
  let lines = 0;
  for await (const batch of feedBatches(sources, (badLine) => badLines.push(badLine))) {
    lines += batch.lines;
    const [badLine] = badLines;
    if (badLine) return { lines, badLine };
  }
  return { lines };
}

async function loadFeed(
  database: Database,
  sources: Iterable<FeedSource>,
  { onBadLine, onProgress }: ImportOptions,
): Promise<ImportSummary> {
  const summary = { lines: 0, badLines: 0, outcomes: emptyTally() };
  const origin = { actor: 'command line', operation: 'importFeed', requestId: randomUUID() };
  const store = (records: readonly FeedRecord[]): Promise<void> =>
    database.transaction(
      async (transaction) => {
        await takeImportLock(transaction);
        const before = writtenRecords(summary.outcomes);
        const change = await openChange(transaction);
        await applyBatch({ transaction, change }, records, summary.outcomes);
        const elements = writtenRecords(summary.outcomes) - before;
        if (elements === 0) return dropChange(transaction, change);
        await recordEvents(transaction, [{ ...origin, access: 'change', elements }]);
        return dateChange(transaction, change);
      },
      { long: true },
    );

  const batches = feedBatches(sources, (badLine) => {
    summary.badLines++;
    onBadLine?.(badLine);
  });
  for await (const { source, lines, records } of oneAhead(batches)) {
    await store(records);
    summary.lines += lines;
    onProgress?.({ source, lines: summary.lines });
  }
  await database.vacuum();
  return summary;
}

/** Reads the next batch while the database stores this one. */
async function* oneAhead<Element>(elements: AsyncGenerator<Element>): AsyncGenerator<Element> {
  let next = elements.next();
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { done, value } = await next;
      if (done) return;
      next = elements.next();
      // A fault is thrown when it is the turn of that batch.
      next.catch(() => {});
      yield value;
    }
  } finally {
    // Not awaited: a source that waits for input must not hold up a fault of the database.
    elements.return(undefined).catch(() => {});
  }
}

function writtenRecords(outcomes: Tally): number {
  return Object.values(outcomes).reduce((sum, { created, changed, deleted }) => sum + created + changed + deleted, 0);
}
