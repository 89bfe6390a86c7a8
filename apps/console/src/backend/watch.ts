import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import fastify, { type FastifyInstance } from 'fastify';
import { ConfigError } from './config.ts';
import type { Console } from './console.ts';
import { consoleItself } from './view.ts';

/** Where a load balancer asks. It may do so by any host name. */
export const HEALTH_PATHS: ReadonlySet<string | undefined> = new Set(['/livez', '/readyz']);

const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const UNAVAILABLE = 503;

/** Adds the health checks: whether the process answers, and whether people can work with it. */
export function addHealth(app: FastifyInstance, { records, viewOf, live }: Console): void {
  app.get('/livez', () => ({ status: 'live' }));
  app.get('/readyz', (_request, reply) => {
    const { state, currentAt } = live.health;
    // With an older copy, people can still read.
    const hasCopy = viewOf(consoleItself)
      .status()
      .some(({ collection, syncedAt }) => collection === 'persons' && syncedAt);
    const isReady = hasCopy && records.isReadable();
    return reply
      .code(isReady ? 200 : UNAVAILABLE)
      .send({ status: isReady ? 'ready' : 'not-ready', localCopy: state, currentAt });
  });
}

/** Counts the requests, and serves that and the state of the console to Prometheus, if the settings say where. */
export async function addMetrics(
  app: FastifyInstance,
  { config, records, cloud, live, reads }: Console,
): Promise<void> {
  if (config.metricsPort === undefined) return;
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'hr_console_requests_total',
    help: 'Requests that have ended, by route and status.',
    labelNames: ['route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'hr_console_request_duration_seconds',
    help: 'Time to the end of the response, by route.',
    labelNames: ['route'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  app.addHook('onResponse', async ({ routeOptions: { url: route = 'none' } }, { statusCode, elapsedTime }) => {
    requests.inc({ route, status: String(statusCode) });
    durations.observe({ route }, elapsedTime / 1000);
  });
  const states: readonly (readonly [name: string, help: string, read: () => number])[] = [
    [
      'hr_console_copy_age_seconds',
      'Time since the console last knew that its local copy is current.',
      () => (Date.now() - Date.parse(live.health.currentAt ?? '1970-01-01')) / 1000,
    ],
    [
      'hr_console_copy_failed',
      'Whether the last check of the local copy failed.',
      () => Number(live.health.state === 'failed'),
    ],
    [
      'hr_console_reads_waiting',
      'Reads of the local copy of which the service does not know yet.',
      () => reads.waiting,
    ],
    ['hr_console_sessions', 'Sessions that have not ended.', () => records.countSessions()],
    [
      'hr_console_unknown_payments',
      'Payments of which the console does not know whether the service accepted them.',
      () => cloud.outbox.counts({ state: 'unknown' }).unknown ?? 0,
    ],
  ];
  for (const [name, help, read] of states) {
    const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) });
  }
  collectDefaultMetrics({ register: registry });
  const server = fastify({ forceCloseConnections: true });
  server.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
  await server.listen({ host: config.host, port: config.metricsPort }).catch((error: unknown) => {
    throw new ConfigError(
      `The metrics cannot listen on ${config.host}:${config.metricsPort} (${(error as NodeJS.ErrnoException).code}). Set HR_CONSOLE_METRICS_PORT.`,
    );
  });
  app.addHook('onClose', async () => server.close());
}
