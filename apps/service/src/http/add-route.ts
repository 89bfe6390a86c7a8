import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import {
  checkAccept,
  checkInputs,
  checkMediaType,
  checkOperation,
  checkPreconditions,
  checkTimeComponent,
  HttpProblem,
  insufficientScope,
  problems,
} from '@hr/schemas/provider';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { onBehalfOf } from '../database/on-behalf-of.ts';
import { actingOf } from './acting.ts';
import { commandLine } from './grant.ts';
import { handleOperation } from './handle-operation.ts';
import { identifiedBy } from './path-subject.ts';
import { checkRateLimit } from './rate-limit.ts';
import type { Route } from './route.ts';
import type { Runtime } from './runtime.ts';

/** Longer than a caller can ask to wait. The next request of the connection has the usual time again. */
const MAX_WAIT_MS = 60_000;

/** Adds a route that needs a token. Its checks run in this order, and the first one that fails is the response. */
export function addRoute(server: FastifyInstance, route: Route, runtime: Runtime): void {
  server.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation: route.id },
    onRequest: async (request, reply) => {
      const { headers } = request;
      const isCommandLine = runtime.isCommandLine?.(request.raw.socket) ?? false;
      const grant = isCommandLine
        ? commandLine
        : await runtime.authentication.grantOf(headers.authorization, request.ip);
      // Its sender has gone meanwhile: nothing more of it closes that could end what begins here.
      if (reply.raw.closed) throw problems.malformedRequest();
      request.grant = grant;
      request.clientId = grant.clientId;
      request.acting = actingOf(request, grant);
      if (!route.scopes.includes(grant.scope)) throw insufficientScope(...route.scopes);
      checkOperation(grant, route.id);
      const { clientId } = grant;
      const left = new AbortController();
      request.left = left.signal;
      if (route.waits) request.raw.socket.setTimeout(MAX_WAIT_MS);
      // An import ends by itself, and writes down how.
      if (route.stream === undefined) {
        reply.raw.on('close', () => {
          if (!reply.raw.writableFinished) left.abort();
        });
      }
      request.database = onBehalfOf(runtime.database, {
        clientId,
        signal: left.signal,
        checkAccess: () => runtime.authentication.checkAccess(headers.authorization, grant),
      });
      if (!isCommandLine) {
        runtime.requestsInFlight.add(clientId, reply.raw);
        await checkRateLimit({ name: 'client', clientId }, reply, { ...runtime, database: request.database });
      }
      checkAccept(headers.accept);
      if (route.stream !== undefined) checkStreamType(route.stream, headers);
      else
        checkMediaType(route.body, {
          contentType: headers['content-type'],
          contentEncoding: headers['content-encoding'],
          hasBody: headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0,
        });
    },
    handler: async (request, reply) => {
      const inputs = checkInputs(route, sentRequest(request));
      const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
      checkPreconditions(route.body, { ifMatch, ifNoneMatch });
      if (route.timeComponent) checkTimeComponent(runtime.config.timeComponentVersion);
      const answer = await handleOperation(route, request, inputs, runtime);
      if (!answer) throw problems.unknownId(identifiedBy(route.path, route.identified));
      reply.type('application/json');
      const { json, cursor } = answer;
      if (cursor !== undefined) reply.header('hr-cursor', cursor);
      if (!(json instanceof Readable)) return Buffer.from(json);
      // After the first byte a fault can only break the connection; it is for the log.
      return json.once('error', (error) => {
        request.fault = error;
      });
    },
  });
}

function checkStreamType(mediaType: string, headers: IncomingHttpHeaders): void {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (type === mediaType && ['identity', 'gzip'].includes(encoding)) return;
  throw new HttpProblem('unsupported-media-type', `Send the body as ${mediaType} in UTF-8, plain or as gzip.`);
}

function sentRequest({ params: path, url, headers, body }: FastifyRequest) {
  const [, query = ''] = /\?(.*)/.exec(url) ?? [];
  // A header that is repeated has a comma and a space between its values.
  const idempotencyKey = headers['idempotency-key'] as string | undefined;
  return { path, query, idempotencyKey, body: body as Buffer | undefined };
}
