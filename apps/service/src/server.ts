import { randomUUID } from 'node:crypto';
import { acceptedRequestId, MAX_BODY_BYTES, responseHeaders } from '@hr/schemas/provider';
import fastify, { type FastifyInstance } from 'fastify';
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
import { allowedAddresses } from './http/allowed-addresses.ts';
import { closeUnread } from './http/close-unread.ts';
import {
  answerClientError,
  connectRejected,
  expectContinue,
  limitConnections,
  trackResponse,
  type ResponsesInFlight,
} from './http/connections.ts';
import { addDocsPage } from './http/docs-page.ts';
import { addDrain } from './http/drain.ts';
import { addPublicRoutes } from './http/public-routes.ts';
import { createGuardedRequest } from './http/guarded-request.ts';
import { rejectSmuggling } from './http/reject-smuggling.ts';
import { rejectUnknown } from './http/reject-unknown.ts';
import { createRequestsInFlight } from './http/requests-in-flight.ts';
import { requestLog } from './http/request-log.ts';
import { observeRequest } from './http/request-observer.ts';
import type { Runtime, ServiceContext } from './http/runtime.ts';
import { sendError } from './http/send-error.ts';
import type { MetricsServer } from './metrics/metrics-server.ts';
import { createWebhooks } from './webhooks/webhooks.ts';
import { apiRoutes, openApiExtensions, operatorRoutes } from './routes.ts';

const REQUEST_TIMEOUT_MS = 30_000;
/** Headers fit into a packet or two; whoever sends them drop by drop only wants to hold the connection. Node exchanges the two times where this one is the longer. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Node itself looks for requests that take too long every half minute only. */
const TIMEOUT_CHECK_MS = 2000;
/** How long a connection may stand still, be it that nothing is sent or that nothing is read. Node lets a reader pass once, so he is cut after a minute. */
const STILL_TIMEOUT_MS = 30_000;
/** No address is longer: Node takes 16 KiB of headers. */
const LONGEST_PARAMETER = 16_384;

/**
 * Puts the HTTP server together. Closing it lets running requests end and writes down what was read. Without `metrics`,
 * nothing is measured.
 */
export function createServer(
  { metrics, ...context }: ServiceContext & { readonly metrics?: MetricsServer | undefined },
  readAudit: ReadAudit = createReadAudit(context.database, context.log),
  credentialKeys: CredentialKeys = createCredentialKeys(context.database),
): FastifyInstance {
  const inFlight: ResponsesInFlight = new WeakMap();
  const { config, database } = context;
  const routes = [...apiRoutes, ...operatorRoutes];
  const observers = [requestLog(context.log), refusalAudit(readAudit), ...(metrics ? [metrics.observer] : [])];
  const server = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: STILL_TIMEOUT_MS,
    forceCloseConnections: true,
    // Its default would end a drain as an error.
    pluginTimeout: 0,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    // No route has a JSON schema. Loading Fastify's compilers for them would take a tenth of the start.
    schemaController: { compilersFactory: { buildValidator: compilesNothing, buildSerializer: compilesNothing } },
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Without it Node answers a request without a host itself, and not as a problem.
      requireHostHeader: false,
    },
    trustProxy: config.trustedProxy ?? false,
    // The request's own id if it is fit for a log, or a new one.
    genReqId: ({ headers }) => acceptedRequestId(headers['x-request-id'] as string | undefined) ?? randomUUID(),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, inFlight, observers),
    frameworkErrors: (error, request, reply) => {
      observeRequest(reply, observers);
      sendError(error, request, reply.headers(responseHeaders(request.id)));
    },
  });
  // Bodies stay bytes until their route reads them.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  for (const { stream } of routes) {
    if (stream !== undefined) server.addContentTypeParser(stream, (_request, body, done) => done(null, body));
  }
  server.setErrorHandler(sendError);
  expectContinue(server.server);
  const connections = limitConnections(server.server, config.trustedProxy ?? []);
  // Node would end the connection without a word.
  server.server.on('connect', (_request, socket) => answerClientError(connectRejected(), socket, inFlight, observers));

  server.addHook('onRequest', async (request, reply) => {
    observeRequest(reply, observers);
    reply.headers(responseHeaders(request.id));
    trackResponse(inFlight, request.raw.socket, reply.raw);
    // Nothing reads it, whatever the response.
    if (request.method === 'GET') closeUnread(request, reply);
  });
  const stopping = addDrain(server);
  rejectSmuggling(server);
  rejectUnknown(server);

  const request = createGuardedRequest(allowedAddresses(config.webhookNetworks), stopping);
  const assertions = createClientAssertions(database, request, context.log);
  const authentication = createAuthentication(database, credentialKeys, assertions);
  server.addHook('onClose', () => readAudit.close());
  const audit = { ...readAudit, recordChange };
  const requestsInFlight = createRequestsInFlight();
  const cursors = createCursors(credentialKeys);
  const changeFeed = createChangeFeed({ database, cursors, stopping, log: context.log });
  const webhooks = createWebhooks({ ...context, cursors, stopping });
  server.addHook('onListen', () => webhooks.start());
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
  metrics?.watch({ database, connections, tokenLookups: authentication.lookups, readAudit, webhooks });
  for (const route of routes) addRoute(server, route, runtime);
  addOAuthEndpoints(server, { ...context, authentication, credentialKeys });
  addPublicRoutes(server, { ...context, extensions: openApiExtensions });
  addDocsPage(server);
  return server;
}

function compilesNothing(): never {
  throw new Error('Routes have no JSON schemas: their operation tables have models.');
}
