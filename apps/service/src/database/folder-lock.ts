import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FolderHeldError, FolderNotWritableError } from './database-errors.ts';

/**
 * Makes this process the only owner of a database folder until `release` is called or the process ends, however it
 * ends. Two processes on one folder of PGlite destroy acknowledged data.
 *
 * @throws {FolderHeldError} when another process owns the folder.
 * @throws {FolderNotWritableError}
 */
export function lockFolder(folder: string): { release(): void } {
  const lock = openLock(folder);
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (errorCode(error) === SQLITE_BUSY) throw new FolderHeldError(folder);
    throw asNotWritable(folder, error);
  }
  return { release: () => lock.close() };
}

function openLock(folder: string): DatabaseSync {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return new DatabaseSync(join(folder, 'lock.db'));
  } catch (error) {
    throw asNotWritable(folder, error);
  }
}

const SQLITE_BUSY = 5;
/** Those of SQLite for a file that is read-only or cannot be opened, and those of the system for a folder. */
const notWritable = new Set<unknown>([8, 14, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);

function errorCode(error: unknown): unknown {
  const { errcode, code } = error as { readonly errcode?: number; readonly code?: string };
  return errcode ?? code;
}

function asNotWritable(folder: string, error: unknown): unknown {
  return notWritable.has(errorCode(error)) ? new FolderNotWritableError(folder, { cause: error }) : error;
}
