import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { startHousekeeping } from './housekeeping.ts';
import { INVALID_PARAMETER_VALUE, sqlStateOf } from './database/database-errors.ts';
import type { Database } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { databaseFolder, openDatabase } from './database/open-database.ts';
import type { MetricsServer } from './metrics/metrics-server.ts';
import { operatorSocket } from './operator/operator-socket.ts';
import { createServer } from './server.ts';
import { ConfigError, ListenError } from './config/start-errors.ts';

/** A service that answers. */
export interface Service {
  readonly url: string;
  /** Where the metrics are; `undefined` where nothing is measured. */
  readonly metricsUrl: string | undefined;
  readonly database: Database;
  readonly server: FastifyInstance;
  /** Ends it: running requests end before, new ones are sent away. */
  stop(): Promise<void>;
}

/**
 * Opens the database, brings its tables up to date and answers requests.
 *
 * @throws {FolderHeldError} when another process uses the database folder.
 * @throws {DatabaseUnavailableError} when PostgreSQL does not answer.
 * @throws {ListenError} when a port is taken.
 */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const { databasePool: requests, databaseListPool: lists, databaseReplica: replica } = config;
  const database = await openDatabase(config.database, { requests, lists, replica });
  const { host, port, metricsPort } = config;
  let metrics: MetricsServer | undefined;
  if (metricsPort !== undefined) {
    // Few services measure, and the import takes a tenth of a start.
    const { createMetricsServer } = await import('./metrics/metrics-server.ts');
    metrics = createMetricsServer({ host, port: metricsPort });
  }
  const folder = databaseFolder(config.database);
  const socket = folder === undefined ? undefined : operatorSocket(folder);
  const server = createServer({ database, config, log, metrics, ...(socket && { isCommandLine: socket.has }) });
  let endHousekeeping: (() => Promise<void>) | undefined;
  try {
    await migrate(database);
    await database.query('select adopt_changes()');
    await checkTimeZone(database, config.timeZone);
    endHousekeeping = await startHousekeeping(database, config, log);
    if (!config.database.startsWith('pglite:')) await warnOfSetup(database, log);
    await server.listen({ host, port }).catch((error: unknown) => {
      throw new ListenError('HR_PORT', { host, port }, error);
    });
    const url = server.listeningOrigin;
    const metricsUrl = await metrics?.listen();
    await socket?.listen((request, response) => server.routing(request, response));
    return { url, metricsUrl, database, server, stop };
  } catch (error) {
    await stop();
    throw error;
  }

  async function stop(): Promise<void> {
    try {
      await server.close();
    } finally {
      try {
        await endHousekeeping?.();
        await socket?.close();
        await database.close();
      } finally {
        // Last, so that the metrics show the end of the others.
        await metrics?.close();
      }
    }
  }
}

async function checkTimeZone(database: Database, timeZone: string): Promise<void> {
  try {
    await database.query('select now() at time zone $1', [timeZone]);
  } catch (error) {
    if (sqlStateOf(error) !== INVALID_PARAMETER_VALUE) throw error;
    throw new ConfigError('HR_TIME_ZONE is not known to the database: give one such as Europe/Berlin, or UTC.');
  }
}

/** Warns of a PostgreSQL that is set up so that the service runs, but without a safeguard. */
async function warnOfSetup(database: Database, log: Logger): Promise<void> {
  const [setup] = await database.query<{ isOwner: boolean; hasTimeout: boolean }>(
    `select pg_has_role(current_user, relowner, 'member') as "isOwner",
      current_setting('statement_timeout') <> '0' as "hasTimeout"
    from pg_class where oid = 'audit_event'::regclass`,
  );
  if (setup?.isOwner) {
    log.warn(
      'The role of HR_DATABASE can drop the audit, as it owns the tables or is a superuser. Use a role that does not.',
    );
  }
  if (setup?.hasTimeout === false) {
    log.warn(
      'HR_DATABASE leads to a pooler that keeps no settings, so statements have no time limit: run "alter role NAME set statement_timeout = \'20s\'" and "alter role NAME set lock_timeout = \'4s\'".',
    );
  }
}

/** Stops the service gracefully at the first SIGTERM or SIGINT; the second ends the process at once. */
export async function stopOnSignal(service: Service): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
  await service.stop();
}
