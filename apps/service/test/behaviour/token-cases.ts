import type { ProviderState } from '@hr/testing/states';
import { basic } from '../oauth-form.ts';
import type { Ask, Told } from './ask.ts';
import { having, problem, when, type Case, type Cases } from './case.ts';

const CLIENT = 'payroll:batch';
const SECRET = 'söcret %+&';
const client: ProviderState = ['an API client', { clientId: CLIENT, clientSecret: SECRET }];
const operator: ProviderState = ['an API client', { clientId: 'operator-1', clientSecret: SECRET, scope: 'operator' }];
const grant = { grant_type: 'client_credentials' };
const ofClient = { ...grant, client_id: CLIENT, client_secret: SECRET };
const ofOperator = { ...grant, client_id: 'operator-1', client_secret: SECRET };

type Form = Record<string, string> | string;
type Headers = Readonly<Record<string, string>>;

function request(form: Form, headers: Headers = {}): Ask {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(form).toString();
  return ['POST /api/oauth2/token', { body, token: 'none', headers: { ...type, ...headers } }];
}

const given = [client, operator];
const told = { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache' };

function gives(form: Form, headers: Headers = {}, scope = 'api:use'): Case {
  const body = { access_token: 'string', token_type: 'Bearer', expires_in: 3600, scope };
  const answer = { status: 200, headers: { ...told, 'x-content-type-options': 'nosniff' }, body };
  return when(given, answer, request(form, headers));
}

function refuses(error: string, form: Form, headers: Headers = {}, asked = request(form, headers)): Case {
  const isClient = error === 'invalid_client';
  const shown = { ...told, ...(isClient && { 'www-authenticate': 'Basic realm="hr-cloud"' }) };
  const answer = { status: isClient ? 401 : 400, headers: having(shown) as Told['headers'], body: having({ error }) };
  return when(given, answer, asked);
}

/** The token endpoint (section 5, RFC 6749). */
export const tokenCases: Cases = {
  'for the credentials in the form': gives({ ...ofClient, scope: 'api:use' }),
  'for the credentials as Basic': gives(grant, basic(CLIENT, SECRET)),
  'without a scope means that of the API': gives(ofClient),
  'with an empty scope means that of the API': gives({ ...ofClient, scope: '' }),
  'with what else a form has': gives({ ...ofClient, shoe: '43' }),
  'of another scope': gives({ ...ofOperator, scope: 'operator' }, {}, 'operator'),
  'for a scope that the client has not': refuses('invalid_scope', { ...ofClient, scope: 'operator' }),
  'for a scope that nobody has': refuses('invalid_scope', { ...ofClient, scope: 'api:use x' }),
  'without a scope for a client of another': refuses('invalid_scope', ofOperator),
  'for a wrong secret': refuses('invalid_client', { ...ofClient, client_secret: 'x' }),
  'for an unknown client': refuses('invalid_client', { ...ofClient, client_id: 'x' }),
  'for no credentials': refuses('invalid_client', grant),
  'for no secret': refuses('invalid_client', { ...grant, client_id: CLIENT }),
  'for a wrong secret as Basic': refuses('invalid_client', grant, basic(CLIENT, 'x')),
  'for Basic that is none': refuses('invalid_client', grant, { authorization: 'Basic !' }),
  'for a bearer token': refuses('invalid_client', grant, { authorization: 'Bearer x' }),
  'for credentials in both places': refuses('invalid_request', ofClient, basic(CLIENT, SECRET)),
  'without a grant type': refuses('invalid_request', { client_id: CLIENT, client_secret: SECRET }),
  'for another grant': refuses('unsupported_grant_type', { ...ofClient, grant_type: 'password' }),
  'with a field twice': refuses('invalid_request', 'grant_type=client_credentials&scope=a&scope=b'),
  'with JSON': refuses('invalid_request', ofClient, { 'content-type': 'application/json' }),
  'with nothing': refuses('invalid_request', '', {}, ['POST /api/oauth2/token', { token: 'none' }]),
  'for who takes no JSON': when(given, problem('not-acceptable'), request(ofClient, { accept: 'text/html' })),
  'while the service is unavailable': when(
    [...given, ['an unavailable service']],
    problem('unavailable'),
    request(ofClient),
  ),
  'once the limit of requests is used up': when(
    [...given, ['a used-up rate limit']],
    problem('too-many-requests'),
    request(ofClient),
  ),
};
