import { API_SCOPE, TOKEN_PATH, TokenError, TokenResponse } from '@hr/schemas';
import { rowOf, table } from '../../model/lists.ts';
import { must, NotTried, should, type Check } from '../check.ts';
import { credentialsForm, type Exchange } from '../cloud.ts';
import type { CloudRequest } from '../cloud-request.ts';
import type { ConformRun } from '../conform-run.ts';
import { ABSENT, absent } from './requests.ts';

async function requestToken(run: ConformRun, changes: object = {}, headers: CloudRequest['headers'] = {}) {
  const { clientId, clientSecret } = run.options;
  if (clientId === undefined || clientSecret === undefined) throw new NotTried('the run has a token and no client');
  const form = Object.fromEntries(
    Object.entries({ ...credentialsForm(run.options), ...changes }).filter(([, value]) => value),
  );
  return run.cloud.send({ operation: 'requestToken', method: 'POST', path: TOKEN_PATH, form, headers, token: null });
}

/** Checks that a token request fails as RFC 6749, section 5.2, says. */
function failing(id: string, rule: string, changes: object, error: string): Check {
  // A server may ignore an unknown scope (RFC 6749, section 3.3).
  return (error === 'invalid_scope' ? should : must)('5', id, rule, async (run) => {
    const exchange = await requestToken(run, changes);
    const wrong = run.statusFault(exchange, 400, ...(error === 'invalid_client' ? [401] : []));
    if (wrong.length > 0 || TokenError.safeParse(exchange.body).data?.error === error) return wrong;
    return [run.deviation(exchange, 'body error', error, 'another body')];
  });
}

/** A successful token response. @throws {NotTried} */
async function issueToken(run: ConformRun): Promise<Exchange> {
  const exchange = await requestToken(run);
  if (exchange.status !== 200) throw new NotTried(`the token request gets ${exchange.got}`);
  return exchange;
}

/** Checks a field of a successful token response. */
function field(id: string, name: 'access_token' | 'token_type' | 'expires_in', rule: string, expected: string): Check {
  return must('5', id, rule, async (run) => {
    const exchange = await issueToken(run);
    const value = rowOf(exchange.body)?.[name];
    // RFC 6749, section 5.1: in any case.
    const isBearer = name === 'token_type' && /^bearer$/i.test(String(value));
    if (isBearer || TokenResponse.shape[name].safeParse(value).success) return [];
    return [run.deviation(exchange, `body ${name}`, expected, value === undefined ? 'no field' : 'another value')];
  });
}

/** Checks that each operation of the specification rejects a token. Those with a body get an id that does not exist. */
function rejecting(id: string, rule: string, token: string | null): Check[] {
  const operations = Object.entries(table).filter(([, { extension }]) => !extension);
  const send = (run: ConformRun) =>
    run.once(id, () =>
      Promise.all(
        operations.map(([operation, { body }]) => {
          const request = run.request(operation, { parameters: absent(operation) });
          return run.cloud.send({ ...request, token, ...(body && { body: {} }) });
        }),
      ),
    );
  return [
    must('5', id, rule, async (run) => (await send(run)).flatMap((exchange) => run.statusFault(exchange, 401, 403))),
    should('5', `${id}-scheme`, 'Its response has status 401, and asks for a bearer token (RFC 6750).', async (run) =>
      (await send(run)).flatMap((exchange) => {
        const wrong = run.statusFault(exchange, 401);
        const hasScheme = /^bearer\b/i.test(exchange.headers.get('www-authenticate') ?? '');
        if (wrong.length > 0 || hasScheme) return wrong;
        return [run.deviation(exchange, 'header WWW-Authenticate', 'the scheme Bearer', 'none')];
      }),
    ),
  ];
}

/** The token endpoint and bearer tokens (section 5). */
export const tokenChecks: readonly Check[] = [
  must('5', 'token-form', 'The token endpoint accepts client credentials in the form.', async (run) =>
    run.statusFault(await requestToken(run), 200),
  ),
  should(
    '5',
    'token-basic',
    'The token endpoint accepts client credentials by HTTP Basic (RFC 6749, section 2.3.1).',
    async (run) => {
      const { clientId = '', clientSecret = '' } = run.options;
      const encoded = [clientId, clientSecret].map((part) => encodeURIComponent(part).replaceAll('%20', '+')).join(':');
      const value = `Basic ${Buffer.from(encoded).toString('base64')}`;
      const authorization = { value, from: 'Basic with the form-encoded client id and client secret in base64' };
      return run.statusFault(await requestToken(run, { client_id: '', client_secret: '' }, { authorization }), 200);
    },
  ),
  field('token-access', 'access_token', 'The token response has an access_token.', 'visible ASCII characters'),
  field('token-type', 'token_type', 'The token_type is Bearer.', 'Bearer'),
  field('token-lifetime', 'expires_in', 'expires_in is the lifetime in whole seconds.', 'a whole number'),
  should('5', 'token-cache', 'The token response has Cache-Control: no-store (RFC 6749, section 5.1).', async (run) => {
    const exchange = await issueToken(run);
    if (/\bno-store\b/i.test(exchange.headers.get('cache-control') ?? '')) return [];
    return [run.deviation(exchange, 'header Cache-Control', 'no-store', 'none or another value')];
  }),
  failing('token-secret', 'A wrong client secret is rejected.', { client_secret: ABSENT }, 'invalid_client'),
  failing('token-grant', 'Another grant type is rejected.', { grant_type: ABSENT }, 'unsupported_grant_type'),
  failing('token-scope', 'An unknown scope is rejected.', { scope: `${API_SCOPE}:${ABSENT}` }, 'invalid_scope'),
  ...rejecting('bearer-missing', 'A request without a token is rejected.', null),
  ...rejecting('bearer-invalid', 'A request with an invalid token is rejected.', ABSENT),
];
