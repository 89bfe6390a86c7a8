import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ConfigError } from './config.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { databaseFolder, openDatabase } from './database/open-database.ts';
import { randomSecret } from './database/random-secret.ts';
import { removeOperatorAccess, writeOperatorAccess } from './operator-access.ts';
import { createServer } from './server.ts';

/** A service that answers. */
export interface Service {
  readonly url: string;
  readonly database: Database;
  readonly server: FastifyInstance;
  /** Ends it: running requests end before, new ones are sent away. */
  stop(): Promise<void>;
}

/** The service cannot listen where it is told to. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly code = 'listen';

  constructor({ host, port }: Config, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    super(
      code === 'EADDRINUSE'
        ? `Port ${port} of ${host} is taken: stop what uses it, or set HR_PORT to another one (0 takes any).`
        : `The service cannot listen on port ${port} of ${host} (${code}): set HR_HOST and HR_PORT to what this machine has.`,
    );
  }
}

/**
 * Opens the database, brings its tables up to date and answers requests.
 *
 * @throws {FolderHeldError} when another process uses the database folder.
 * @throws {DatabaseUnavailableError} when PostgreSQL does not answer.
 * @throws {ListenError} when the port is taken.
 */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const database = await openDatabase(config.database);
  const token = randomSecret();
  const server = createServer({ database, config, log, commandLineToken: token });
  const folder = databaseFolder(config.database);
  try {
    await migrate(database);
    await checkTimeZone(database, config.timeZone);
    await server.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
      throw new ListenError(config, error);
    });
    const url = server.listeningOrigin;
    if (folder !== undefined) await writeOperatorAccess(folder, { url, token });
    return { url, database, server, stop };
  } catch (error) {
    await server.close();
    await database.close();
    throw error;
  }

  async function stop(): Promise<void> {
    try {
      await server.close();
      if (folder !== undefined) await removeOperatorAccess(folder);
    } finally {
      await database.close();
    }
  }
}

async function checkTimeZone(database: Database, timeZone: string): Promise<void> {
  const [known] = await database.query('select from pg_timezone_names where lower(name) = lower($1)', [timeZone]);
  if (!known)
    throw new ConfigError('HR_TIME_ZONE is not known to the database: give one such as Europe/Berlin, or UTC.');
}
