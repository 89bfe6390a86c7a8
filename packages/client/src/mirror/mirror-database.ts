import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isMirrorError, MirrorError } from './mirror-error.ts';

/** Tells a mirror from other SQLite files: `hrMi`. */
const APPLICATION_ID = 0x68_72_4d_69;
const VERSION = 1;
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
/** How long a statement waits for a short lock of another connection. */
const LOCK_WAIT_MS = 5000;
const RETRY_MS = 10;
/** The same for a sync, which blocks the program while it waits. */
const SYNC_LOCK_WAIT_MS = 200;

// Persons are in two tables, so that a search reads only the narrow one. Instants are milliseconds since the epoch.
const schema = `
  CREATE TABLE source (name TEXT NOT NULL) STRICT;
  CREATE TABLE collection (
    name TEXT PRIMARY KEY,
    cursor TEXT NOT NULL,
    synced_at INTEGER NOT NULL,
    full_synced_at INTEGER NOT NULL
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
  CREATE INDEX absence_days ON absence (person_id, first_day, id, last_day);
`;

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
interface Writer {
  readonly database: DatabaseSync;
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
  if (!isInMemory) createPrivately(path);
  const reader = openReader(path, source);

  // The one connection in memory has one transaction at a time.
  let isWriting = false;
  function connectInMemory(): Writer {
    if (isWriting) throw syncRunning(path);
    isWriting = true;
    const close = (): void => {
      isWriting = false;
    };
    return { database: reader, close };
  }
  function connectToFile(): Writer {
    const database = new DatabaseSync(path);
    configure(database, SYNC_LOCK_WAIT_MS);
    return { database, close: () => database.close() };
  }
  return {
    file: path,
    reader,
    beginWriting() {
      const writer = isInMemory ? connectInMemory() : connectToFile();
      try {
        writer.database.exec('BEGIN IMMEDIATE');
        return writer;
      } catch (error) {
        writer.close();
        throw resultCode(error) === SQLITE_BUSY ? syncRunning(path) : error;
      }
    },
  };
}

/** Moves the log into the file, so that the log keeps nothing that was deleted. Returns false if a reader prevents it. */
export function truncateLog(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
}

function createPrivately(path: string): void {
  try {
    // Only if it does not exist: to close a file releases the locks that SQLite has on it in this process.
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw cannotOpen(path, code);
  }
  // Windows has no such modes.
  if (process.platform === 'win32') return;
  for (const name of [path, `${path}-wal`, `${path}-shm`]) {
    if (existsSync(name) && (statSync(name).mode & 0o077) !== 0) {
      throw new MirrorError(
        'not-private',
        `${name}: other users may read or write this file, and it contains personal data. Run chmod 600 on it.`,
      );
    }
  }
}

function openReader(path: string, source: string): DatabaseSync {
  let reader: DatabaseSync | undefined;
  try {
    reader = new DatabaseSync(path);
    configure(reader, LOCK_WAIT_MS);
    prepareSchema(reader, path, source);
    return reader;
  } catch (error) {
    reader?.close();
    if (isMirrorError(error)) throw error;
    if ([SQLITE_CORRUPT, SQLITE_NOTADB].includes(resultCode(error))) throw notAMirror(path);
    throw cannotOpen(path, (error as Error).message);
  }
}

function configure(database: DatabaseSync, lockWaitMs: number): void {
  // Deleted rows are overwritten. After a crash of the machine, NORMAL may lose the last sync, and nothing else.
  database.exec(`PRAGMA busy_timeout = ${lockWaitMs}; PRAGMA secure_delete = ON; PRAGMA synchronous = NORMAL`);
}

function prepareSchema(database: DatabaseSync, path: string, source: string): void {
  if (transaction(database, 'BEGIN', () => isOld(database, path))) {
    useLog(database);
    transaction(database, 'BEGIN IMMEDIATE', () => {
      // Another process may have been faster.
      if (isOld(database, path)) createSchema(database, source);
    });
  }
  const stored = database.prepare('SELECT name FROM source').get()?.['name'];
  if (stored === source) return;
  throw new MirrorError(
    'other-source',
    `${path}: this is a copy of ${String(stored)}, not of ${source}. Use one file for each source, or delete this one.`,
  );
}

/** Switches to a write-ahead log. SQLite does not wait if another process does the same. */
function useLog(database: DatabaseSync): void {
  const deadline = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      // A person has about a kilobyte: larger pages save a fifth of the time of the first sync.
      database.exec('PRAGMA page_size = 32768; PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (resultCode(error) !== SQLITE_BUSY || performance.now() > deadline) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
  }
}

function transaction<Result>(database: DatabaseSync, begin: string, run: () => Result): Result {
  database.exec(begin);
  try {
    const result = run();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** Whether a file is empty, or of an older version. It reads several values, so it needs a transaction. */
function isOld(database: DatabaseSync, path: string): boolean {
  const applicationId = database.prepare('PRAGMA application_id').get()?.['application_id'];
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (applicationId !== APPLICATION_ID) {
    if (tables(database).length > 0) throw notAMirror(path);
    return true;
  }
  if (version <= VERSION) return version < VERSION;
  throw new MirrorError(
    'newer-version',
    `${path}: a newer version of @hr/client wrote this mirror. Update @hr/client, or use another file.`,
  );
}

function createSchema(database: DatabaseSync, source: string): void {
  for (const name of tables(database)) database.exec(`DROP TABLE "${name}"`);
  database.exec(schema);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}`);
  database.prepare('INSERT INTO source (name) VALUES (?)').run(source);
}

function tables(database: DatabaseSync): string[] {
  return database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));
}

function cannotOpen(path: string, reason: string): MirrorError {
  return new MirrorError(
    'cannot-open',
    `${path}: the mirror cannot be opened, ${reason}. Check that its folder exists, and that you may write to both.`,
  );
}

function notAMirror(path: string): MirrorError {
  return new MirrorError(
    'not-a-mirror',
    `${path}: this file is not a mirror, or it is damaged. Use another file, or delete this one and sync again.`,
  );
}

function syncRunning(path: string): MirrorError {
  return new MirrorError('sync-running', `${path}: another sync writes to this mirror. Wait until it has ended.`);
}

/** The primary result code of SQLite. */
function resultCode(error: unknown): number {
  return ((error as { readonly errcode?: number }).errcode ?? 0) & 0xff;
}
