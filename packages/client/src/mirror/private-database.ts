import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isMirrorError, MirrorError } from './mirror-error.ts';

/** What a SQLite file of this package is. */
export interface DatabaseKind {
  /** Its name in messages. */
  readonly name: 'mirror' | 'outbox';
  /** Tells it from other SQLite files. */
  readonly applicationId: number;
  readonly version: number;
  readonly schema: string;
  /** Statements that bring a file of the version before up to date. */
  readonly upgrade?: string;
  /** Statements for each connection. */
  readonly settings: string;
  /** Whether its data can be read anew, so that a damaged file, or one of an older version, is worth nothing. */
  readonly isCopy: boolean;
}

const OWNER_ONLY = 0o600;
const OPEN_TO_OTHERS = 0o077;
const SQLITE_BUSY = 5;
const SQLITE_CANTOPEN = 14;
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damageCodes: ReadonlySet<number> = new Set([11, 26]);
/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN. */
const diskCodes: ReadonlySet<number> = new Set([8, 10, 13, SQLITE_CANTOPEN]);
/** How long a statement waits for a short lock of another connection. */
const LOCK_WAIT_MS = 5000;
const RETRY_MS = 10;

/**
 * Opens a file that only its owner can read. It creates a file that does not exist, and recreates a copy of an older
 * version, or brings the file up to date.
 *
 * @throws {MirrorError} If the file cannot be used.
 */
export function openPrivateDatabase(kind: DatabaseKind, path: string, source: string): DatabaseSync {
  return openPrivately(kind, path, (database) => {
    configure(database, kind.settings);
    prepareSchema(database, kind, path, source);
  });
}

/** Sets how long statements wait for another connection, and what else holds for a connection. */
export function configure(database: DatabaseSync, settings: string, lockWaitMs = LOCK_WAIT_MS): void {
  database.exec(`PRAGMA busy_timeout = ${lockWaitMs}; ${settings}`);
}

/**
 * Opens a file that only its owner can read, and closes it again if `prepare` fails.
 *
 * @throws {MirrorError} If the file cannot be used.
 */
export function openPrivately(
  kind: DatabaseKind,
  path: string,
  prepare: (database: DatabaseSync) => void,
): DatabaseSync {
  if (path !== ':memory:') createPrivately(kind, path);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    prepare(database);
    return database;
  } catch (error) {
    database?.close();
    if (isMirrorError(error)) throw error;
    if (resultCode(error) !== SQLITE_CANTOPEN && isOfStorage(error)) throw storageError(kind, path, error);
    throw cannotOpen(kind, path, (error as Error).message);
  }
}

/** Whether the file, or the disk below it, is the reason. */
function isOfStorage(error: unknown): boolean {
  return damageCodes.has(resultCode(error)) || diskCodes.has(resultCode(error));
}

/** The error of a statement as a `MirrorError`, and any other error as it is. */
export function storageError(kind: DatabaseKind, path: string, error: unknown): unknown {
  if (damageCodes.has(resultCode(error))) return wrongFile(kind, path);
  if (!isOfStorage(error)) return error;
  return new MirrorError(
    'cannot-write',
    `${path}: the ${kind.name} cannot be read or written (${(error as Error).message}). It is as before. Free some disk space, also for temporary files, or check the disk; then try again.`,
  );
}

/** The same object, whose methods throw a `MirrorError` for the errors of SQLite. */
export function withStorageErrors<Target extends object>(target: Target, kind: DatabaseKind, path: string): Target {
  const fail = (error: unknown): never => {
    throw storageError(kind, path, error);
  };
  function* guarded(rows: Iterable<unknown>): Generator {
    try {
      yield* rows;
    } catch (error) {
      fail(error);
    }
  }
  async function* guardedAsync(rows: AsyncIterable<unknown>): AsyncGenerator {
    try {
      yield* rows;
    } catch (error) {
      fail(error);
    }
  }
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        try {
          const result: unknown = Reflect.apply(value, target, args);
          if (result instanceof Promise) return result.catch(fail);
          if (isIterator(result, Symbol.iterator)) return guarded(result as Iterable<unknown>);
          return isIterator(result, Symbol.asyncIterator) ? guardedAsync(result as AsyncIterable<unknown>) : result;
        } catch (error) {
          return fail(error);
        }
      };
    },
  });
}

function isIterator(value: unknown, kind: symbol): boolean {
  return typeof value === 'object' && value !== null && kind in value && 'next' in value;
}

/** Runs statements in a transaction, which ends on an error without a change. */
export function transaction<Result>(
  database: DatabaseSync,
  statements: () => Result,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE' = 'BEGIN IMMEDIATE',
): Result {
  database.exec(begin);
  try {
    const result = statements();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

export function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // SQLite has rolled back by itself, such as when the disk is full.
  }
}

/** Whether another connection has a lock. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === SQLITE_BUSY;
}

function createPrivately(kind: DatabaseKind, path: string): void {
  try {
    // Only if it does not exist: to close a file releases the locks that SQLite has on it in this process.
    closeSync(openSync(path, 'wx', OWNER_ONLY));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw cannotOpen(kind, path, code);
  }
  // Windows has no such modes.
  if (process.platform === 'win32') return;
  for (const name of [path, `${path}-wal`, `${path}-shm`]) {
    if (existsSync(name) && (statSync(name).mode & OPEN_TO_OTHERS) !== 0) {
      throw new MirrorError(
        'not-private',
        `${name}: other users may read or write this file, and it contains personal data. Run chmod 600 on it.`,
      );
    }
  }
}

function prepareSchema(database: DatabaseSync, kind: DatabaseKind, path: string, source: string): void {
  if (transaction(database, () => isOld(database, kind, path), 'BEGIN')) {
    useLog(database);
    transaction(database, () => {
      // Another process may have been faster.
      if (isOld(database, kind, path)) createSchema(database, kind, source);
    });
  }
  const stored = database.prepare('SELECT name FROM source').get()?.['name'];
  if (stored === source) return;
  throw new MirrorError(
    'other-source',
    `${path}: this is the ${kind.name} of ${String(stored)}, not of ${source}. Use one file for each source.`,
  );
}

/** Switches to a write-ahead log. SQLite does not wait if another process does the same. */
function useLog(database: DatabaseSync): void {
  const deadline = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
  }
}

/** Whether a file is empty, or of an older version. It reads several values, so it needs a transaction. */
function isOld(database: DatabaseSync, kind: DatabaseKind, path: string): boolean {
  const applicationId = database.prepare('PRAGMA application_id').get()?.['application_id'];
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (applicationId !== kind.applicationId) {
    if (tables(database).length > 0) throw wrongFile(kind, path);
    return true;
  }
  if (version === kind.version) return false;
  if (version < kind.version && (kind.isCopy || isUpgradable(kind, version))) return true;
  if (version < kind.version) throw wrongFile(kind, path);
  throw new MirrorError(
    'newer-version',
    `${path}: a newer version of @hr/client wrote this ${kind.name}. Update @hr/client, or use another file.`,
  );
}

function isUpgradable({ upgrade, version }: DatabaseKind, stored: number): boolean {
  return upgrade !== undefined && stored === version - 1;
}

function createSchema(database: DatabaseSync, kind: DatabaseKind, source: string): void {
  const { schema, upgrade, applicationId, version } = kind;
  if (upgrade !== undefined && tables(database).length > 0) {
    database.exec(`${upgrade}; PRAGMA user_version = ${version}`);
    return;
  }
  for (const name of tables(database)) database.exec(`DROP TABLE "${name}"`);
  database.exec(`CREATE TABLE source (name TEXT NOT NULL) STRICT; ${schema}`);
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
  database.prepare('INSERT INTO source (name) VALUES (?)').run(source);
}

function tables(database: DatabaseSync): string[] {
  return database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
}

function cannotOpen({ name }: DatabaseKind, path: string, reason: string): MirrorError {
  return new MirrorError(
    'cannot-open',
    `${path}: the ${name} cannot be opened, ${reason}. Check that its folder exists, and that you may write to both.`,
  );
}

function wrongFile({ name, isCopy }: DatabaseKind, path: string): MirrorError {
  const remedy = isCopy
    ? 'Use another file, or delete this one and sync again.'
    : 'Restore it from a backup, or use another file.';
  return new MirrorError('wrong-file', `${path}: this file is not a usable ${name}. ${remedy}`);
}

/** The primary result code of SQLite. */
function resultCode(error: unknown): number {
  return ((error as { readonly errcode?: number }).errcode ?? 0) & 0xff;
}
