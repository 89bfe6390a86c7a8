import { randomUUID } from 'node:crypto';
import { recordEvents } from '../database/audit-events.ts';
import type { Database } from '../database/database.ts';
import { takeImportLock } from '../database/import-lock.ts';
import { dateChange, dropChange, openChange } from '../database/change-sets.ts';
import { applyBatch, emptyTally } from './apply-batch.ts';
import type { Tally, Writing } from './apply-batch.ts';
import { feedBatches } from './feed-batches.ts';
import type { BadLine } from './feed-batches.ts';
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
  /** Stops at the first bad line and stores nothing at all. By default bad lines are left out, and each batch is durable once it is stored. */
  readonly strict?: boolean;
  readonly onBadLine?: (badLine: BadLine) => void;
  /** Called after each batch. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

/**
 * Loads feeds, one after the other: NDJSON, one record a line, told by its `kind`. Loading the same again is no change.
 * Imports that run at the same time take turns.
 *
 * @throws {FeedSourceError} when a source cannot be read to its end; without `strict`, what was stored before stays.
 * @example
 * const { badLines } = await importFeed(database, [await feedSource('feed.ndjson.gz')]);
 */
export async function importFeed(
  database: Database,
  sources: Iterable<FeedSource>,
  { strict = false, onBadLine, onProgress }: ImportOptions = {},
): Promise<ImportSummary> {
  const summary = { lines: 0, badLines: 0, outcomes: emptyTally() };
  const stopped = new Error('A strict import stops at the first bad line.');

  const batches = feedBatches(sources, (badLine) => {
    summary.badLines++;
    onBadLine?.(badLine);
    if (strict) throw stopped;
  });
  const origin = { actor: 'command line', operation: 'importFeed', requestId: randomUUID() };
  const store = (work: (writing: Writing) => Promise<void>): Promise<void> =>
    database.transaction(
      async (transaction) => {
        await takeImportLock(transaction);
        const before = writtenRecords(summary.outcomes);
        const change = await openChange(transaction);
        await work({ transaction, change });
        const elements = writtenRecords(summary.outcomes) - before;
        if (elements === 0) return dropChange(transaction, change);
        await recordEvents(transaction, [{ ...origin, access: 'change', elements }]);
        return dateChange(transaction, change);
      },
      { long: true },
    );
  const load = async (whole?: Writing): Promise<void> => {
    for await (const { source, lines, records } of batches) {
      const apply = (writing: Writing): Promise<void> => applyBatch(writing, records, summary.outcomes);
      await (whole ? apply(whole) : store(apply));
      summary.lines += lines;
      onProgress?.({ source, lines: summary.lines });
    }
  };

  try {
    await (strict ? store(load) : load());
  } catch (error) {
    if (error !== stopped) throw error;
    return { ...summary, outcomes: emptyTally() };
  }
  await database.vacuum();
  return summary;
}

function writtenRecords(outcomes: Tally): number {
  return Object.values(outcomes).reduce((sum, { created, changed, deleted }) => sum + created + changed + deleted, 0);
}
