import { Identifier } from '@hr/schemas';
import { decodeFormValue } from '@hr/schemas/rules';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authenticateClient } from '../../database/clients.ts';
import type { Scope } from '../../database/clients.ts';
import { checkRateLimit } from '../check-rate-limit.ts';
import { decodeUtf8 } from '../read-json.ts';
import type { ServiceContext } from '../service-context.ts';
import type { Form } from './read-form.ts';
import { TokenRefusal } from './token-refusal.ts';

interface AuthenticatedClient {
  readonly clientId: string;
  readonly scope: Scope;
}

/**
 * The client whose credentials a request brings (RFC 6749 section 2.3.1). It counts against the limit of requests.
 *
 * @throws {TokenRefusal} where they are wrong or missing, or the client is disabled.
 * @throws {HttpProblem} where the client sends more requests than it may.
 */
export async function authenticatedClient(
  context: ServiceContext,
  request: FastifyRequest,
  reply: FastifyReply,
  form: Form,
): Promise<AuthenticatedClient> {
  const { clientId = '', clientSecret } = readCredentials(request.headers.authorization, form);
  const possible = Identifier.safeParse(clientId).success && clientSecret !== undefined;
  const scope = possible ? await authenticateClient(context.database, clientId, clientSecret) : undefined;
  if (scope === undefined) throw invalidClient();
  request.clientId = clientId;
  // Apart from its other requests: a client that has used those up can still renew its token.
  await checkRateLimit({ name: 'oauth', clientId }, reply, context);
  return { clientId, scope };
}

/** Says the same whatever is wrong: who has proved nothing learns nothing. */
export function invalidClient(): TokenRefusal {
  return new TokenRefusal('invalid_client', 'The client id or its secret is wrong or missing.');
}

interface Credentials {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

/** The credentials, from the form or from HTTP Basic. */
function readCredentials(authorization: string | undefined, form: Form): Credentials {
  if (authorization === undefined) return { clientId: form.get('client_id'), clientSecret: form.get('client_secret') };
  if (form.has('client_id') || form.has('client_secret')) {
    throw new TokenRefusal('invalid_request', 'Send the credentials in the form or as Basic, not both.');
  }
  const encoded = /^basic +([A-Za-z\d+/]+={0,2})$/i.exec(authorization)?.[1] ?? '';
  const [clientId = '', ...secret] = (decodeUtf8(Buffer.from(encoded, 'base64')) ?? '').split(':');
  // Each part was form-encoded before.
  return { clientId: decodeFormValue(clientId), clientSecret: decodeFormValue(secret.join(':')) };
}
