import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { HttpProblem, problems } from '@hr/schemas/provider';
import type { Logger } from 'pino';
import type { EnvironmentConfig, Environments } from './config/config.ts';
import { describeError } from './config/create-log.ts';
import { ListenError } from './config/start-errors.ts';
import { Admission } from './database/admission.ts';
import { createPostgres } from './database/postgres.ts';
import { createEnvironment, type Environment } from './environment.ts';
import type { ResponsesInFlight } from './http/connections.ts';
import { addDrain } from './http/drain.ts';
import { createHttpServer } from './http/http-server.ts';
import { READY_PATH } from './http/public-routes.ts';
import { rejectSmuggling } from './http/reject-smuggling.ts';
import { requestLog } from './http/request-log.ts';
import type { Metrics, MetricsServer } from './metrics/metrics-server.ts';
import type { Service } from './service.ts';

/** So many environments open at a time, beside those that requests wait for. */
const MAX_OPENING = 4;
/** An environment that cannot be opened is tried again so long after, or by its next request. */
const RETRY_MS = 30_000;
/** Without requests for so long, an environment is idle. */
const IDLE_MS = 60_000;
/** The work in the background of many environments must not keep a connection of each. */
const BACKGROUND_IDLE_MS = 50;
/** So many requests begin in a turn of the event loop, in turns between environments, and half as many of one. */
const REQUESTS_IN_A_TURN = 8;

/** A service for many environments. */
export interface EnvironmentsService extends Pick<Service, 'url' | 'metricsUrl' | 'stop'> {
  /** Applies what is new in the settings of environments. Resolves when those that were removed have ended. */
  apply(environments: Environments['environments']): Promise<void>;
}

/**
 * Serves many environments, each to requests for its host. They open in the background: one that cannot be opened
 * responds 503.
 *
 * @param explain says in a sentence without secrets why one cannot be opened
 * @throws {ListenError} when a port is taken.
 */
export async function startEnvironments(
  { config, environments }: Environments,
  log: Logger,
  explain: (error: unknown) => string,
): Promise<EnvironmentsService> {
  const { host, port, metricsPort, trustedProxy } = config;
  let metrics: MetricsServer | undefined;
  if (metricsPort !== undefined) {
    const { createMetricsServer } = await import('./metrics/metrics-server.ts');
    metrics = createMetricsServer({ host, port: metricsPort }, ['environment']);
  }
  const ofProcess = metrics?.of();
  const inFlight: ResponsesInFlight = new WeakMap();
  const observers = [requestLog(log), ...(ofProcess ? [ofProcess.observer] : [])];
  const { server, connections } = createHttpServer({ trustedProxy, observers, inFlight });
  ofProcess?.watch({ connections });
  addDrain(server);
  rejectSmuggling(server);
  server.addHook('onRequest', async (request) => {
    const isPaused = running.get(hostOf(request.raw))?.config.paused;
    if (isPaused && request.routeOptions.url !== '/livez') throw problems.unavailable('This environment is paused.');
    if (request.is404) throw new HttpProblem('misdirected-request', 'No environment has this host. Check the address.');
  });
  // Of the process: an environment has its own at its host.
  for (const [path, status] of [
    ['/livez', 'live'],
    [READY_PATH, 'ready'],
  ] as const) {
    server.get(path, async (_request, reply) => {
      reply.type('application/json');
      return Buffer.from(JSON.stringify({ status }));
    });
  }

  const running = new Map<string, RunningEnvironment>();
  const opening = new Admission(MAX_OPENING);
  const turns = new Admission(REQUESTS_IN_A_TURN);
  // Before Fastify's own listener, whose routes are those of the process.
  server.server.removeAllListeners('request').on('request', (request, response) => {
    const name = hostOf(request);
    const environment = running.get(name);
    if (!environment || environment.config.paused) server.routing(request, response);
    else void inTurn(name, () => environment.respond(request, response));
  });
  server.addHook('preClose', () => apply(new Map()));

  async function inTurn(name: string, respond: () => Promise<void>): Promise<void> {
    const { leave } = await turns.enter({ clientId: name });
    setImmediate(leave);
    await respond();
  }

  async function apply(wanted: ReadonlyMap<string, EnvironmentConfig>): Promise<void> {
    const removed = [...running].filter(([name, { config: own }]) => !isDeepStrictEqual(own, wanted.get(name)));
    for (const [name] of removed) running.delete(name);
    for (const [name, own] of wanted) {
      if (running.has(name)) continue;
      const options = { log: log.child({ environment: name }), metrics: metrics?.of({ environment: name }), inFlight };
      const environment = runEnvironment(own, { ...options, opening, explain });
      running.set(name, environment);
    }
    await Promise.all(removed.map(([, environment]) => environment.close()));
  }

  async function stop(): Promise<void> {
    try {
      await server.close();
    } finally {
      await metrics?.close();
    }
  }

  try {
    void apply(environments);
    await server.listen({ host, port }).catch((error: unknown) => {
      throw new ListenError('HR_PORT', { host, port }, error);
    });
    return { url: server.listeningOrigin, metricsUrl: await metrics?.listen(), apply, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The host that a request is for, in lower case and without port. An address in the request line (RFC 9112 section
 * 3.2.2) has to name the same: a proxy may have used the other one.
 */
function hostOf({ headers, url = '' }: IncomingMessage): string {
  const host = (headers.host ?? '').toLowerCase();
  const [, authority = host] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  return authority.toLowerCase() === host ? host.replace(/:\d*$/, '') : '';
}

interface RunningEnvironment {
  readonly config: EnvironmentConfig;
  respond(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

interface RunOptions {
  readonly log: Logger;
  readonly metrics: Metrics | undefined;
  readonly inFlight: ResponsesInFlight;
  readonly opening: Admission;
  readonly explain: (error: unknown) => string;
}

/** Begins to open an environment, until that succeeds. It connects to its database when that is used. */
function runEnvironment(
  config: EnvironmentConfig,
  { log, metrics, inFlight, opening, explain }: RunOptions,
): RunningEnvironment {
  if (config.paused) return { config, respond: async () => {}, close: async () => {} };
  const { databasePool: requests, databaseListPool: lists, databaseReplica: replica } = config;
  const database = createPostgres(config.database, { requests, lists, replica });
  const background = createPostgres(config.database, { requests: 1, lists: 1, idleMs: BACKGROUND_IDLE_MS });
  const opened = Promise.withResolvers<void>();
  const closing = new AbortController();
  let made: Promise<Environment> | undefined;
  let attempt: Promise<void> | undefined;
  let isOpen = false;
  let lastRequestAt = Number.NEGATIVE_INFINITY;

  /** To make the routes takes a moment, so not all environments do so before the first responds. */
  function make(): Promise<Environment> {
    made ??= (async () => {
      const environment = createEnvironment({
        database,
        background,
        config,
        log,
        metrics,
        inFlight,
        opening: { ready, opened: opened.promise, isIdle: () => performance.now() - lastRequestAt > IDLE_MS },
      });
      await environment.server.ready();
      return environment;
    })();
    return made;
  }

  async function openOnce(): Promise<void> {
    const environment = await make();
    try {
      await environment.open();
      isOpen = true;
      opened.resolve();
    } catch (error) {
      log.error({ error: describeError(error as Error) }, `The environment cannot be opened: ${explain(error)}`);
      throw problems.unavailable('This environment cannot be opened now.');
    } finally {
      attempt = undefined;
    }
  }

  function open(): Promise<void> | undefined {
    if (isOpen) return undefined;
    attempt ??= openOnce();
    return attempt;
  }

  function ready(): Promise<void> | undefined {
    lastRequestAt = performance.now();
    return open();
  }

  async function keepOpening(): Promise<void> {
    const { signal } = closing;
    while (!signal.aborted) {
      // oxlint-disable no-await-in-loop -- one attempt after the other
      const { leave } = await opening.enter();
      const hasFailed = !signal.aborted && (await failed(open()));
      leave();
      if (!hasFailed) return;
      await setTimeout(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
      // oxlint-enable no-await-in-loop
    }
  }

  void keepOpening();
  return {
    config,
    async respond(request, response) {
      const { server } = await make();
      server.routing(request, response);
    },
    async close() {
      closing.abort();
      try {
        await attempt?.catch(() => {});
        await (await made)?.close();
      } finally {
        await Promise.all([database.close(), background.close()]);
        log.info('The environment is closed.');
      }
    },
  };
}

async function failed(attempt: Promise<void> | undefined): Promise<boolean> {
  try {
    await attempt;
    return false;
  } catch {
    return true;
  }
}
