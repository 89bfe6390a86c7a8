import type { Database } from './database.ts';
import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';

/** Where the data is, as the setting `HR_DATABASE` says it. */
export type DatabaseUrl = `pglite:${string}` | `postgres://${string}` | `postgresql://${string}`;

/**
 * Opens the database of an address: `pglite:DIR`, `pglite:memory` or `postgres://…`.
 *
 * @throws {FolderHeldError} when another process uses the folder.
 * @throws {DatabaseUnavailableError} when PostgreSQL does not answer.
 */
export function openDatabase(url: DatabaseUrl): Promise<Database> {
  if (!url.startsWith('pglite:')) return openPostgres(url);
  const folder = url.slice('pglite:'.length);
  return openPglite(folder === 'memory' ? undefined : folder);
}
