import { randomUUID } from 'node:crypto';
import { recordEvents } from '../audit/audit-events.ts';
import { DatabaseUnavailableError } from '../database/database-errors.ts';
import type { Database } from '../database/database.ts';
import { dateChange, dropChange, openChange, takeImportLock } from '../database/change-sets.ts';
import type { Origin } from '../http/access-audit.ts';
import { applyBatch } from './apply-batch.ts';
import { feedBatches, MAX_BATCH_LINES, type BadLine } from './feed-batches.ts';
import { FeedSourceError, repeatable, type FeedSource } from './feed-source.ts';
import { openImportRun, progressAfter, type ImportProgress, type ImportRun } from './import-run.ts';

/** Batches that aim at a duration begin with few lines. */
const FIRST_BATCH_LINES = 100;
const MIN_BATCH_LINES = 20;

interface ImportOptions {
  /**
   * Checks all lines first, and stores nothing if one is bad. By default bad lines are left out. Either way each batch of
   * lines is durable once it is stored, and stays if the import fails after it.
   */
  readonly strict?: boolean;
  /** Who imports, and in which request. Default: the command line, in none. */
  readonly origin?: Origin;
  /** Transactions take about so long, so that others get their turn. Default: as large as they are fastest. */
  readonly batchMs?: number;
  /** Aborted with an error that has a `code`: the import ends behind a batch. */
  readonly signal?: AbortSignal;
  readonly onStart?: (run: ImportRun) => void;
  readonly onBadLine?: (badLine: BadLine) => void;
  /** Called after each batch that is stored, with its source and the lines so far, of all sources. */
  readonly onProgress?: (progress: { readonly source: string; readonly lines: number }) => void;
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
  sources: readonly FeedSource[],
  { strict = false, origin = { actor: 'command line', requestId: randomUUID() }, ...options }: ImportOptions = {},
): Promise<ImportProgress> {
  const run = await openImportRun(database, { ...origin, sources: sources.map(({ name }) => name) });
  options.onStart?.(run);
  const signal = AbortSignal.any([run.signal, ...(options.signal ? [options.signal] : [])]);
  const load = { database, run, origin, ...options, signal };
  try {
    if (await (strict ? loadStrictly(sources, load) : loadFeed(sources, load))) await run.end('done');
    else await run.end('failed', 'A line is bad, so nothing was stored.');
  } catch (error) {
    // Where the database is lost, the run ends for lack of signs of life.
    await run.end(error instanceof FeedSourceError ? 'broken-off' : 'failed', reasonOf(error)).catch(() => {});
    throw error;
  }
  const counts = Object.values(run.progress.outcomes);
  if (counts.some(({ created, changed, deleted }) => created + changed + deleted > 0)) await database.vacuum();
  return run.progress;
}

interface Load extends Omit<ImportOptions, 'strict'> {
  readonly database: Database;
  readonly run: ImportRun;
  readonly origin: Origin;
  readonly signal: AbortSignal;
}

/** Loads feeds if none of their lines is bad. */
async function loadStrictly(sources: readonly FeedSource[], load: Load): Promise<boolean> {
  await using copies = new AsyncDisposableStack();
  const { run, database, signal, onBadLine } = load;
  const { checked, lines, badLine } = await checkFeeds(sources, copies, signal);
  if (!badLine) {
    return await loadFeed(checked, {
      ...load,
      onBadLine({ source }) {
        throw new FeedSourceError(source, new Error('it changed after it was checked'));
      },
    });
  }
  onBadLine?.(badLine);
  run.progress = progressAfter(run.progress, { lines, badLines: [badLine] });
  await run.save(database, run.progress);
  return false;
}

/**
 * Looks for the first bad line.
 *
 * @param copies has the copies of sources that can be read only once
 * @returns the feeds, to be read again, and how many lines they have until the bad one, or at all
 */
export async function checkFeeds(
  sources: readonly FeedSource[],
  copies: AsyncDisposableStack,
  signal?: AbortSignal,
): Promise<{ readonly checked: readonly FeedSource[]; readonly lines: number; readonly badLine?: BadLine }> {
  const checked: FeedSource[] = [];
  for (const source of sources) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    checked.push(source.isRepeatable ? source : copies.use(await repeatable(source)));
  }
  let lines = 0;
  for await (const batch of feedBatches(checked)) {
    if (signal?.aborted) throw new FeedSourceError(batch.source, signal.reason);
    lines += batch.lines;
    const [badLine] = batch.badLines;
    if (badLine) return { checked, lines, badLine };
  }
  return { checked, lines };
}

async function loadFeed(
  sources: Iterable<FeedSource>,
  { database, run, origin, batchMs, signal, onBadLine, onProgress }: Load,
): Promise<true> {
  const size = { lines: batchMs === undefined ? MAX_BATCH_LINES : FIRST_BATCH_LINES };
  for await (const batch of oneAhead(feedBatches(sources, size))) {
    for (const badLine of batch.badLines) onBadLine?.(badLine);
    let start = 0;
    const progress = progressAfter(run.progress, batch);
    // Imports of this process wait before they take a connection.
    await database.transaction(
      async (transaction) => {
        await takeImportLock(transaction);
        start = performance.now();
        const change = await openChange(transaction);
        const { changes, touched } = await applyBatch({ transaction, change }, batch.records, progress.outcomes);
        const events = changes.map(
          (changed) => ({ ...origin, operation: 'operatorImportFeed', access: 'change', ...changed }) as const,
        );
        if (events.length > 0) await recordEvents(transaction, events);
        await run.save(transaction, progress);
        if (changes.length > 0) await dateChange(transaction, change, touched);
        else await dropChange(transaction, change);
      },
      { long: true },
    );
    run.progress = progress;
    onProgress?.({ source: batch.source, lines: progress.lines });
    if (signal.aborted) throw new FeedSourceError(batch.source, signal.reason);
    if (batchMs !== undefined) size.lines = fittingLines(batch.lines, performance.now() - start, batchMs);
  }
  return true;
}

/** How many lines take about so long. It grows slowly, as a batch may be quick because nothing changed. */
function fittingLines(lines: number, tookMs: number, batchMs: number): number {
  const fitting = Math.round((lines * batchMs) / tookMs);
  return Math.max(MIN_BATCH_LINES, Math.min(fitting, 2 * lines, MAX_BATCH_LINES));
}

function reasonOf(error: unknown): string {
  if (error instanceof FeedSourceError || error instanceof DatabaseUnavailableError) return error.message;
  const { name, code } = error as { readonly name: string; readonly code?: string };
  return `The import failed unexpectedly (${[name, code].filter(Boolean).join(' ')}).`;
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
