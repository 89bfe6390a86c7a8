import { readdir, readFile } from 'node:fs/promises';
import type { Database } from './database.ts';

const folder = new URL('migrations/', import.meta.url);

// Any number does, as long as every process of the service takes the same.
const MIGRATION_LOCK = 4010;

/**
 * Brings the tables to the state this version of the service needs, in one transaction; processes that start together
 * wait for each other.
 *
 * @returns the names of the migrations that were applied now
 */
export async function migrate(database: Database): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return database.transaction(
    async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await transaction.query(
        'create table if not exists migration (name text primary key, applied_at timestamptz not null default now())',
      );
      const known = await transaction.query<{ name: string }>('select name from migration');
      const applied = names.filter((name) => !known.some((migration) => migration.name === name));
      for (const name of applied) {
        // One after the other: each builds on the one before.
        // oxlint-disable-next-line no-await-in-loop
        await transaction.query(await readFile(new URL(name, folder), 'utf8'));
        // oxlint-disable-next-line no-await-in-loop
        await transaction.query('insert into migration (name) values ($1)', [name]);
      }
      return applied;
    },
    { long: true },
  );
}
