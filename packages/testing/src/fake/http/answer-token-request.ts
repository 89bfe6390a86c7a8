import { API_SCOPE, Identifier } from '@hr/schemas';
import type { TokenResponse } from '@hr/schemas';
import { decodeFormValue, parseForm } from '@hr/schemas/rules';
import type { Client, Store } from '../store.ts';
import { checkAccept, checkLength } from './check-message.ts';
import { checkRateLimit } from './check-rate-limit.ts';
import { unavailable } from './http-problem.ts';
import { decodeUtf8 } from './read-json.ts';
import type { ReceivedRequest } from './received-request.ts';
import { invalidClient, TokenRefusal } from './token-refusal.ts';
import type { Tokens } from './tokens.ts';

const LIFETIME_SECONDS = 3600;
const MOST_FORM_BYTES = 16 * 1024;

/**
 * The answer of the token endpoint: the client-credentials grant (section 5, RFC 6749).
 *
 * @throws {TokenRefusal} where there is none.
 * @throws {HttpProblem} where it is too long, or nobody is answered just now.
 */
export function answerTokenRequest(store: Store, tokens: Tokens, request: ReceivedRequest): TokenResponse {
  checkAccept(request);
  checkLength(request, MOST_FORM_BYTES);
  const form = readForm(request);
  const grantType = form.get('grant_type');
  if (grantType === undefined) throw new TokenRefusal('invalid_request', 'grant_type is missing.');
  if (grantType !== 'client_credentials') {
    throw new TokenRefusal('unsupported_grant_type', 'The only grant_type is client_credentials.');
  }
  const client = authenticatedClient(store, request.headers.get('authorization'), form);
  checkRateLimit(store, 'oauth');
  const { scope } = client;
  if ((form.get('scope') ?? API_SCOPE) !== scope) {
    throw new TokenRefusal('invalid_scope', `The client has the scope ${scope}; no scope asks for ${API_SCOPE}.`);
  }
  const token = tokens.issue(store, client, LIFETIME_SECONDS);
  return { access_token: token, token_type: 'Bearer', expires_in: LIFETIME_SECONDS, scope };
}

/** The fields of a form that have a value (RFC 6749 section 3.2). */
type Form = ReadonlyMap<string, string>;

const formType = /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;

function readForm({ headers, bytes }: ReceivedRequest): Form {
  const text = formType.test(headers.get('content-type') ?? '') ? decodeUtf8(bytes) : undefined;
  const fields = text === undefined ? undefined : parseForm(text);
  const form = new Map(fields);
  if (form.size !== fields?.length) {
    throw new TokenRefusal('invalid_request', 'Send application/x-www-form-urlencoded in UTF-8, each field once.');
  }
  return new Map([...form].filter(([, value]) => value !== ''));
}

function authenticatedClient({ clients, isUnavailable }: Store, authorization: string | null, form: Form): Client {
  const { clientId = '', clientSecret } = readCredentials(authorization, form);
  if (isUnavailable) throw unavailable();
  const client = Identifier.safeParse(clientId).success ? clients.get(clientId) : undefined;
  if (!client || client.clientSecret !== clientSecret) throw invalidClient();
  return client;
}

/** The credentials, from the form or from HTTP Basic (RFC 6749 section 2.3.1). */
function readCredentials(authorization: string | null, form: Form): Partial<Record<keyof Client, string | undefined>> {
  if (authorization === null) return { clientId: form.get('client_id'), clientSecret: form.get('client_secret') };
  if (form.has('client_id') || form.has('client_secret')) {
    throw new TokenRefusal('invalid_request', 'Send the credentials in the form or as Basic, not both.');
  }
  const encoded = /^basic +([A-Za-z\d+/]+={0,2})$/i.exec(authorization)?.[1] ?? '';
  const [clientId = '', ...secret] = (decodeBase64(encoded) ?? '').split(':');
  // Each part was form-encoded before.
  return { clientId: decodeFormValue(clientId), clientSecret: decodeFormValue(secret.join(':')) };
}

function decodeBase64(encoded: string): string | undefined {
  try {
    return decodeUtf8(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
