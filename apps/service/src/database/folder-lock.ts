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
  let lock: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    lock = new DatabaseSync(join(folder, 'lock.db'));
    lock.exec('begin exclusive');
  } catch (error) {
    lock?.close();
    const { errcode, code } = error as { readonly errcode?: number; readonly code?: string };
    if (errcode === SQLITE_BUSY) throw new FolderHeldError(folder);
    throw notWritable.has(errcode ?? code) ? new FolderNotWritableError(folder, { cause: error }) : error;
  }
  return { release: () => lock.close() };
}

const SQLITE_BUSY = 5;
/** Those of SQLite for a file that is read-only or cannot be opened, and those of the system for a folder. */
const notWritable = new Set<unknown>([8, 14, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);
