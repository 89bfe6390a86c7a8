import type { TokenError } from '@hr/schemas';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkAccept } from '../check-headers.ts';
import { sendProblem } from '../send-problem.ts';
import { TokenRefusal } from './token-refusal.ts';

// Whoever sends it has proved nothing yet.
const MOST_BODY_BYTES = 16 * 1024;

interface OAuthEndpoint {
  readonly path: string;
  readonly operation: string;
  /**
   * Gives the JSON that answers a request.
   *
   * @throws {TokenRefusal} where it is refused.
   */
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => Promise<object>;
}

/** Adds an endpoint that takes a form and refuses as RFC 6749 says. */
export function addOAuthEndpoint(server: FastifyInstance, { path, operation, answer }: OAuthEndpoint): void {
  server.post(path, {
    bodyLimit: MOST_BODY_BYTES,
    config: { operation },
    onRequest: async (request, reply) => {
      reply.header('pragma', 'no-cache');
      checkAccept(request);
    },
    errorHandler: sendRefusal,
    handler: async (request, reply) => sendJson(reply, await answer(request, reply)),
  });
}

function sendRefusal(refusal: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!(refusal instanceof TokenRefusal)) {
    sendProblem(refusal, request, reply);
    return;
  }
  request.fault = refusal;
  const { code, message } = refusal;
  if (code === 'invalid_client') reply.header('www-authenticate', 'Basic realm="hr-cloud"');
  const body: TokenError = { error: code, error_description: message };
  sendJson(reply.code(code === 'invalid_client' ? 401 : 400), body);
}

function sendJson(reply: FastifyReply, answer: object): FastifyReply {
  return reply.type('application/json').send(Buffer.from(JSON.stringify(answer)));
}
