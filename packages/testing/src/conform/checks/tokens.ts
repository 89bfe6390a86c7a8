import { API_SCOPE, TOKEN_PATH, TokenError, TokenResponse } from '@hr/schemas';
import type { Check } from '../check.ts';
import { credentialsForm, type CloudRequest, type Exchange } from '../cloud.ts';
import type { ConformRun } from '../conform-run.ts';
import { NotTried, type Deviation } from '../deviation.ts';
import { table } from '../../model/lists.ts';
import { ABSENT, absent } from './requests.ts';

const section = '5';

async function requestToken(
  run: ConformRun,
  changes: object = {},
  headers: CloudRequest['headers'] = {},
): Promise<Exchange> {
  const { clientId, clientSecret } = run.options;
  if (clientId === undefined || clientSecret === undefined) throw new NotTried('the run has a token and no client');
  const form = Object.fromEntries(
    Object.entries({ ...credentialsForm(run.options), ...changes }).filter(([, value]) => value),
  );
  return run.cloud.send({ operation: 'requestToken', method: 'POST', path: TOKEN_PATH, form, headers, token: null });
}

/** Checks that a token request fails as RFC 6749, section 5.2, says. */
function failing(id: string, rule: string, changes: object, [status, error]: readonly [number, string]): Check {
  const run: Check['run'] = async (context) => {
    const exchange = await requestToken(context, changes);
    const wrong = context.statusFault(exchange, status);
    if (wrong.length > 0 || TokenError.safeParse(exchange.body).data?.error === error) return wrong;
    return [context.deviation(exchange, 'body error', error, 'another body')];
  };
  return { id, section, level: 1, severity: 'must', rule, run };
}

/** Checks one part of a successful token response. */
function granted(
  id: string,
  rule: string,
  find: (exchange: Exchange) => Omit<Deviation, 'request'> | undefined,
): Check {
  const run: Check['run'] = async (context) => {
    const exchange = await requestToken(context);
    if (exchange.status !== 200) throw new NotTried(`the token request gets ${exchange.got}`);
    const fault = find(exchange);
    return fault ? [context.deviation(exchange, fault.place, fault.expected, fault.got)] : [];
  };
  return { id, section, level: 1, severity: 'must', rule, run };
}

function field(name: 'access_token' | 'token_type' | 'expires_in', expected: string) {
  return ({ body }: Exchange) => {
    const value = (body as Record<string, unknown> | null | undefined)?.[name];
    if (TokenResponse.shape[name].safeParse(value).success) return undefined;
    return { place: `body ${name}`, expected, got: value === undefined ? 'no field' : 'another value' };
  };
}

/** Checks that each operation rejects a token. Operations with a body get an id that does not exist. */
function rejecting(id: string, rule: string, token: string | null): Check {
  const run: Check['run'] = async (context) => {
    const all = Object.entries(table).map(async ([operation, { body }]) => {
      const parameters = absent(operation);
      const { method, path } = context.request(operation, { parameters });
      const exchange = await context.cloud.send({
        operation,
        method,
        path,
        parameters,
        token,
        ...(body && { body: {} }),
      });
      const wrong = context.statusFault(exchange, 401);
      const hasScheme = /^bearer\b/i.test(exchange.headers.get('www-authenticate') ?? '');
      if (wrong.length > 0 || hasScheme) return wrong;
      return [context.deviation(exchange, 'header WWW-Authenticate', 'the scheme Bearer (RFC 6750)', 'none')];
    });
    return (await Promise.all(all)).flat();
  };
  return { id, section, level: 1, severity: 'must', rule, run };
}

/** The token endpoint and bearer tokens (section 5). */
export const tokenChecks: readonly Check[] = [
  {
    id: 'token-form',
    section,
    level: 1,
    severity: 'must',
    rule: 'The token endpoint accepts client credentials in the form.',
    run: async (run) => run.statusFault(await requestToken(run), 200),
  },
  {
    id: 'token-basic',
    section,
    level: 1,
    severity: 'should',
    rule: 'The token endpoint accepts client credentials by HTTP Basic (RFC 6749, section 2.3.1).',
    run: async (run) => {
      const { clientId = '', clientSecret = '' } = run.options;
      const encoded = [clientId, clientSecret].map((part) => encodeURIComponent(part).replaceAll('%20', '+')).join(':');
      const value = `Basic ${Buffer.from(encoded).toString('base64')}`;
      const Authorization = { value, from: 'Basic with the form-encoded client id and client secret in base64' };
      return run.statusFault(await requestToken(run, { client_id: '', client_secret: '' }, { Authorization }), 200);
    },
  },
  granted('token-access', 'The token response has an access_token.', field('access_token', 'visible ASCII characters')),
  granted('token-type', 'The token_type is Bearer.', field('token_type', 'Bearer')),
  granted('token-lifetime', 'expires_in is the lifetime in whole seconds.', field('expires_in', 'a whole number')),
  granted('token-cache', 'The token response has Cache-Control: no-store (RFC 6749, section 5.1).', ({ headers }) =>
    /\bno-store\b/i.test(headers.get('cache-control') ?? '')
      ? undefined
      : { place: 'header Cache-Control', expected: 'no-store', got: 'none or another value' },
  ),
  failing('token-secret', 'A wrong client secret is rejected.', { client_secret: ABSENT }, [401, 'invalid_client']),
  failing('token-grant', 'Another grant type is rejected.', { grant_type: ABSENT }, [400, 'unsupported_grant_type']),
  failing('token-scope', 'An unknown scope is rejected.', { scope: `${API_SCOPE}:${ABSENT}` }, [400, 'invalid_scope']),
  rejecting('bearer-missing', 'A request without a token is rejected.', null),
  rejecting('bearer-invalid', 'A request with an invalid token is rejected.', ABSENT),
];
