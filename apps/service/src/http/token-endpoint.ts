import { API_SCOPE, Identifier, TOKEN_PATH } from '@hr/schemas';
import type { TokenError, TokenResponse } from '@hr/schemas';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { issueToken } from '../database/access-tokens.ts';
import { authenticateClient } from '../database/clients.ts';
import { checkAccept } from './check-headers.ts';
import { parseForm } from './parse-form.ts';
import { decodeUtf8 } from './read-json.ts';
import { sendProblem } from './send-problem.ts';
import type { ServiceContext } from './service-context.ts';

/** The token endpoint's refusal (RFC 6749 section 5.2). */
class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal';
  readonly code: TokenError['error'];

  constructor(code: TokenError['error'], description: string) {
    super(description);
    this.code = code;
  }
}

/** Adds the token endpoint: the client-credentials grant (section 5, RFC 6749). */
export function addTokenEndpoint(server: FastifyInstance, context: ServiceContext): void {
  server.post(TOKEN_PATH, {
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

const formType = /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;

/** The fields of the form that have a value (RFC 6749 section 3.2). */
function readForm({ headers, body }: FastifyRequest): Map<string, string> {
  const text = formType.test(headers['content-type'] ?? '') && decodeUtf8((body as Buffer | undefined) ?? Buffer.of());
  const fields = typeof text === 'string' ? parseForm(text) : undefined;
  const form = new Map(fields);
  if (form.size !== fields?.length) {
    throw new TokenRefusal('invalid_request', 'Send application/x-www-form-urlencoded in UTF-8, each field once.');
  }
  return new Map([...form].filter(([, value]) => value !== ''));
}

interface Credentials {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

/** The client's credentials, from the form or from HTTP Basic (RFC 6749 section 2.3.1). */
function readCredentials({ headers: { authorization } }: FastifyRequest, form: Map<string, string>): Credentials {
  if (authorization === undefined) return { clientId: form.get('client_id'), clientSecret: form.get('client_secret') };
  if (form.has('client_id') || form.has('client_secret')) {
    throw new TokenRefusal('invalid_request', 'Send the credentials in the form or as Basic, not both.');
  }
  const encoded = /^basic +([A-Za-z\d+/]+={0,2})$/i.exec(authorization)?.[1] ?? '';
  const [clientId = '', ...secret] = (decodeUtf8(Buffer.from(encoded, 'base64')) ?? '').split(':');
  // Each part was form-encoded before.
  const decoded = new Map(parseForm(`id=${clientId}&secret=${secret.join(':')}`));
  return { clientId: decoded.get('id'), clientSecret: decoded.get('secret') };
}
