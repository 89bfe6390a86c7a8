import { readdir, readFile } from 'node:fs/promises';
import type { Database, Queries } from './database.ts';
import { MigrationRefusedError } from './migration-refused-error.ts';

const folder = new URL('migrations/', import.meta.url);

// Any number does, as long as every process of the service takes the same.
const MIGRATION_LOCK = 4010;

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Brings the tables to the state this version of the service needs, in one transaction; processes that start together
 * wait for each other. Where nothing is to be done, it needs no right but to read.
 *
 * @returns the names of the migrations that were applied now
 * @throws {MigrationRefusedError} when this user of the database may not change them.
 */
export async function migrate(database: Database): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  try {
    return (await missing(database, names)).length === 0 ? [] : await apply(database, names);
  } catch (error) {
    const isRefused = error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE;
    throw isRefused ? new MigrationRefusedError(error) : error;
  }
}

function apply(database: Database, names: readonly string[]): Promise<string[]> {
  return database.transaction(
    async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await transaction.query(
        'create table if not exists migration (name text primary key, applied_at timestamptz not null default now())',
      );
      const due = await missing(transaction, names);
      for (const name of due) {
        // One after the other: each builds on the one before.
        // oxlint-disable-next-line no-await-in-loop
        await transaction.query(await readFile(new URL(name, folder), 'utf8'));
        // oxlint-disable-next-line no-await-in-loop
        await transaction.query('insert into migration (name) values ($1)', [name]);
      }
      return due;
    },
    { long: true },
  );
}

/** Those migrations that were not applied yet. */
async function missing(queries: Queries, names: readonly string[]): Promise<string[]> {
  const [table] = await queries.query<{ there: boolean }>(`select to_regclass('migration') is not null as there`);
  const applied = table?.there ? await queries.query<{ name: string }>('select name from migration') : [];
  return names.filter((name) => !applied.some((migration) => migration.name === name));
}
