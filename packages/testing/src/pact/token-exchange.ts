import { API_SCOPE, TOKEN_PATH, TokenError, TokenResponse } from '@hr/schemas';
import { z } from 'zod';
import type { State } from '../states/provider-states.ts';
import { describeExchange } from './describe-exchange.ts';
import type { Example } from './example.ts';
import type { Exchange, ExpectedRequest, HeaderExample } from './exchange.ts';
import { matchersOf } from '../contract/matchers/matchers-of.ts';
import { notExpressedOf } from '../contract/matchers/not-expressed.ts';
import { jsonType } from './operation-request.ts';
import { problemResponse } from './problem-exchange.ts';

/** How a token is asked for, whatever comes of it. */
export interface TokenOptions {
  /**
   * How the client proves who it is: with its secret in the form, or as HTTP Basic.
   *
   * @default 'form'
   */
  readonly authentication?: 'form' | 'basic';
  /** The scope that the form names; `null` where it names none. @default 'api:use' */
  readonly scope?: string | null;
  readonly description?: string;
}

/** A token request that is answered with a token. */
export interface TokenExpectation extends TokenOptions {
  readonly status?: 200;
  /** The keys of the answer that the consumer reads. @default `access_token`, `token_type` and `expires_in` */
  readonly example?: Example<TokenResponse>;
}

/** A token request that is refused: 400 for a scope that the client does not have, 401 for a client that is not known; or that comes while nothing can be answered, 503. */
export interface TokenRefusal extends TokenOptions {
  readonly status: 400 | 401 | 503;
}

/**
 * The client of a token request, which the consumer's code has to send.
 *
 * @sealed
 */
export interface ExampleClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Nothing where the request names none. */
  readonly scope: string | undefined;
}

export interface TokenExchange extends Exchange {
  readonly client: ExampleClient;
}

const credentials = { clientId: 'contract-client', clientSecret: 'contract-secret' };
const FORM_TYPE = 'application/x-www-form-urlencoded';
const OTHER_SCOPE = 'operator';

/** What makes the HR cloud answer a status. */
const situations: { readonly [Status in 200 | 400 | 401 | 503]: readonly State[] } = {
  200: [['an API client', credentials]],
  400: [['an API client', { ...credentials, scope: API_SCOPE }]],
  401: [],
  503: [['an unavailable service']],
};

/** A request to the token endpoint and its answer (RFC 6749, section 4.4). */
export function tokenExchange(expectation: TokenExpectation | TokenRefusal): TokenExchange {
  const { status = 200, authentication = 'form', description } = expectation;
  const { scope = status === 400 ? OTHER_SCOPE : API_SCOPE } = expectation;
  const client = { ...credentials, scope: scope ?? undefined };
  const states = situations[status];
  return {
    description: description ?? describeExchange('requestToken', status, states),
    states,
    client,
    request: tokenRequest(client, authentication),
    ...tokenAnswer(expectation),
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
  const headers: Record<string, HeaderExample> = {
    'Content-Type': { value: FORM_TYPE, pattern: `^${FORM_TYPE}\\s*(;.*)?$` },
    ...(authentication === 'basic' && { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }),
  };
  const body = { contentType: FORM_TYPE, content: new URLSearchParams(fields).toString() };
  return { method: 'POST', path: TOKEN_PATH, query: {}, headers, body };
}

function tokenAnswer(expectation: TokenExpectation | TokenRefusal): Pick<Exchange, 'response' | 'notExpressed'> {
  const { status = 200 } = expectation;
  if (status === 503) return problemResponse('unavailable');
  if (status !== 200) return jsonAnswer(status, ...refusal(status));
  const { example } = expectation as TokenExpectation;
  return jsonAnswer(200, TokenResponse, example ?? { access_token: 'token', token_type: 'Bearer', expires_in: 3600 });
}

/** A program tells refusals apart by the code, so another would not do. */
function refusal(status: 400 | 401): [z.ZodType, unknown] {
  const error = status === 401 ? 'invalid_client' : 'invalid_scope';
  return [TokenError.extend({ error: z.literal(error) }), { error }];
}

function jsonAnswer(status: number, model: z.ZodType, example: unknown): Pick<Exchange, 'response' | 'notExpressed'> {
  const { content, notExpressed } = matchersOf(model, example);
  const body = { contentType: jsonType.value, content };
  return {
    response: { status, headers: { 'Content-Type': jsonType }, body },
    notExpressed: notExpressedOf('answer', notExpressed),
  };
}
