import { responseHeaders } from '@hr/schemas/provider';
import { collectDefaultMetrics, Registry } from '@prometheus-io/client';
import fastify from 'fastify';
import { rejectUnknown } from '../http/reject-unknown.ts';
import { sendError } from '../http/send-error.ts';
import { ListenError } from '../config/start-errors.ts';
import type { RequestObserver } from '../http/request-observer.ts';
import { requestMetrics, type EnvironmentLabels } from './request-metrics.ts';
import { addStateMetrics, type WatchedParts } from './state-metrics.ts';

const PATH = '/metrics';
const REQUEST_TIMEOUT_MS = 10_000;

export type MetricsServer = ReturnType<typeof createMetricsServer>;

/** The metrics of a service, or of one of its environments. */
export interface Metrics {
  /** Counts its requests. */
  readonly observer: RequestObserver;
  /** Reports the state of its parts, until the function that it returns is called. */
  watch(parts: Partial<WatchedParts>): () => void;
}

/**
 * Serves metrics to Prometheus on a port of their own, so that callers of the API do not reach them.
 *
 * @param labelNames of what tells environments apart; by default none
 */
export function createMetricsServer(
  address: { readonly host: string; readonly port: number },
  labelNames: readonly 'environment'[] = [],
) {
  const registry = new Registry();
  const observerOf = requestMetrics(registry, labelNames);
  const watch = addStateMetrics(registry, labelNames);
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
    /** The metrics of an environment, or of what belongs to none. */
    of: (labels: EnvironmentLabels = {}): Metrics => ({
      observer: observerOf(labels),
      watch: (parts) => watch(labels, parts),
    }),
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
