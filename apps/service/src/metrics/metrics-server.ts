import { safetyHeaders } from '@hr/schemas/provider';
import { Registry } from '@prometheus-io/client';
import fastify from 'fastify';
import { rejectUnknown } from '../http/reject-unknown.ts';
import { sendError } from '../http/send-error.ts';
import { ListenError } from '../listen-error.ts';
import { processMetrics } from './process-metrics.ts';

const PATH = '/metrics';
const REQUEST_TIMEOUT_MS = 10_000;

/** Gives metrics to Prometheus on a port of their own, so that whoever reaches the API need not reach them. */
export interface MetricsServer {
  /** Takes the service's metrics; the process's own are given beside them. */
  readonly registry: Registry;
  /**
   * Begins to answer, and tells where.
   *
   * @throws {ListenError} when the port is taken.
   */
  listen(): Promise<string>;
  close(): Promise<void>;
}

export function createMetricsServer(address: { readonly host: string; readonly port: number }): MetricsServer {
  const registry = new Registry();
  const server = fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) => {
      sendError(error, request, reply.headers(safetyHeaders));
    },
  });
  server.setErrorHandler(sendError);
  server.addHook('onRequest', async (_request, reply) => {
    reply.headers(safetyHeaders);
  });
  rejectUnknown(server);
  server.get(PATH, async (_request, reply) => {
    reply.type(registry.contentType);
    return (await Promise.all([registry.metrics(), processMetrics().metrics()])).join('');
  });
  return {
    registry,
    async listen() {
      // From now on, not from the first scrape.
      processMetrics();
      await server.listen(address).catch((error: unknown) => {
        throw new ListenError('HR_METRICS_PORT', address, error);
      });
      return server.listeningOrigin + PATH;
    },
    async close() {
      await server.close();
    },
  };
}
