import type { FastifyInstance } from 'fastify';
import { recordChange } from './audit/audit-events.ts';
import { createReadAudit, type ReadAudit } from './audit/read-audit.ts';
import { refusalAudit } from './audit/refusal-audit.ts';
import { createChangeFeed } from './changes/change-feed.ts';
import { createCursors } from './changes/cursors.ts';
import { createAuthentication } from './clients/authentication.ts';
import { createClientAssertions } from './clients/client-assertions.ts';
import { createCredentialKeys, type CredentialKeys } from './clients/credential-keys.ts';
import { addOAuthEndpoints } from './clients/oauth-endpoints.ts';
import { addRoute } from './http/add-route.ts';
import type { Database } from './database/database.ts';
import { allowedAddresses } from './http/allowed-addresses.ts';
import type { ResponsesInFlight } from './http/connections.ts';
import { addDocsPage } from './http/docs-page.ts';
import { addDrain } from './http/drain.ts';
import { addPublicRoutes, READY_PATH } from './http/public-routes.ts';
import { createGuardedRequest } from './http/guarded-request.ts';
import { createHttpServer } from './http/http-server.ts';
import { rejectSmuggling } from './http/reject-smuggling.ts';
import { rejectUnknown } from './http/reject-unknown.ts';
import { createRequestsInFlight } from './http/requests-in-flight.ts';
import { requestLog } from './http/request-log.ts';
import type { Runtime, ServiceContext } from './http/runtime.ts';
import type { Metrics } from './metrics/metrics-server.ts';
import { createWebhooks } from './webhooks/webhooks.ts';
import { apiRoutes, openApiExtensions, operatorRoutes } from './routes.ts';

/** What a server may have beside what it answers from. */
export interface ServerOptions extends ServiceContext {
  /** Default: nothing is measured. */
  readonly metrics?: Metrics | undefined;
  /** Of the connections that another server accepts. Default: it accepts them itself. */
  readonly inFlight?: ResponsesInFlight | undefined;
  /** The same database, for what runs in the background. */
  readonly background?: Database | undefined;
  /** Default: the database is open. */
  readonly opening?: Opening | undefined;
}

/** A database that is opened while the server runs. */
export interface Opening {
  /**
   * Called by each request that needs the database.
   *
   * @throws {HttpProblem} `unavailable` while it cannot be opened.
   */
  ready(): Promise<void> | void;
  readonly opened: Promise<void>;
  /** Whether there was no such request for a while. */
  readonly isIdle: () => boolean;
}

/** Puts the HTTP server together. Closing it lets running requests end and writes down what was read. */
export function createServer(
  { metrics, inFlight, background, opening, ...context }: ServerOptions,
  readAudit: ReadAudit = createReadAudit(context.database, context.log),
  credentialKeys: CredentialKeys = createCredentialKeys(context.database),
): FastifyInstance {
  const { config, database } = context;
  const routes = [...apiRoutes, ...operatorRoutes];
  const observers = [requestLog(context.log), refusalAudit(readAudit), ...(metrics ? [metrics.observer] : [])];
  const { server, connections } = createHttpServer({ trustedProxy: config.trustedProxy, observers, inFlight });
  for (const { stream } of routes) {
    if (stream !== undefined) server.addContentTypeParser(stream, (_request, body, done) => done(null, body));
  }
  const stopping = addDrain(server);
  rejectSmuggling(server);
  rejectUnknown(server);
  if (opening) {
    server.addHook('onRequest', async ({ routeOptions: { config: route, url } }) => {
      // What needs no database also responds without one.
      if (route.operation !== undefined || url === READY_PATH) await opening.ready();
    });
  }

  const request = createGuardedRequest(allowedAddresses(config.webhookNetworks), stopping);
  const assertions = createClientAssertions(database, request, context.log);
  const authentication = createAuthentication(database, credentialKeys, assertions);
  server.addHook('onClose', () => readAudit.close());
  const audit = { ...readAudit, recordChange };
  const requestsInFlight = createRequestsInFlight();
  const cursors = createCursors(credentialKeys);
  const changeFeed = createChangeFeed({ database, cursors, stopping, log: context.log });
  const webhooks = createWebhooks({ ...context, background, cursors, stopping, isIdle: opening?.isIdle });
  server.addHook('onListen', () => webhooks.start());
  void opening?.opened.then(() => webhooks.start());
  server.addHook('onClose', () => webhooks.stop());
  const runtime: Runtime = {
    ...context,
    authentication,
    audit,
    cursors,
    changeFeed,
    requestsInFlight,
    testWebhook: webhooks.test,
    lookForWebhooks: webhooks.lookSoon,
    stopping,
  };
  const unwatch = metrics?.watch({
    database,
    tokenLookups: authentication.lookups,
    readAudit,
    webhooks,
    ...(inFlight === undefined && { connections }),
  });
  server.addHook('onClose', () => unwatch?.());
  for (const route of routes) addRoute(server, route, runtime);
  addOAuthEndpoints(server, { ...context, authentication, credentialKeys });
  addPublicRoutes(server, { ...context, extensions: openApiExtensions });
  addDocsPage(server);
  return server;
}
