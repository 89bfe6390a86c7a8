import {
  INTROSPECTION_PATH,
  REVOCATION_PATH,
  TOKEN_PATH,
  type IntrospectionResponse,
  type TokenResponse,
} from '@hr/schemas';
import {
  checkAccept,
  checkGrantType,
  checkRequestedScope,
  invalidClient,
  MAX_FORM_BYTES,
  OAuthError,
  readCredentials,
  readForm,
  requiredField,
  type Form,
} from '@hr/schemas/provider';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { onBehalfOf } from '../database/on-behalf-of.ts';
import { findToken, issueToken, revokeToken } from './access-tokens.ts';
import { scopesWithin } from '../http/grant.ts';
import { issuerOf } from '../http/public-routes.ts';
import { checkRateLimit } from '../http/rate-limit.ts';
import type { ServiceContext } from '../http/runtime.ts';
import type { ClientAuthentication } from './authentication.ts';
import type { CredentialKeys } from './credential-keys.ts';

interface OAuthContext extends Pick<ServiceContext, 'database' | 'config'> {
  readonly authentication: ClientAuthentication;
  readonly credentialKeys: CredentialKeys;
}

interface OAuthRequest {
  readonly form: Form;
  readonly requestId: string;
  readonly authenticate: () => ReturnType<typeof authenticatedClient>;
}

const endpoints = [
  { path: TOKEN_PATH, operation: 'requestToken', respond: requestToken },
  { path: REVOCATION_PATH, operation: 'revokeToken', respond: endToken },
  { path: INTROSPECTION_PATH, operation: 'introspectToken', respond: introspectToken },
];

/** Adds the endpoints that take a form and the credentials of a client, and whose errors are those of RFC 6749. */
export function addOAuthEndpoints(server: FastifyInstance, runtime: OAuthContext): void {
  for (const { path, operation, respond } of endpoints) {
    server.post(path, {
      bodyLimit: MAX_FORM_BYTES,
      config: { operation },
      onRequest: async (request, reply) => {
        reply.header('pragma', 'no-cache');
        checkAccept(request.headers.accept);
      },
      handler: async (request, reply) => {
        const form = readForm(request.headers['content-type'], (request.body as Buffer | undefined) ?? Buffer.of());
        const authenticate = () => authenticatedClient(form, request, reply, runtime);
        const response = await respond({ form, requestId: request.id, authenticate }, runtime);
        return reply.type('application/json').send(Buffer.from(JSON.stringify(response)));
      },
    });
  }
}

/** The same for every reason, so that an attacker learns nothing. */
const NOT_PROVED =
  'No key of the client has signed this assertion, or it was used before. Check the client id and the kid, ask the operator whether the key is registered, and send each assertion once.';

/**
 * The client whose credentials the request has. It counts against the client's rate limit.
 *
 * @throws {OAuthError} `invalid_client` when they are wrong or missing, or the client is disabled.
 * @throws {HttpProblem} `too-many-requests`.
 */
async function authenticatedClient(form: Form, request: FastifyRequest, reply: FastifyReply, runtime: OAuthContext) {
  const credentials = readCredentials(request.headers.authorization, form);
  const issuer = issuerOf(runtime.config, request.server);
  const audiences = [issuer, issuer + TOKEN_PATH];
  const client = await runtime.authentication.clientOf(credentials, { address: request.ip, audiences });
  if (client) request.claimedClientId = client.clientId;
  if (client?.scope === undefined) {
    throw credentials.clientAssertion === undefined
      ? invalidClient()
      : new OAuthError('invalid_client', client?.fault ?? NOT_PROVED);
  }
  const { clientId, scope } = client;
  request.clientId = clientId;
  // Counted, and in turns, apart from its other requests: a client that has used those up can still renew its token.
  const database = onBehalfOf(runtime.database, { clientId: `oauth ${clientId}` });
  await checkRateLimit({ name: 'oauth', clientId }, reply, { ...runtime, database });
  return { ...client, scope, queries: database };
}

/** The client-credentials grant (section 5, RFC 6749). */
async function requestToken(
  { form, requestId, authenticate }: OAuthRequest,
  { config: { tokenTtlSeconds: lifetimeSeconds }, credentialKeys }: OAuthContext,
): Promise<TokenResponse> {
  checkGrantType(form);
  const client = await authenticate();
  const scope = checkRequestedScope(form, scopesWithin(client.scope));
  const issued = await issueToken(client.queries, { ...client, scope, lifetimeSeconds, requestId }, credentialKeys);
  if (!issued) throw invalidClient();
  return { access_token: issued.token, token_type: 'Bearer', expires_in: issued.expiresIn, scope };
}

/** Ends a token of the client (RFC 7009). */
async function endToken(
  { form, requestId, authenticate }: OAuthRequest,
  { authentication, credentialKeys }: OAuthContext,
): Promise<object> {
  const token = requiredField(form, 'token');
  const { clientId, queries } = await authenticate();
  const isIssued = await credentialKeys.hasIssued(token, { kind: 'token' });
  if (isIssued && !(await revokeToken(queries, { clientId, token, requestId }))) {
    throw new OAuthError('invalid_grant', 'The token was issued to another client.');
  }
  authentication.evict(clientId);
  // The status is the response (section 2.2); callers that read JSON find some.
  return {};
}

/** Whether a token is valid (RFC 7662). A client sees its own tokens, an operator all. */
async function introspectToken(
  { form, authenticate }: OAuthRequest,
  { database, credentialKeys }: OAuthContext,
): Promise<IntrospectionResponse> {
  const token = requiredField(form, 'token');
  const client = await authenticate();
  const isIssued = await credentialKeys.hasIssued(token, { kind: 'token' });
  const found = isIssued ? await findToken(database, token) : undefined;
  if (!found || (found.clientId !== client.clientId && client.scope !== 'operator')) return { active: false };
  return {
    active: true,
    scope: found.scope,
    client_id: found.clientId,
    token_type: 'Bearer',
    exp: Math.floor(found.expiresAt / 1000),
    iat: Math.floor(found.issuedAt / 1000),
  };
}
