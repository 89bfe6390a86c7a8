import { REVOCATION_PATH } from '@hr/schemas';
import type { FastifyInstance } from 'fastify';
import { revokeToken } from '../../database/access-tokens.ts';
import type { Runtime } from '../service-context.ts';
import { authenticatedClient } from './authenticated-client.ts';
import { addOAuthEndpoint } from './oauth-endpoint.ts';
import { readForm, requiredField } from './read-form.ts';
import { TokenRefusal } from './token-refusal.ts';

/** Adds the endpoint by which a client ends a token of its own (RFC 7009). */
export function addRevocationEndpoint(server: FastifyInstance, runtime: Runtime): void {
  const { database, authentication } = runtime;
  addOAuthEndpoint(server, {
    path: REVOCATION_PATH,
    operation: 'revokeToken',
    async answer(request, reply) {
      const form = readForm(request);
      const token = requiredField(form, 'token');
      const { clientId } = await authenticatedClient(runtime, request, reply, form);
      if (!(await revokeToken(database, clientId, token))) {
        throw new TokenRefusal('invalid_grant', 'The token was issued to another client.');
      }
      authentication.forget(clientId);
      // The status says it all (section 2.2); a caller that reads JSON finds some.
      return {};
    },
  });
}
