import type { Database } from './database.ts';
import type { PostgresOptions } from './postgres.ts';

/** Where the data is, as the setting `HR_DATABASE` says it. */
export type DatabaseUrl = `pglite:${string}` | `postgres://${string}` | `postgresql://${string}`;

/**
 * Opens the database of an address: `pglite:DIR`, `pglite:memory` or `postgres://…`.
 *
 * @param options for PostgreSQL
 * @throws {FolderHeldError} when another process uses the folder.
 * @throws {FolderNotWritableError}
 * @throws {DatabaseUnavailableError} when PostgreSQL does not answer.
 */
export async function openDatabase(url: DatabaseUrl, options?: PostgresOptions): Promise<Database> {
  // Each process needs one of the two.
  if (!url.startsWith('pglite:')) return (await import('./postgres.ts')).openPostgres(url, options);
  return (await import('./pglite.ts')).openPglite(databaseFolder(url));
}

/** The folder of an embedded database; `undefined` where the database is another or in memory. */
export function databaseFolder(database: DatabaseUrl): string | undefined {
  return database.startsWith('pglite:') && database !== 'pglite:memory' ? database.slice('pglite:'.length) : undefined;
}
