import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Client } from 'pg';
import { testScale } from 'tooling-vitest/test-scale';
import { inject } from 'vitest';
import type { DatabaseUrl } from '../src/database/open-database.ts';

/** The databases, for tests of what depends on them: `describe.each(drivers)('… on %s', (driver) => …)`. */
export const drivers = ['pglite', 'postgres'] as const;
/**
 * The databases for tests of anything else: the one that takes a fraction of the time, or both if `HR_TEST_SCALE` is
 * above 1.
 */
export const anyDriver = testScale > 1 ? drivers : (['postgres'] as const);
export type Driver = (typeof drivers)[number];

/** How often a test repeats what it draws: the embedded database takes longer for the same statements. */
export const repetitions = (times: number, driver: Driver): number =>
  driver === 'pglite' ? Math.ceil(times / 2) : times;

/**
 * Arguments of `skip`, for tests of PostgreSQL's time limits. Under faketime with a later day, its signal handlers see
 * the real time, at which no limit has passed.
 */
export const noTimeLimits = [
  process.env['LD_PRELOAD']?.includes('faketime') ?? false,
  "PostgreSQL's time limits do not work under faketime",
] as const;

/** Selects a row for each advisory lock that is held in a PostgreSQL database. The view has those of the whole server. */
export const ADVISORY_LOCKS = `select from pg_locks where locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())`;

/** A database of a test's own. */
export interface TestDatabase {
  readonly url: DatabaseUrl;
  readonly remove: () => Promise<void>;
}

/** Makes a database of its own with the service's tables; a PGlite one is in a folder, so that other processes may open it. */
export function emptyDatabase(driver: Driver): Promise<TestDatabase> {
  return driver === 'pglite' ? copyFolder(inject('pgliteFolders').empty) : copyDatabase(inject('postgresTemplate'));
}

/** Makes one without any table. */
export function bareDatabase(driver: Driver): Promise<TestDatabase> {
  return driver === 'pglite' ? copyFolder(inject('pgliteFolders').bare) : copyDatabase('template1');
}

/** Makes a copy of an embedded database that nothing has open. */
export async function copyFolder(template: string): Promise<TestDatabase> {
  const folder = await mkdtemp(`${template}-`);
  // Half as long as the asynchronous one, which asks for each of a thousand files.
  cpSync(template, folder, { recursive: true });
  return { url: `pglite:${folder}`, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Makes a copy of a database that nothing has open, on its server. */
export async function copyDatabase(template: string, server = inject('postgresUrl')): Promise<TestDatabase> {
  const name = `hr_${randomUUID().replaceAll('-', '')}`;
  // Half the work of the default strategy, which writes each page to the log, too.
  await administer(server, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: `${server}/${name}` as DatabaseUrl,
    remove: () => administer(server, `drop database if exists ${name} with (force)`),
  };
}

/** Runs a statement on a server. */
export async function administer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: `${server}/postgres` });
  // A server that is killed ends it.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
