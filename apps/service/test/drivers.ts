import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import type { DatabaseUrl } from '../src/database/open-database.ts';

/** The databases every integration test runs on: `describe.each(drivers)('… on %s', (driver) => …)`. */
export const drivers = ['pglite', 'postgres'] as const;
export type Driver = (typeof drivers)[number];

interface EmptyDatabase {
  readonly url: DatabaseUrl;
  readonly remove: () => Promise<void>;
}

/** Makes an empty database of its own; a PGlite one is in a folder, so that other processes may open it. */
export async function emptyDatabase(driver: Driver): Promise<EmptyDatabase> {
  if (driver === 'pglite') {
    const folder = await mkdtemp(join(tmpdir(), 'hr-pglite-'));
    // Half as long as the asynchronous one, which asks for each of a thousand files.
    cpSync(inject('pgliteFolder'), folder, { recursive: true });
    return { url: `pglite:${folder}`, remove: () => rm(folder, { recursive: true, force: true }) };
  }
  const server = inject('postgresUrl');
  const name = `hr_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${name}`);
  return {
    url: `${server}/${name}` as DatabaseUrl,
    remove: () => administer(server, `drop database if exists ${name} with (force)`),
  };
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query(statement);
  await client.end();
}
