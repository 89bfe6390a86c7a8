import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { addRoute } from './http/add-route.ts';
import { answerExpectations } from './http/answer-expectations.ts';
import { apiRoutes } from './http/api-routes.ts';
import { createAuthentication } from './http/authentication.ts';
import { answerClientError, noProxy, noteAnswer } from './http/client-error.ts';
import type { Answering } from './http/client-error.ts';
import { addDocsPage } from './http/docs-page.ts';
import { addDrain } from './http/drain.ts';
import { addIntrospectionEndpoint } from './http/oauth/introspection-endpoint.ts';
import { addRevocationEndpoint } from './http/oauth/revocation-endpoint.ts';
import { addTokenEndpoint } from './http/oauth/token-endpoint.ts';
import { createReadAudit } from './http/read-audit.ts';
import type { ReadAudit } from './http/read-audit.ts';
import { operatorRoutes } from './http/operator-routes.ts';
import { addPublicRoutes } from './http/public-routes.ts';
import { refuseAmbiguous } from './http/refuse-ambiguous.ts';
import { refuseUnknown } from './http/refuse-unknown.ts';
import { requestLog } from './http/request-log.ts';
import { observeRequest } from './http/request-observer.ts';
import { safetyHeaders, sendProblem } from './http/send-problem.ts';
import type { ServiceContext } from './http/service-context.ts';
import { requestMetrics } from './metrics/request-metrics.ts';
import { addStateMetrics } from './metrics/state-metrics.ts';

const MOST_BODY_BYTES = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** Headers fit into a packet or two; whoever sends them drop by drop only wants to hold the connection. Node exchanges the two times where this one is the longer. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Node itself looks for requests that take too long every half minute only. */
const TIMEOUT_CHECK_MS = 2000;
/** How long a connection may stand still, be it that nothing is sent or that nothing is read. Node lets a reader pass once, so he is cut after a minute. */
const STILL_TIMEOUT_MS = 30_000;
/** No address is longer: Node takes 16 KiB of headers. */
const LONGEST_PARAMETER = 16_384;

/** Puts the HTTP server together. Closing it lets running requests end and writes down what was read. */
export function createServer(
  context: ServiceContext,
  readAudit: ReadAudit = createReadAudit(context.database, context.log),
): FastifyInstance {
  const answering: Answering = new WeakMap();
  const { metrics } = context;
  const observers = [requestLog(context.log), ...(metrics ? [requestMetrics(metrics)] : [])];
  const server = fastify({
    bodyLimit: MOST_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: STILL_TIMEOUT_MS,
    forceCloseConnections: true,
    // Its default would end a drain as an error.
    pluginTimeout: 0,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Without it Node answers a request without a host itself, and not as a problem.
      requireHostHeader: false,
    },
    genReqId: requestId,
    clientErrorHandler: (error, socket) => answerClientError(error, socket, answering, observers),
    frameworkErrors: (error, request, reply) => {
      observeRequest(reply, observers);
      sendProblem(error, request, reply.headers({ ...safetyHeaders, 'x-request-id': request.id }));
    },
  });
  // Bodies stay bytes until their route reads them.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.setErrorHandler(sendProblem);
  answerExpectations(server.server);
  // Node would end the connection without a word.
  server.server.on('connect', (_request, socket) => answerClientError(noProxy(), socket, answering, observers));

  server.addHook('onRequest', async (request, reply) => {
    noteAnswer(answering, request.raw.socket, reply.raw);
    observeRequest(reply, observers);
    reply.headers({ ...safetyHeaders, 'x-request-id': request.id });
  });
  addDrain(server);
  refuseAmbiguous(server);
  refuseUnknown(server);

  const authentication = createAuthentication(context);
  server.addHook('onClose', () => readAudit.close());
  const runtime = { ...context, authentication, readAudit };
  if (metrics) addStateMetrics(metrics, runtime);
  for (const route of [...apiRoutes, ...operatorRoutes]) addRoute(server, route, runtime);
  for (const add of [addTokenEndpoint, addRevocationEndpoint, addIntrospectionEndpoint]) add(server, runtime);
  addPublicRoutes(server, context);
  addDocsPage(server);
  return server;
}

/** The request's id: the one that it brings, where that is fit for a log, or a new one. */
function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const brought = headers['x-request-id'];
  return typeof brought === 'string' && /^[\w.-]{1,64}$/.test(brought) ? brought : randomUUID();
}
