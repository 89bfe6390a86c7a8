import { API_SCOPE, Identifier, TOKEN_PATH } from '@hr/schemas';
import type { TokenError, TokenResponse } from '@hr/schemas';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { issueToken } from '../database/access-tokens.ts';
import { authenticateClient } from '../database/clients.ts';
import { checkAccept } from './check-headers.ts';
import { sendProblem } from './send-problem.ts';
import type { ServiceContext } from './service-context.ts';
import { TokenRefusal } from './token-refusal.ts';
import { readCredentials, readForm } from './token-request.ts';

// Whoever sends it has proved nothing yet.
const MOST_BODY_BYTES = 16 * 1024;

/** Adds the token endpoint: the client-credentials grant (section 5, RFC 6749). */
export function addTokenEndpoint(server: FastifyInstance, context: ServiceContext): void {
  server.post(TOKEN_PATH, {
    bodyLimit: MOST_BODY_BYTES,
    config: { operation: 'requestToken' },
    onRequest: async (request, reply) => {
      reply.header('pragma', 'no-cache');
      checkAccept(request);
    },
    errorHandler: sendRefusal,
    handler: async (request, reply) => sendJson(reply, await grantToken(context, request)),
  });
}

async function grantToken({ database, config }: ServiceContext, request: FastifyRequest): Promise<TokenResponse> {
  const form = readForm(request);
  const grantType = form.get('grant_type');
  if (grantType === undefined) throw new TokenRefusal('invalid_request', 'grant_type is missing.');
  if (grantType !== 'client_credentials') {
    throw new TokenRefusal('unsupported_grant_type', 'The only grant_type is client_credentials.');
  }
  const { clientId = '', clientSecret } = readCredentials(request, form);
  const known = Identifier.safeParse(clientId).success && clientSecret !== undefined;
  const scope = known ? await authenticateClient(database, clientId, clientSecret) : undefined;
  if (scope === undefined) {
    throw new TokenRefusal('invalid_client', 'The client id or its secret is wrong or missing.');
  }
  request.clientId = clientId;
  if ((form.get('scope') ?? API_SCOPE) !== scope) {
    throw new TokenRefusal('invalid_scope', `The client has the scope ${scope}; no scope asks for ${API_SCOPE}.`);
  }
  const lifetimeSeconds = config.tokenTtlSeconds;
  const token = await issueToken(database, { clientId, scope, lifetimeSeconds });
  return { access_token: token, token_type: 'Bearer', expires_in: lifetimeSeconds, scope };
}

function sendRefusal(refusal: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!(refusal instanceof TokenRefusal)) {
    sendProblem(refusal, request, reply);
    return;
  }
  request.fault = refusal;
  if (refusal.code === 'invalid_client') reply.header('www-authenticate', 'Basic realm="hr-cloud"');
  sendJson(reply.code(refusal.code === 'invalid_client' ? 401 : 400), {
    error: refusal.code,
    error_description: refusal.message,
  });
}

function sendJson(reply: FastifyReply, answer: TokenResponse | TokenError): FastifyReply {
  return reply.type('application/json').send(Buffer.from(JSON.stringify(answer)));
}
