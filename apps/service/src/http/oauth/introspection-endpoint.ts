import { INTROSPECTION_PATH } from '@hr/schemas';
import type { IntrospectionResponse } from '@hr/schemas';
import type { FastifyInstance } from 'fastify';
import { findToken } from '../../database/access-tokens.ts';
import type { Runtime } from '../service-context.ts';
import { authenticatedClient } from './authenticated-client.ts';
import { addOAuthEndpoint } from './oauth-endpoint.ts';
import { readForm, requiredField } from './read-form.ts';

/** Adds the endpoint that tells what a token is worth (RFC 7662): a client sees its own, an operator sees all. */
export function addIntrospectionEndpoint(server: FastifyInstance, runtime: Runtime): void {
  const { database } = runtime;
  addOAuthEndpoint(server, {
    path: INTROSPECTION_PATH,
    operation: 'introspectToken',
    async answer(request, reply): Promise<IntrospectionResponse> {
      const form = readForm(request);
      const token = requiredField(form, 'token');
      const client = await authenticatedClient(runtime, request, reply, form);
      const found = await findToken(database, token);
      if (!found || (found.clientId !== client.clientId && client.scope !== 'operator')) return { active: false };
      return {
        active: true,
        scope: found.scope,
        client_id: found.clientId,
        token_type: 'Bearer',
        exp: seconds(found.expiresAt),
        iat: seconds(found.issuedAt),
      };
    },
  });
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
