import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { HrError } from '../hr-error.ts';
import { isMirrorError, MirrorError } from './mirror-error.ts';
import { configure, isBusy, openPrivateDatabase, type DatabaseKind } from './private-database.ts';

/** How long a writer waits for readers. The program is blocked meanwhile. */
const READER_WAIT_MS = 200;
const RETRY_MS = 100;

// `cursor` is a day, or empty if the next sync is full; `position` is a cursor of the service, if it has any. Persons are in
// two tables, so that a search reads only the narrow one. Instants are milliseconds since the epoch. The log has all changes
// after the number `changes_after`. `read_absences` has what a sync that did not end has read.
const schema = `
  CREATE TABLE collection (
    name TEXT PRIMARY KEY,
    cursor TEXT NOT NULL,
    position TEXT,
    synced_at INTEGER NOT NULL,
    full_synced_at INTEGER NOT NULL,
    changes_after INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE change (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    collection TEXT NOT NULL,
    kind TEXT NOT NULL,
    person_id TEXT NOT NULL,
    id TEXT NOT NULL,
    fields TEXT NOT NULL,
    before TEXT
  ) STRICT;
  CREATE INDEX change_collection ON change (collection, number);
  CREATE TABLE consumer (
    name TEXT NOT NULL,
    collection TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (name, collection)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE run (
    key INTEGER PRIMARY KEY,
    collection TEXT NOT NULL,
    is_full INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    added INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    unchanged INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    erased INTEGER NOT NULL,
    error TEXT
  ) STRICT;

  CREATE TABLE person (
    id TEXT PRIMARY KEY,
    key INTEGER NOT NULL,
    status TEXT,
    words TEXT NOT NULL,
    group_ids TEXT NOT NULL,
    contract_ids TEXT NOT NULL,
    seen TEXT,
    absences_read INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE person_document (key INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT;
  CREATE TABLE booking (
    key INTEGER PRIMARY KEY,
    person_id TEXT NOT NULL,
    date TEXT NOT NULL,
    document TEXT NOT NULL,
    UNIQUE (person_id, date)
  ) STRICT;
  CREATE TABLE absence (
    key INTEGER PRIMARY KEY,
    person_id TEXT NOT NULL,
    id TEXT NOT NULL,
    document TEXT NOT NULL,
    first_day TEXT AS (coalesce(document ->> 'startDate', '0000-00-00')) STORED,
    last_day TEXT AS (coalesce(document ->> 'endDate', '9999-99-99')) STORED,
    UNIQUE (person_id, id)
  ) STRICT;
  CREATE TABLE read_absences (
    person_id TEXT PRIMARY KEY,
    is_complete INTEGER NOT NULL,
    absences TEXT NOT NULL,
    started_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX absence_days ON absence (person_id, first_day, id, last_day);
`;

export const mirrorKind: DatabaseKind = {
  name: 'mirror',
  // `hrMi`
  applicationId: 0x68_72_4d_69,
  version: 4,
  schema,
  // A person has about a kilobyte: larger pages save a fifth of the time of the first sync. Deleted rows are
  // overwritten. After a crash of the machine, NORMAL may lose the last sync, and nothing else. A cache of 32 MB saves a
  // tenth of the time of the first sync.
  settings:
    'PRAGMA page_size = 32768; PRAGMA cache_size = -32768; PRAGMA secure_delete = ON; PRAGMA synchronous = NORMAL',
  isCopy: true,
};

/** The file of a mirror. Writers have connections of their own, so that readers do not see what is not committed. */
export interface MirrorDatabase {
  readonly file: string;
  readonly reader: DatabaseSync;
  /**
   * Begins a transaction that writes.
   *
   * @throws {MirrorError} `sync-running`.
   */
  beginWriting(): Writer;
}

/** A connection with a transaction. */
export interface Writer {
  readonly database: DatabaseSync;
  /**
   * Begins another transaction after the first one.
   *
   * @throws {MirrorError} `sync-running`.
   */
  readonly begin: () => void;
  readonly close: () => void;
}

/**
 * Opens the file of a mirror. It creates a file that does not exist, and recreates one of an older version: it is a copy.
 *
 * @throws {MirrorError} If the file cannot be used.
 */
export function openMirrorDatabase(file: string, source: string): MirrorDatabase {
  const isInMemory = file === ':memory:';
  // An absolute path is never read as a URI.
  const path = isInMemory ? file : resolve(file);
  const reader = openPrivateDatabase(mirrorKind, path, source);

  // The one connection in memory has one transaction at a time.
  let isWriting = false;
  function connectInMemory(): Omit<Writer, 'begin'> {
    if (isWriting) throw syncRunning(path);
    isWriting = true;
    const close = (): void => {
      isWriting = false;
    };
    return { database: reader, close };
  }
  function connectToFile(): Omit<Writer, 'begin'> {
    const database = new DatabaseSync(path);
    configure(database, mirrorKind.settings);
    return { database, close: () => database.close() };
  }
  return {
    file: path,
    reader,
    beginWriting() {
      const writer = isInMemory ? connectInMemory() : connectToFile();
      const begin = (): void => {
        try {
          writer.database.exec(`PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; PRAGMA busy_timeout = ${READER_WAIT_MS}`);
        } catch (error) {
          throw isBusy(error) ? syncRunning(path) : error;
        }
      };
      try {
        begin();
        return { ...writer, begin };
      } catch (error) {
        writer.close();
        throw error;
      }
    },
  };
}

/**
 * Begins a transaction as soon as no other sync has one.
 *
 * @throws {MirrorError} `sync-running` after `waitMs`.
 * @throws {HrError} `aborted`.
 */
export async function whenFree<Result>(
  begin: () => Result,
  signal: AbortSignal | undefined,
  waitMs = Infinity,
): Promise<Result> {
  const until = performance.now() + waitMs;
  for (;;) {
    try {
      return begin();
    } catch (error) {
      if (!isMirrorError(error) || error.code !== 'sync-running' || performance.now() >= until) throw error;
    }
    // oxlint-disable-next-line no-await-in-loop -- until the other sync has ended
    await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    if (signal?.aborted) throw new HrError('aborted', 'The sync was aborted by the caller.', { cause: signal.reason });
  }
}

/** Moves the log into the file, so that the log keeps nothing that was deleted. Returns false if a reader prevents it. */
export function truncateLog(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
}

function syncRunning(path: string): MirrorError {
  return new MirrorError('sync-running', `${path}: another sync writes to this mirror. Wait until it has ended.`);
}
