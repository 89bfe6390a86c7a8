import { API_SCOPE, TOKEN_PATH, TokenError, TokenResponse } from '@hr/schemas';
import { z } from 'zod';
import { checkNames } from '../fixtures/options.ts';
import { invalidOption } from '../hr-testing-error.ts';
import { describeExchange, jsonResponse, mediaType, type Exchange } from './exchange.ts';
import type { Example } from './expectation.ts';
import { problemResponse } from './problems.ts';

/** A token request that succeeds. */
export interface TokenExpectation {
  readonly status?: 200 | undefined;
  /** Whether the client secret is in the form or in HTTP Basic. @default 'form' */
  readonly authentication?: 'form' | 'basic' | undefined;
  /** The scope in the form; `null` for none. @default 'api:use' */
  readonly scope?: string | null | undefined;
  /** The fields of the response that the consumer reads. @default `access_token`, `token_type` and `expires_in` */
  readonly example?: Example<TokenResponse> | undefined;
  readonly description?: string | undefined;
}

/** A token request that fails: 400 for a scope that is not granted, 401 for an unknown client, 503 for an unavailable service. */
export interface TokenErrorExpectation extends Omit<TokenExpectation, 'status' | 'example'> {
  readonly status: 400 | 401 | 503;
}

const credentials = { clientId: 'contract-client', clientSecret: 'contract-secret' };
const FORM_TYPE = 'application/x-www-form-urlencoded';
const OTHER_SCOPE = 'operator';

const ReadTokenResponse = TokenResponse.extend({
  // Clients compare it without case (RFC 6749, section 5.1).
  token_type: z.string().regex(/^[Bb][Ee][Aa][Rr][Ee][Rr]$/),
});
const granted = { access_token: 'token', token_type: 'Bearer', expires_in: 3600 };

// Programs tell failures apart by the code.
const errorResponse = (status: number, error: string) =>
  jsonResponse(status, TokenError.extend({ error: z.literal(error) }), { error });

type Outcome = Pick<Exchange, 'states' | 'response' | 'unsupportedRules'>;

const outcomes: { readonly [Status in 200 | TokenErrorExpectation['status']]: (example?: unknown) => Outcome } = {
  200: (example = granted) => ({
    states: [['an API client', credentials]],
    ...jsonResponse(200, ReadTokenResponse, example),
  }),
  400: () => ({
    states: [['an API client', { ...credentials, scope: API_SCOPE }]],
    ...errorResponse(400, 'invalid_scope'),
  }),
  401: () => ({ states: [], ...errorResponse(401, 'invalid_client') }),
  503: () => ({ states: [['an unavailable service']], ...problemResponse('unavailable') }),
};

/** A request to the token endpoint and its response (RFC 6749, section 4.4). */
export function tokenExchange(expectation: TokenExpectation | TokenErrorExpectation): Exchange {
  const { status = 200, authentication = 'form', description } = expectation;
  const { scope = status === 400 ? OTHER_SCOPE : API_SCOPE } = expectation;
  const { clientId, clientSecret } = credentials;
  const options = ['status', 'authentication', 'scope', 'description', ...(status === 200 ? ['example'] : [])];
  checkNames('requestToken', expectation, options);
  if (!Object.hasOwn(outcomes, status)) {
    throw invalidOption(`requestToken: unknown status ${status}. Use ${Object.keys(outcomes).join(', ')}.`);
  }
  if (authentication !== 'form' && authentication !== 'basic') {
    throw invalidOption('requestToken: unknown authentication. Use form or basic.');
  }
  const outcome = outcomes[status]((expectation as TokenExpectation).example);
  const fields = {
    grant_type: 'client_credentials',
    ...(scope !== null && { scope }),
    ...(authentication === 'form' && { client_id: clientId, client_secret: clientSecret }),
  };
  const headers = {
    'Content-Type': mediaType(FORM_TYPE),
    ...(authentication === 'basic' && { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }),
  };
  const body = { contentType: FORM_TYPE, content: new URLSearchParams(fields).toString() };
  return {
    description: description ?? describeExchange('requestToken', status, outcome.states),
    credentials: { ...credentials, scope: scope ?? undefined },
    request: { method: 'POST', path: TOKEN_PATH, query: {}, headers, body },
    ...outcome,
  };
}
