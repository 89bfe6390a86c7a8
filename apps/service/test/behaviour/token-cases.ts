import type { ProviderState } from '@hr/testing/states';
import type { Ask, Told } from './ask.ts';
import { having, problem } from './case.ts';
import type { Case, Cases } from './case.ts';

const CLIENT = 'payroll:batch';
const SECRET = 'söcret %+&';
const client: ProviderState = ['an API client', { clientId: CLIENT, clientSecret: SECRET }];
const operator: ProviderState = ['an API client', { clientId: 'operator-1', clientSecret: SECRET, scope: 'operator' }];
const credentials = { client_id: CLIENT, client_secret: SECRET };
const grant = { grant_type: 'client_credentials' };

function request(form: Record<string, string> | string, headers: Readonly<Record<string, string>> = {}): Ask {
  return [
    'POST /api/oauth2/token',
    {
      body: new URLSearchParams(form).toString(),
      token: 'none',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    },
  ];
}

function basic(id: string, secret: string): { authorization: string } {
  const encoded = [id, secret].map((part) => encodeURIComponent(part)).join(':');
  return { authorization: `Basic ${Buffer.from(encoded).toString('base64')}` };
}

const given = [client, operator];
const told = { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache' };

function gives(asked: Ask, scope = 'api:use'): Case {
  const body = { access_token: 'string', token_type: 'Bearer', expires_in: 3600, scope };
  return {
    given,
    asks: [asked],
    told: { status: 200, headers: { ...told, 'x-content-type-options': 'nosniff' }, body },
  };
}

function refuses(asked: Ask, error: string): Case {
  const isClient = error === 'invalid_client';
  const headers = { ...told, ...(isClient && { 'www-authenticate': 'Basic realm="hr-cloud"' }) };
  return {
    given,
    asks: [asked],
    told: { status: isClient ? 401 : 400, headers: having(headers) as Told['headers'], body: having({ error }) },
  };
}

/** The token endpoint (section 5, RFC 6749). */
export const tokenCases: Cases = {
  'for the credentials in the form': gives(request({ ...grant, ...credentials, scope: 'api:use' })),
  'for the credentials as Basic': gives(request(grant, basic(CLIENT, SECRET))),
  'without a scope means that of the API': gives(request({ ...grant, ...credentials })),
  'with an empty scope means that of the API': gives(request({ ...grant, ...credentials, scope: '' })),
  'with what else a form has': gives(request({ ...grant, ...credentials, shoe: '43' })),
  'of another scope': gives(
    request({ ...grant, client_id: 'operator-1', client_secret: SECRET, scope: 'operator' }),
    'operator',
  ),
  'for a scope that the client has not': refuses(
    request({ ...grant, ...credentials, scope: 'operator' }),
    'invalid_scope',
  ),
  'for a scope that nobody has': refuses(request({ ...grant, ...credentials, scope: 'api:use x' }), 'invalid_scope'),
  'without a scope for a client of another': refuses(
    request({ ...grant, client_id: 'operator-1', client_secret: SECRET }),
    'invalid_scope',
  ),
  'for a wrong secret': refuses(request({ ...grant, ...credentials, client_secret: 'x' }), 'invalid_client'),
  'for an unknown client': refuses(request({ ...grant, ...credentials, client_id: 'x' }), 'invalid_client'),
  'for no credentials': refuses(request(grant), 'invalid_client'),
  'for no secret': refuses(request({ ...grant, client_id: CLIENT }), 'invalid_client'),
  'for a wrong secret as Basic': refuses(request(grant, basic(CLIENT, 'x')), 'invalid_client'),
  'for Basic that is none': refuses(request(grant, { authorization: 'Basic !' }), 'invalid_client'),
  'for a bearer token': refuses(request(grant, { authorization: 'Bearer x' }), 'invalid_client'),
  'for credentials in both places': refuses(
    request({ ...grant, ...credentials }, basic(CLIENT, SECRET)),
    'invalid_request',
  ),
  'without a grant type': refuses(request(credentials), 'invalid_request'),
  'for another grant': refuses(request({ ...credentials, grant_type: 'password' }), 'unsupported_grant_type'),
  'with a field twice': refuses(request(`grant_type=client_credentials&scope=a&scope=b`), 'invalid_request'),
  'with JSON': refuses(request('{}', { 'content-type': 'application/json' }), 'invalid_request'),
  'with nothing': refuses(['POST /api/oauth2/token', { token: 'none' }], 'invalid_request'),
  'for who takes no JSON': {
    given,
    asks: [request({ ...grant, ...credentials }, { accept: 'text/html' })],
    told: problem('not-acceptable'),
  },
  'while the service is unavailable': {
    given: [...given, ['an unavailable service']],
    asks: [request({ ...grant, ...credentials })],
    told: problem('unavailable'),
  },
  'once the limit of requests is used up': {
    given: [...given, ['a used-up rate limit']],
    asks: [request({ ...grant, ...credentials })],
    told: problem('too-many-requests'),
  },
};
