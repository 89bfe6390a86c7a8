import type { ProviderState } from '../states/provider-states.ts';
import {
  casesOf,
  decided,
  having,
  ok,
  problem,
  when,
  type Case,
  type CaseRequest,
  type Cases,
} from './behaviour-case.ts';

const CLIENT = 'payroll:batch';
const SECRET = 'söcret %+&';
const given: readonly ProviderState[] = [
  ['an API client', { clientId: CLIENT, clientSecret: SECRET }],
  ['an API client', { clientId: 'operator-1', clientSecret: SECRET, scope: 'operator' }],
];
const grant = { grant_type: 'client_credentials' };
const credentials = { client_id: CLIENT, client_secret: SECRET };
const ofClient = { ...grant, ...credentials };
const ofOperator = { ...grant, client_id: 'operator-1', client_secret: SECRET };

type Form = Record<string, string> | string;
type Headers = Readonly<Record<string, string>>;

function basic(clientId: string, clientSecret: string): Headers {
  const encoded = [clientId, clientSecret].map(encodeURIComponent).join(':');
  return { authorization: `Basic ${Buffer.from(encoded).toString('base64')}` };
}

function request(form: Form, headers: Headers = {}): CaseRequest {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(form).toString();
  return ['POST /api/oauth2/token', { body, token: 'none', headers: { ...type, ...headers } }];
}

function issues(form: Form, headers: Headers = {}, scope?: string): Case {
  const token = { access_token: 'string', token_type: 'Bearer', ...(scope !== undefined && { scope }) };
  return when(given, ok(having(token)), request(form, headers));
}

/** The token endpoint responds with this error (RFC 6749 section 5.2). */
function rejects(error: string, sent: CaseRequest): Case {
  const isClient = error === 'invalid_client';
  const expected = {
    status: isClient ? 401 : 400,
    headers: {
      ...having({}),
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
      ...(isClient && { 'www-authenticate': 'Basic realm="hr-cloud"' }),
    },
    body: having({ error }),
  };
  return when(given, expected, sent);
}

const asJson = { 'content-type': 'application/json' };

const rejected: readonly (readonly [title: string, error: string, CaseRequest])[] = [
  ['a scope that the client does not have is rejected', 'invalid_scope', request({ ...ofClient, scope: 'operator' })],
  ['an unknown scope is rejected', 'invalid_scope', request({ ...ofClient, scope: 'api:use x' })],
  ['a client with another scope has to request it', 'invalid_scope', request(ofOperator)],
  ['a wrong client secret is rejected', 'invalid_client', request({ ...ofClient, client_secret: 'x' })],
  ['an unknown client is rejected', 'invalid_client', request({ ...ofClient, client_id: 'x' })],
  ['a token request without credentials is rejected', 'invalid_client', request(grant)],
  ['a token request without a client secret is rejected', 'invalid_client', request({ ...grant, client_id: CLIENT })],
  ['a wrong client secret by HTTP Basic is rejected', 'invalid_client', request(grant, basic(CLIENT, 'x'))],
  ['malformed HTTP Basic is rejected', 'invalid_client', request(grant, { authorization: 'Basic !' })],
  ['a token request with a bearer token is rejected', 'invalid_client', request(grant, { authorization: 'Bearer x' })],
  ['credentials in form and HTTP Basic are rejected', 'invalid_request', request(ofClient, basic(CLIENT, SECRET))],
  ['a token request without a grant type is rejected', 'invalid_request', request(credentials)],
  ['another grant type is rejected', 'unsupported_grant_type', request({ ...ofClient, grant_type: 'password' })],
  ['a repeated field is rejected', 'invalid_request', request('grant_type=client_credentials&scope=a&scope=b')],
  ['a token request as JSON is rejected', 'invalid_request', request(ofClient, asJson)],
  ['a token request without a body is rejected', 'invalid_request', ['POST /api/oauth2/token', { token: 'none' }]],
];

/** The token endpoint (section 5, RFC 6749). */
export const tokenCases: Cases = {
  'a token is issued for credentials in the form': issues({ ...ofClient, scope: 'api:use' }),
  'unknown fields of the token request are ignored': issues({ ...ofClient, scope: 'api:use', shoe: '43' }),
  ...decided({
    'a token is issued for credentials by HTTP Basic': issues(grant, basic(CLIENT, SECRET)),
    'the default scope is that of the API': issues(ofClient, {}, 'api:use'),
    'an empty scope is the default scope': issues({ ...ofClient, scope: '' }, {}, 'api:use'),
    'a client can have another scope': issues({ ...ofOperator, scope: 'operator' }, {}, 'operator'),
    ...casesOf(rejected, ([title, error, sent]) => [title, rejects(error, sent)]),
    'a token request that does not accept JSON is rejected': when(
      given,
      problem('not-acceptable'),
      request(ofClient, { accept: 'text/html' }),
    ),
    'a token request is rejected while the service is unavailable': when(
      [...given, ['an unavailable service']],
      problem('unavailable'),
      request(ofClient),
    ),
    'a token request is rejected after the rate limit is used up': when(
      [...given, ['a used-up rate limit']],
      problem('too-many-requests'),
      request(ofClient),
    ),
  }),
};
