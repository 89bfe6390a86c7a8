import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import staticFiles from '@fastify/static';
import { isAuthError } from '@hr/auth';
import { isMirrorError } from '@hr/client/mirror';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ConfigError, GRACE_MS, recordsFile, type Config } from './backend/config.ts';
import { addEvents } from './backend/events.ts';
import type { Console } from './backend/console.ts';
import { CopyReads } from './backend/copy-reads.ts';
import { addDrafts } from './backend/draft-routes.ts';
import { features } from './features.ts';
import { HrCloud } from './backend/hr-cloud.ts';
import { BACK_CHANNEL_PATH, IdentityProvider } from './backend/identity-provider.ts';
import { Live } from './backend/live.ts';
import { createLog, describeError, logRequests } from './backend/log.ts';
import { addProvider } from './backend/provider-routes.ts';
import { Sessions } from './backend/provider-sessions.ts';
import { Problem, problemOf, tryToStore } from './backend/problem.ts';
import { Records } from './backend/records.ts';
import { addSessions } from './backend/sessions.ts';
import { addHealth, addMetrics, HEALTH_PATHS } from './backend/watch.ts';
import { viewsOf } from './backend/view.ts';

/** A console that answers requests until it is disposed of. */
export interface RunningConsole extends Console, AsyncDisposable {
  readonly cloud: HrCloud;
}

const pages = fileURLToPath(new URL('../dist/', import.meta.url));
const NONCE_PLACE = '%STYLE_NONCE%';
const NONCE_BYTES = 16;
const MAX_BODY_BYTES = 2 ** 20;
const MAX_PARAMETER_LENGTH = 3000;
/** For receiving a request. */
const REQUEST_TIMEOUT_MS = 60_000;
const REQUESTS_A_MINUTE = 1200;

const PROBLEM_TYPE = 'application/problem+json';
const YEAR_SECONDS = 31_536_000;
const HOUR_MS = 3_600_000;

const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': policy(),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * Starts the console.
 *
 * @throws {ConfigError} If a setting or a file cannot be used, the pages are not built, or the port is in use.
 */
export async function startConsole(config: Config, log = createLog(config.logLevel)): Promise<RunningConsole> {
  await using resources = new AsyncDisposableStack();
  const headers = {
    ...securityHeaders,
    ...(config.origin?.startsWith('https:') && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }),
  };
  const records = resources.use(new Records(recordsFile(config.folder)));
  const cloud = resources.use(openCloud(config));
  records.use();
  const forgetting = setInterval(() => tryToStore(() => records.forget(config.recordDays)), HOUR_MS);
  resources.defer(() => clearInterval(forgetting));
  const live = resources.use(new Live(cloud));
  const app = resources.adopt(
    fastify({
      bodyLimit: MAX_BODY_BYTES,
      // Requests in flight end, for a while.
      forceCloseConnections: 'idle',
      requestTimeout: REQUEST_TIMEOUT_MS,
      exposeHeadRoutes: false,
      routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
      // Only the address that the proxy itself adds counts: a client can send any other.
      trustProxy: (_address, hop) => config.origin !== undefined && hop === 0,
      // A path that cannot be decoded reaches no hook and no handler of errors.
      frameworkErrors: (_error, { headers: { accept } }, reply: unknown) => {
        const response = (reply as FastifyReply).headers(headers);
        // A page says it in the language of the person.
        const { status, body } = new Problem('invalid-input', 'The request is malformed.');
        if (accept?.includes('text/html')) void response.redirect('/malformed');
        else void response.code(status).type(PROBLEM_TYPE).send(body);
      },
    }),
    (server) => server.close(),
  );
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), GRACE_MS).unref();
  });
  const origin = (): string => config.origin ?? localOrigin(app);
  const provider = config.provider && new IdentityProvider(config.provider, origin);
  const sessions = new Sessions(records, provider, log);
  const reads = resources.use(new CopyReads({ cloud, records }, log));
  const context = { config, cloud, live, records, sessions, reads, provider, viewOf: viewsOf(cloud), origin };

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    if (!HEALTH_PATHS.has(request.routeOptions.url)) rejectOtherSites(request, origin());
  });
  app.setErrorHandler((error, _request, reply) => {
    const problem = problemOf(error);
    if (problem.body.code === 'internal') log.error({ error: describeError(error) });
    return reply.code(problem.status).type(PROBLEM_TYPE).send(problem.body);
  });
  // A form of another site can send text without asking first.
  app.removeContentTypeParser('text/plain');
  await app.register(cookie);
  await app.register(compress, { globalDecompression: false });
  await app.register(rateLimit, {
    // After the session is known: people behind one proxy do not use up each other's requests.
    hook: 'preHandler',
    max: REQUESTS_A_MINUTE,
    // A page has dozens of files, which cost nothing.
    allowList: ({ routeOptions: { url = '', config: route } }) => !url.startsWith('/bff/') && route.role === undefined,
    keyGenerator: ({ ip, sessionId }) => sessionId ?? ip,
  });
  logRequests(app, log);
  addHealth(app, context);
  await addMetrics(app, context);
  addSessions(app, context);
  addProvider(app, context, log);
  addEvents(app, context);
  addDrafts(app, context);
  for (const feature of features) feature(app, context);
  await addPages(app);

  await app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
    throw new ConfigError(
      `The console cannot listen on ${config.host}:${config.port} (${(error as NodeJS.ErrnoException).code}). Set HR_CONSOLE_PORT.`,
    );
  });
  log.info({ origin: origin() }, 'The console listens.');
  const open = resources.move();
  return { ...context, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

/** An address, a secret or a file that cannot be used is a wrong setting. The message says what to do. */
function openCloud(config: Config): HrCloud {
  try {
    return new HrCloud(config);
  } catch (error) {
    if (isMirrorError(error) && error.code === 'outbox-busy') {
      throw new ConfigError(
        `Another console uses the folder ${config.folder}. Stop it, or set HR_CONSOLE_DATA to another folder.`,
      );
    }
    if (isAuthError(error) || isMirrorError(error)) throw new ConfigError(error.message);
    throw error;
  }
}

/** Rejects requests that another site makes a browser send, and names of hosts that only lead here. */
function rejectOtherSites({ method, headers, routeOptions }: FastifyRequest, origin: string): void {
  if (headers['host'] !== new URL(origin).host) {
    throw new Problem('forbidden', `The console is at ${origin}. It answers no other host name.`);
  }
  const site = headers['sec-fetch-site'];
  const isOther = site !== undefined && site !== 'same-origin' && site !== 'none';
  // The provider itself sends a logout, and signs it.
  const isChange = method !== 'GET' && method !== 'HEAD' && routeOptions.url !== BACK_CHANNEL_PATH;
  // A link of another site may open a page. The route counts, as a path has many spellings, such as `/%62ff/`.
  const isBackend = routeOptions.url?.startsWith('/bff/') ?? false;
  if ((isOther && isBackend) || (isChange && headers['origin'] !== origin)) {
    throw new Problem('forbidden', 'The request comes from another site.');
  }
}

/** @param nonce - Of the style elements that the components make. */
function policy(nonce?: string): string {
  const styles = nonce === undefined ? '' : ` 'nonce-${nonce}'`;
  return `default-src 'self'; style-src 'self'${styles}; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
}

/** Serves the built pages. Every path that is no file is a screen. */
async function addPages(app: FastifyInstance): Promise<void> {
  const index = await readFile(`${pages}index.html`, 'utf8').catch(() => {
    throw new ConfigError('The pages of the console are not built. Run `pnpm --filter console build`.');
  });
  await app.register(staticFiles, {
    root: pages,
    index: false,
    wildcard: false,
    preCompressed: true,
    // The page itself needs a nonce.
    globIgnore: ['index.html'],
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Their names change with their content.
      const isImmutable = path.startsWith(join(pages, 'assets'));
      reply.header('cache-control', isImmutable ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    },
  });
  app.setNotFoundHandler((request, reply) => {
    if (request.method !== 'GET' || request.url.startsWith('/bff/') || request.url.startsWith('/assets/')) {
      throw new Problem('not-found', 'Not found.');
    }
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    return reply
      .headers({ 'content-security-policy': policy(nonce), 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(index.replace(NONCE_PLACE, nonce));
  });
}

function localOrigin(app: FastifyInstance): string {
  const { port } = app.server.address() as AddressInfo;
  return `http://localhost:${port}`;
}
