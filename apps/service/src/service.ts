import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { createEnvironment } from './environment.ts';
import type { Database } from './database/database.ts';
import { databaseFolder, openDatabase } from './database/open-database.ts';
import type { MetricsServer } from './metrics/metrics-server.ts';
import { operatorSocket } from './operator/operator-socket.ts';
import { ListenError } from './config/start-errors.ts';

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
  const environment = createEnvironment({
    database,
    config,
    log,
    metrics: metrics?.of(),
    isCommandLine: socket?.has,
  });
  const { server } = environment;
  try {
    await environment.open();
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
      await environment.close();
    } finally {
      try {
        await socket?.close();
        await database.close();
      } finally {
        // Last, so that the metrics show the end of the others.
        await metrics?.close();
      }
    }
  }
}

/** Stops the service gracefully at the first SIGTERM or SIGINT; the second ends the process at once. */
export async function stopOnSignal(service: Pick<Service, 'stop'>): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
  await service.stop();
}
