import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FolderHeldError } from './database-errors.ts';

/**
 * Makes this process the only owner of a database folder until `release` is called or the process ends, however it
 * ends. Two processes on one folder of PGlite destroy acknowledged data.
 *
 * @throws {FolderHeldError} when another process owns the folder.
 */
export function lockFolder(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(folder, 'lock.db'));
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)
      throw new FolderHeldError(folder);
    throw error;
  }
  return { release: () => lock.close() };
}

const SQLITE_BUSY = 5;
