import { readdir, readFile } from 'node:fs/promises';
import { INSUFFICIENT_PRIVILEGE, LOCK_NOT_AVAILABLE, sqlStateOf } from './database-errors.ts';
import type { Database, Queries } from './database.ts';

/** The folder of the migrations. */
export const migrations = new URL('migrations/', import.meta.url);

// Any number does, as long as every process of the service takes the same.
const MIGRATION_LOCK = 4010;

const MAX_LOCK_WAIT_MS = 10_000;

/** The tables of the database are not those of this version, and stay as they are. */
export class MigrationRefusedError extends Error {
  override readonly name = 'MigrationRefusedError';
  readonly code = 'migration-refused';
}

/**
 * Brings the tables to the state that this version needs, each migration in a transaction of its own. Processes that
 * start together wait for each other. If nothing is to do, it needs no right but to read.
 *
 * @param folder of the migrations, `*.sql` in the order of their names
 * @returns the names of the migrations that were applied now
 * @throws {MigrationRefusedError} if a newer version has migrated the tables, this user may not, or a table stays locked.
 */
export async function migrate(database: Database, folder: URL = migrations): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const applied: string[] = [];
  try {
    // oxlint-disable no-await-in-loop -- each builds on the one before
    while ((await missing(database, names)).length > 0) {
      applied.push(...(await applyNext(database, names, folder)));
    }
    // oxlint-enable no-await-in-loop
    return applied;
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

/** Applies the first of the missing migrations, unless another process has. */
function applyNext(database: Database, names: readonly string[], folder: URL): Promise<string[]> {
  return database.transaction(
    async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await transaction.query(`
        create table if not exists migration (name text primary key, applied_at timestamptz not null default now());
        set local lock_timeout = '${MAX_LOCK_WAIT_MS}ms'`);
      const [next] = await missing(transaction, names);
      if (next === undefined) return [];
      await transaction.query(await readFile(new URL(next, folder), 'utf8'));
      await transaction.query('insert into migration (name) values ($1)', [next]);
      return [next];
    },
    { long: true },
  );
}

/** The migrations that were not applied yet. */
async function missing(queries: Queries, names: readonly string[]): Promise<string[]> {
  const [table] = await queries.query<{ there: boolean }>(`select to_regclass('migration') is not null as there`);
  const rows = table?.there ? await queries.query<{ name: string }>('select name from migration order by name') : [];
  const applied = new Set(rows.map(({ name }) => name));
  const unknown = [...applied].filter((name) => !names.includes(name));
  if (unknown.length === 0) return names.filter((name) => !applied.has(name));
  const remedy = 'Start that version, or restore a backup from before it.';
  throw new MigrationRefusedError(`A newer version has migrated the tables (${unknown.join(', ')}). ${remedy}`);
}

function refusalOf(error: unknown): MigrationRefusedError | undefined {
  const sentence = {
    [INSUFFICIENT_PRIVILEGE]:
      'The user of HR_DATABASE may not bring the tables up to date: run migrate as their owner.',
    [LOCK_NOT_AVAILABLE]: `A migration waited ${MAX_LOCK_WAIT_MS / 1000} s for a lock on a table. Run migrate again when no import or backup runs.`,
  }[sqlStateOf(error) ?? ''];
  return sentence === undefined ? undefined : new MigrationRefusedError(sentence, { cause: error });
}
