import { API_SCOPE, TOKEN_PATH, TokenError, TokenResponse } from '@hr/schemas';
import { z } from 'zod';
import { matchersOf } from '../contract/matchers/matchers-of.ts';
import type { ProviderState } from '../states/provider-states.ts';
import { JSON_TYPE, describeExchange, mediaType, type Exchange, type ExpectedRequest } from './exchange.ts';
import type { Example } from './expectation.ts';
import { problemResponse } from './problems.ts';

/** A token request that succeeds. */
export interface TokenExpectation {
  readonly status?: 200;
  /** Whether the client secret is in the form or in HTTP Basic. @default 'form' */
  readonly authentication?: 'form' | 'basic';
  /** The scope in the form; `null` for none. @default 'api:use' */
  readonly scope?: string | null;
  /** The fields of the response that the consumer reads. @default `access_token`, `token_type` and `expires_in` */
  readonly example?: Example<TokenResponse>;
  readonly description?: string;
}

/** A token request that fails: 400 for a scope that is not granted, 401 for an unknown client, 503 for an unavailable service. */
export interface TokenRefusal extends Omit<TokenExpectation, 'status' | 'example'> {
  readonly status: 400 | 401 | 503;
}

/** The client of a token request. */
export interface ExampleClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string | undefined;
}

const credentials = { clientId: 'contract-client', clientSecret: 'contract-secret' };
const FORM_TYPE = 'application/x-www-form-urlencoded';
const OTHER_SCOPE = 'operator';

/** The states of each status. */
const statesOf: { readonly [Status in 200 | TokenRefusal['status']]: readonly ProviderState[] } = {
  200: [['an API client', credentials]],
  400: [['an API client', { ...credentials, scope: API_SCOPE }]],
  401: [],
  503: [['an unavailable service']],
};

/** A request to the token endpoint and its response (RFC 6749, section 4.4). */
export function tokenExchange(
  expectation: TokenExpectation | TokenRefusal,
): Exchange & { readonly client: ExampleClient } {
  const { status = 200, authentication = 'form', description } = expectation;
  const { scope = status === 400 ? OTHER_SCOPE : API_SCOPE } = expectation;
  const client = { ...credentials, scope: scope ?? undefined };
  const states = statesOf[status];
  return {
    description: description ?? describeExchange('requestToken', status, states),
    states,
    client,
    request: tokenRequest(client, authentication),
    ...(status === 503 ? problemResponse('unavailable') : jsonResponse(expectation)),
  };
}

function tokenRequest(
  { clientId, clientSecret, scope }: ExampleClient,
  authentication: 'form' | 'basic',
): ExpectedRequest {
  const fields = {
    grant_type: 'client_credentials',
    ...(scope !== undefined && { scope }),
    ...(authentication === 'form' && { client_id: clientId, client_secret: clientSecret }),
  };
  const headers = {
    'Content-Type': mediaType(FORM_TYPE),
    ...(authentication === 'basic' && { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }),
  };
  const body = { contentType: FORM_TYPE, content: new URLSearchParams(fields).toString() };
  return { method: 'POST', path: TOKEN_PATH, query: {}, headers, body };
}

const ReadTokenResponse = TokenResponse.extend({
  // Clients compare it without case (RFC 6749, section 5.1).
  token_type: z.string().regex(/^[Bb][Ee][Aa][Rr][Ee][Rr]$/),
});

function jsonResponse(expectation: TokenExpectation | TokenRefusal): Pick<Exchange, 'response' | 'unsupportedRules'> {
  const { status = 200, example } = expectation as TokenExpectation;
  // Programs tell failures apart by the code.
  const error = expectation.status === 401 ? 'invalid_client' : 'invalid_scope';
  const { content, unsupportedRules } =
    status === 200
      ? matchersOf(ReadTokenResponse, example ?? { access_token: 'token', token_type: 'Bearer', expires_in: 3600 })
      : matchersOf(TokenError.extend({ error: z.literal(error) }), { error });
  const headers = { 'Content-Type': mediaType(JSON_TYPE) };
  return { response: { status, headers, body: { contentType: JSON_TYPE, content } }, unsupportedRules };
}
