import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { OutboxError } from './outbox-error.ts';

const OWNER_ONLY = 0o600;
/** Marks the file as an outbox: `hrob`. */
const APPLICATION_ID = 0x68_72_6f_62;
const VERSION = 1;
/** How long a statement waits for another process that writes. */
const WRITE_WAIT_MS = 5000;
/** How long to wait for the lock, because opening an outbox holds it for a moment. */
const LOCK_WAIT_MS = 200;
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

// An entry is one idempotency key, which is its id. Only the latest entry of a row of a batch is in force.
const SCHEMA = `
create table source (name text not null) strict;
create table entry (
  number integer primary key,
  id text not null unique,
  contract_id text not null,
  billing_period text not null,
  payment text not null,
  content text not null,
  state text not null check (state in ('sending', 'sent', 'rejected', 'unknown', 'approved')),
  batch text,
  row integer,
  sent_at text not null,
  code text,
  request_id text,
  message text,
  resent_as text
) strict;
create unique index entry_row on entry (batch, row) where resent_as is null;
create index entry_content on entry (content);
create index entry_state on entry (state);
create table approved_elsewhere (content text primary key, count integer not null) strict;
`;

/**
 * Opens the file of an outbox, or creates it. A commit is on the disk when it returns.
 *
 * @throws {OutboxError}
 */
export function openDatabase(file: string, source: string): DatabaseSync {
  return open(file, (database) => {
    database.exec(`pragma busy_timeout = ${WRITE_WAIT_MS}; pragma journal_mode = wal; pragma synchronous = full;`);
    transaction(database, () => {
      const version = pragma(database, 'user_version');
      if (version === 0 && isEmpty(database)) {
        database.exec(`${SCHEMA} pragma application_id = ${APPLICATION_ID}; pragma user_version = ${VERSION};`);
        database.prepare('insert into source values (?)').run(source);
      } else if (pragma(database, 'application_id') !== APPLICATION_ID) {
        throw notAnOutbox(file);
      } else if (version > VERSION) {
        throw new OutboxError(
          'newer-version',
          `${file}: a newer version of @hr/client wrote this outbox. Install that version, or a later one.`,
        );
      }
    });
    const stored = database.prepare('select name from source').get()?.['name'] as string;
    if (stored === source) return;
    throw new OutboxError(
      'other-source',
      `${file}: this outbox contains the payments of ${stored}. Open it with that source, or choose another file.`,
    );
  });
}

/** Opens the lock of an outbox. Closing its connection releases the lock, and so does the end of the process. */
export function openLock(file: string): DatabaseSync {
  return open(`${file}.lock`, (lock) => lock.exec(`pragma busy_timeout = ${LOCK_WAIT_MS}`));
}

/** Runs statements in a transaction, which ends on an error without a change. */
export function transaction<T>(database: DatabaseSync, statements: () => T): T {
  database.exec('begin immediate');
  try {
    const result = statements();
    database.exec('commit');
    return result;
  } catch (error) {
    try {
      database.exec('rollback');
    } catch {
      // Some errors, such as a full disk, have already ended it.
    }
    throw error;
  }
}

export function isBusy(error: unknown): boolean {
  return errorCode(error) === SQLITE_BUSY;
}

function open(file: string, prepare: (database: DatabaseSync) => void): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    // Never opened otherwise: closing any descriptor of a file releases SQLite's locks on it in this process.
    if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
    chmodSync(file, OWNER_ONLY);
    database = new DatabaseSync(file);
    prepare(database);
    return database;
  } catch (error) {
    database?.close();
    const code = errorCode(error);
    if (code === SQLITE_NOTADB || code === SQLITE_CORRUPT) throw notAnOutbox(file);
    if (error instanceof OutboxError) throw error;
    const { message } = error as Error;
    throw new OutboxError('cannot-open', `${file}: cannot be opened (${message}). Check its folder and permissions.`);
  }
}

function notAnOutbox(file: string): OutboxError {
  return new OutboxError(
    'not-an-outbox',
    `${file}: this file is not an outbox, or it is damaged. Choose another file.`,
  );
}

function pragma(database: DatabaseSync, name: string): number {
  return database.prepare(`pragma ${name}`).get()?.[name] as number;
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('select 1 from sqlite_schema').get() === undefined;
}

function errorCode(error: unknown): unknown {
  return (error as { readonly errcode?: number }).errcode;
}
