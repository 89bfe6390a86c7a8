import { responseHeaders } from '@hr/schemas/provider';
import { collectDefaultMetrics, Registry } from '@prometheus-io/client';
import fastify from 'fastify';
import { rejectUnknown } from '../http/reject-unknown.ts';
import { sendError } from '../http/send-error.ts';
import { ListenError } from '../config/start-errors.ts';
import { requestMetrics } from './request-metrics.ts';
import { addStateMetrics, type WatchedParts } from './state-metrics.ts';

const PATH = '/metrics';
const REQUEST_TIMEOUT_MS = 10_000;

export type MetricsServer = ReturnType<typeof createMetricsServer>;

/** Serves metrics to Prometheus on a port of their own, so that callers of the API do not reach them. */
export function createMetricsServer(address: { readonly host: string; readonly port: number }) {
  const registry = new Registry();
  const server = fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) => {
      sendError(error, request, reply.headers(responseHeaders()));
    },
  });
  server.setErrorHandler(sendError);
  server.addHook('onRequest', async (_request, reply) => {
    reply.headers(responseHeaders());
  });
  rejectUnknown(server);
  server.get(PATH, async (_request, reply) => {
    reply.type(registry.contentType);
    return (await Promise.all([registry.metrics(), processMetrics().metrics()])).join('');
  });
  return {
    /** Counts the requests of a service. */
    observer: requestMetrics(registry),
    /** Reports the state of a service. */
    watch: (parts: WatchedParts) => addStateMetrics(registry, parts),
    /**
     * Begins to answer, and tells where.
     *
     * @throws {ListenError} when the port is taken.
     */
    async listen(): Promise<string> {
      // From now on, not from the first scrape.
      processMetrics();
      await server.listen(address).catch((error: unknown) => {
        throw new ListenError('HR_METRICS_PORT', address, error);
      });
      return server.listeningOrigin + PATH;
    },
    async close(): Promise<void> {
      await server.close();
    },
  };
}

let collected: Registry | undefined;

/**
 * Node's own metrics: CPU, memory, event loop, garbage collection. The first call starts their collection, which belongs
 * to the process and never ends.
 */
function processMetrics(): Registry {
  if (!collected) {
    collected = new Registry();
    collectDefaultMetrics({ register: collected });
  }
  return collected;
}
