import { API_SCOPE, TOKEN_PATH } from '@hr/schemas';
import type { TokenResponse } from '@hr/schemas';
import type { FastifyInstance } from 'fastify';
import { issueToken } from '../../database/access-tokens.ts';
import type { Runtime } from '../service-context.ts';
import { authenticatedClient, invalidClient } from './authenticated-client.ts';
import { addOAuthEndpoint } from './oauth-endpoint.ts';
import { readForm, requiredField } from './read-form.ts';
import { TokenRefusal } from './token-refusal.ts';

/** Adds the token endpoint: the client-credentials grant (section 5, RFC 6749). */
export function addTokenEndpoint(server: FastifyInstance, runtime: Runtime): void {
  const { database, config } = runtime;
  addOAuthEndpoint(server, {
    path: TOKEN_PATH,
    operation: 'requestToken',
    async answer(request, reply): Promise<TokenResponse> {
      const form = readForm(request);
      if (requiredField(form, 'grant_type') !== 'client_credentials') {
        throw new TokenRefusal('unsupported_grant_type', 'The only grant_type is client_credentials.');
      }
      const { clientId, scope } = await authenticatedClient(runtime, request, reply, form);
      if ((form.get('scope') ?? API_SCOPE) !== scope) {
        throw new TokenRefusal('invalid_scope', `The client has the scope ${scope}; no scope asks for ${API_SCOPE}.`);
      }
      const lifetimeSeconds = config.tokenTtlSeconds;
      const token = await issueToken(database, { clientId, scope, lifetimeSeconds });
      if (token === undefined) throw invalidClient();
      return { access_token: token, token_type: 'Bearer', expires_in: lifetimeSeconds, scope };
    },
  });
}
