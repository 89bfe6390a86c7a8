import { hash } from 'node:crypto';
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
 * @throws {MigrationRefusedError} if a newer version has migrated the tables, a migration was edited since, this user may
 * not, or a table stays locked.
 */
export async function migrate(database: Database, folder: URL = migrations): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const all = await Promise.all(
    names.map(async (name): Promise<Migration> => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, hash: hash('sha256', sql) };
    }),
  );
  const applied: string[] = [];
  try {
    // oxlint-disable no-await-in-loop -- each builds on the one before
    while ((await missing(database, all)).length > 0) applied.push(...(await applyNext(database, all)));
    // oxlint-enable no-await-in-loop
    return applied;
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  /** The SHA-256 of the file. A migration never changes, so that all databases of a version have the same tables. */
  readonly hash: string;
}

/** Applies the first of the missing migrations, unless another process has. */
function applyNext(database: Database, all: readonly Migration[]): Promise<string[]> {
  return database.transaction(
    async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await transaction.query(`
        create table if not exists migration (name text primary key, applied_at timestamptz not null default now());
        alter table migration add column if not exists hash text;
        set local lock_timeout = '${MAX_LOCK_WAIT_MS}ms'`);
      const [next] = await missing(transaction, all);
      if (next === undefined) return [];
      await transaction.query(next.sql);
      await transaction.query('insert into migration (name, hash) values ($1, $2)', [next.name, next.hash]);
      return [next.name];
    },
    { long: true },
  );
}

/** The migrations that were not applied yet. */
async function missing(queries: Queries, all: readonly Migration[]): Promise<Migration[]> {
  const [table] = await queries.query<{ there: boolean }>(`select to_regclass('migration') is not null as there`);
  // A database of an earlier version has no column for the hash.
  const rows = table?.there
    ? await queries.query<{ name: string; hash: string | null }>(
        `select name, to_jsonb(migration) ->> 'hash' as hash from migration order by name`,
      )
    : [];
  const applied = new Map(rows.map(({ name, hash: stored }) => [name, stored]));
  const unknown = [...applied.keys()].filter((name) => !all.some((one) => one.name === name));
  if (unknown.length > 0) {
    const remedy = 'Start that version, or restore a backup from before it.';
    throw new MigrationRefusedError(`A newer version has migrated the tables (${unknown.join(', ')}). ${remedy}`);
  }
  const edited = all.find((one) => one.hash !== (applied.get(one.name) ?? one.hash));
  if (edited) {
    const remedy = 'Restore the file, and make the change in a new migration.';
    throw new MigrationRefusedError(`${edited.name} was edited after it was applied. ${remedy}`);
  }
  return all.filter(({ name }) => !applied.has(name));
}

function refusalOf(error: unknown): MigrationRefusedError | undefined {
  const sentence = {
    [INSUFFICIENT_PRIVILEGE]:
      'The user of HR_DATABASE may not bring the tables up to date: run migrate as their owner.',
    [LOCK_NOT_AVAILABLE]: `A migration waited ${MAX_LOCK_WAIT_MS / 1000} s for a lock on a table. Run migrate again when no import or backup runs.`,
  }[sqlStateOf(error) ?? ''];
  return sentence === undefined ? undefined : new MigrationRefusedError(sentence, { cause: error });
}
