import type { DatabaseSync } from 'node:sqlite';
import type { BulkProgress } from '../bulk.ts';
import type { HrClientEvent } from '../hr-client-event.ts';
import type { CallOptions } from '../hr-client-options.ts';
import type { HrClient } from '../hr-client.ts';
import { isHrError, type HrError } from '../hr-error.ts';
import { Changes } from './changes.ts';
import { isUnavailable } from './is-unavailable.ts';
import type { Collection, SyncCounts, SyncOptions, SyncResult, SyncRun } from './mirror.ts';
import { mirrorKind, truncateLog, whenFree, type MirrorDatabase, type Writer } from './mirror-database.ts';
import { isMirrorError, MirrorError } from './mirror-error.ts';
import { rollBack, storageError } from './private-database.ts';
import { readAbsences, readAllAbsences, storeAbsences } from './sync-absences.ts';
import { syncBookings } from './sync-bookings.ts';
import { syncPersons } from './sync-persons.ts';
import { Sweep } from './sweep.ts';
import { forgetCursors, readStatus, storeCursor, storedCursor, storedPosition, storeRun } from './sync-history.ts';

/** What a sync reads. */
export interface Source {
  readonly database: DatabaseSync;
  readonly hr: HrClient;
  /** Where the list of changes begins; empty for the complete list. */
  readonly from: { readonly changedSince?: string; readonly after?: string };
  readonly call: CallOptions;
  readonly progress: (progress: BulkProgress) => void;
  /** Start, in milliseconds since the epoch. */
  readonly startedAt: () => number;
  /** Sets an earlier start. */
  readonly began: (at: number) => void;
}

/** A sync in progress, inside its transaction. */
export interface Sync extends Source {
  readonly changes: Changes;
  /** Of a full sync. */
  readonly sweep: Sweep | undefined;
}

/** Each returns the cursor of the list, if the service has one. */
const readers = { persons: syncPersons, bookings: syncBookings } as const;
const collections: readonly Collection[] = ['persons', 'bookings', 'absences'];
const optionNames: readonly (keyof SyncOptions)[] = [
  'full',
  'dryRun',
  'maxShrink',
  'maxAgeSeconds',
  'waitSeconds',
  'signal',
  'onProgress',
];
const DAY_MS = 86_400_000;
const DEFAULT_MAX_SHRINK = 0.1;
const NO_COUNTS = { added: 0, changed: 0, unchanged: 0, deleted: 0, erased: 0 };

/** Syncs a collection: see `Mirror.sync`. */
export async function syncCollection(
  mirror: MirrorDatabase,
  hr: HrClient,
  collection: Collection,
  options: SyncOptions,
): Promise<SyncResult> {
  checkOptions(collection, options);
  const attempt: Attempt = { full: options.full ?? false, byPerson: false };
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- again in another way
      return await syncOnce(mirror, hr, collection, options, attempt);
    } catch (error) {
      if (!isHrError(error) || !changeAttempt(attempt, error)) throw error;
    }
  }
}

/** How a sync reads a collection. */
interface Attempt {
  full: boolean;
  /** Absences person by person, though the service lists those of all. */
  byPerson: boolean;
  /** Whether the cursor of the last sync has expired. */
  isExpired?: boolean;
  /** Where the list began. */
  from?: Source['from'];
}

/** Changes how to read after an error that says that it cannot be done this way. Returns false for any other. */
function changeAttempt(attempt: Attempt, error: HrError): boolean {
  const { operation, status, problem } = error;
  const isExpired = problem?.kind === 'changes-expired' || problem?.kind === 'cursor-expired';
  // A service without cursors, or of another client.
  const isRefused = status === BAD_REQUEST && attempt.from?.after !== undefined;
  if (problem?.kind === 'cursor-expired') attempt.isExpired = true;
  if (!attempt.full && (isExpired || isRefused)) attempt.full = true;
  else if (operation === 'listAllAbsences' && !attempt.byPerson && isUnavailable(error)) attempt.byPerson = true;
  else return false;
  return true;
}

const BAD_REQUEST = 400;

async function syncOnce(
  mirror: MirrorDatabase,
  hr: HrClient,
  collection: Collection,
  options: SyncOptions,
  attempt: Attempt,
): Promise<SyncResult> {
  const { dryRun = false, maxShrink = DEFAULT_MAX_SHRINK, signal, onProgress } = options;
  const begin = performance.now();
  const writer = await writerUnlessFresh(mirror, collection, options);
  if (!writer) {
    const skipped = { collection, full: false, dryRun, skipped: true, ...NO_COUNTS, changes: [], cursor: undefined };
    return { ...skipped, durationMs: Math.round(performance.now() - begin) };
  }
  const { database } = writer;
  let counts: SyncCounts = NO_COUNTS;
  // The earlier of both clocks: a sync that asks from too early reads some elements again, one that asks from too late
  // misses changes.
  let startedAt = Date.now();
  let isFull = attempt.full;
  const run = (error?: SyncRun['error']): SyncRun => ({
    collection,
    full: isFull,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.round(performance.now() - begin),
    ...counts,
    error,
  });
  const began = (at: number): void => {
    startedAt = Math.min(startedAt, at);
  };

  try {
    // A service that has cursors for persons lists the absences of all, too.
    const byPerson =
      collection === 'absences' && (attempt.byPerson || storedPosition(database, 'persons') === undefined);
    const after = byPerson ? undefined : storedPosition(database, collection);
    const isByDay = after === undefined && (byPerson || collection !== 'absences');
    const changedSince = isByDay ? storedCursor(database, collection, startedAt) : undefined;
    isFull ||= (after ?? changedSince) === undefined;
    const from = isFull
      ? {}
      : { ...(after !== undefined && { after }), ...(changedSince !== undefined && { changedSince }) };
    attempt.from = from;
    const source = {
      database,
      hr,
      from,
      call: {
        signal,
        onEvent(event: HrClientEvent) {
          if (event.type === 'response' && event.date !== undefined) began(event.date);
        },
      },
      progress: (progress: BulkProgress) => onProgress?.(progress),
      startedAt: () => startedAt,
      began,
    };
    let position: string | undefined;
    if (collection === 'absences') {
      // To read them may take a request for each person, and other syncs may write meanwhile.
      database.exec('ROLLBACK');
      position = byPerson
        ? await readAbsences(source, isFull, dryRun ? undefined : writer.begin)
        : await readAllAbsences(source);
      await whenFree(writer.begin, signal);
    }
    const sweep = isFull ? new Sweep(database, collection, mirror.file) : undefined;
    const changes = new Changes(database, collection, dryRun);
    const sync = { ...source, changes, sweep };
    if (collection === 'absences') storeAbsences(sync, byPerson);
    else position = await readers[collection](sync);
    sweep?.deleteRest(maxShrink, changes);
    counts = changes.counts;
    const next = new Date(startedAt - DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
    const { startedAt: _startedAt, error: _error, ...result } = run();
    if (dryRun) {
      database.exec('ROLLBACK');
    } else {
      if (collection === 'persons' && attempt.isExpired) forgetCursors(database);
      storeCursor(database, collection, { cursor: next, position, startedAt, isFull });
      storeRun(database, run());
      changes.prune();
      database.exec('COMMIT');
      truncateLogIfPossible(database);
    }
    const cursor = position === undefined ? next : undefined;
    return { ...result, dryRun, skipped: false, changes: changes.shown, cursor };
  } catch (thrown) {
    const error = storageError(mirrorKind, mirror.file, thrown);
    rollBack(database);
    counts = NO_COUNTS;
    if (!dryRun) storeFailedRun(database, run(errorCode(error)));
    throw error;
  } finally {
    writer.close();
  }
}

/** Begins to write, unless the last sync is recent enough. Syncs of other programs may end meanwhile. */
function writerUnlessFresh(
  mirror: MirrorDatabase,
  collection: Collection,
  { full, dryRun, maxAgeSeconds = 0, waitSeconds = Infinity, signal }: SyncOptions,
): Promise<Writer | undefined> {
  const isFresh = (): boolean => {
    if (full || dryRun || maxAgeSeconds === 0) return false;
    const { syncedAt } = readStatus(mirror.reader).find((status) => status.collection === collection) ?? {};
    const age = syncedAt === undefined ? Infinity : Date.now() - Date.parse(syncedAt);
    return age >= 0 && age <= maxAgeSeconds * 1000;
  };
  return whenFree(
    () => {
      if (isFresh()) return undefined;
      const writer = mirror.beginWriting();
      if (!isFresh()) return writer;
      rollBack(writer.database);
      writer.close();
      return undefined;
    },
    signal,
    waitSeconds * 1000,
  );
}

/** The sync is stored, whether or not its log can be shortened. */
function truncateLogIfPossible(database: DatabaseSync): void {
  try {
    truncateLog(database);
  } catch {
    // The next sync tries again, such as when the disk has space again.
  }
}

function storeFailedRun(database: DatabaseSync, run: SyncRun): void {
  try {
    storeRun(database, run);
  } catch {
    // The error of the sync says more than that of its record, such as of another sync that has begun already.
  }
}

function errorCode(error: unknown): NonNullable<SyncRun['error']> {
  return isHrError(error) || isMirrorError(error) ? error.code : 'unknown';
}

function checkOptions(collection: Collection, options: SyncOptions): void {
  check(collections.includes(collection), `collection must be one of ${collections.join(', ')}.`);
  const unknown = Object.keys(options).find((name) => !(optionNames as readonly string[]).includes(name));
  check(unknown === undefined, `unknown option ${unknown}. The options are ${optionNames.join(', ')}.`);
  const { maxShrink = DEFAULT_MAX_SHRINK } = options;
  for (const name of ['maxAgeSeconds', 'waitSeconds'] as const) {
    check((options[name] ?? 0) >= 0, `${name} must be a number of seconds, 0 or more.`);
  }
  check(maxShrink >= 0 && maxShrink <= 1, 'maxShrink must be a number from 0 to 1, such as 0.1 for 10 %.');
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new MirrorError('invalid-option', `sync: ${message}`);
}
