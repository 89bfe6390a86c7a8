import { randomUUID } from 'node:crypto';
import { acceptedRequestId, MAX_BODY_BYTES, responseHeaders } from '@hr/schemas/provider';
import fastify, { type FastifyInstance } from 'fastify';
import { closeUnread } from './close-unread.ts';
import {
  answerClientError,
  connectRejected,
  expectContinue,
  limitConnections,
  trackResponse,
  type ConnectionCounts,
  type ResponsesInFlight,
} from './connections.ts';
import { observeRequest, type RequestObserver } from './request-observer.ts';
import { sendError } from './send-error.ts';

const REQUEST_TIMEOUT_MS = 30_000;
/** Headers fit into a packet or two. A client that sends them slowly only wants to hold the connection. Node exchanges the two times where this one is the longer. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Node itself looks for requests that take too long every half minute only. */
const TIMEOUT_CHECK_MS = 2000;
/** How long a connection may stand still, be it that nothing is sent or that nothing is read. Node lets a reader pass once, so its connection is closed after a minute. */
const STILL_TIMEOUT_MS = 30_000;
/** No address is longer: Node takes 16 KiB of headers. */
const LONGEST_PARAMETER = 16_384;

/** What an HTTP server has in common with others. */
export interface HttpServerContext {
  readonly trustedProxy: readonly string[] | undefined;
  readonly observers: readonly RequestObserver[];
  /** Shared by the servers that respond on the same connections. */
  readonly inFlight?: ResponsesInFlight | undefined;
}

/** A server without routes: it limits connections and requests, and its errors are problems. */
export function createHttpServer({ trustedProxy, observers, inFlight = new WeakMap() }: HttpServerContext): {
  readonly server: FastifyInstance;
  readonly connections: Readonly<ConnectionCounts>;
} {
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
    trustProxy: trustedProxy === undefined ? false : [...trustedProxy],
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
  server.setErrorHandler(sendError);
  expectContinue(server.server);
  const connections = limitConnections(server.server, trustedProxy ?? []);
  // Node would end the connection without a word.
  server.server.on('connect', (_request, socket) => answerClientError(connectRejected(), socket, inFlight, observers));

  server.addHook('onRequest', async (request, reply) => {
    observeRequest(reply, observers);
    reply.headers(responseHeaders(request.id));
    trackResponse(inFlight, request.raw.socket, reply.raw);
    // Nothing reads it, whatever the response.
    if (request.method === 'GET') closeUnread(request, reply);
  });
  return { server, connections };
}

function compilesNothing(): never {
  throw new Error('Routes have no JSON schemas: their operation tables have models.');
}
