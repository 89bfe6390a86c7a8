import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { IntrospectionResponse, TokenError, TokenResponse } from '@hr/schemas';
import * as oauth from 'oauth4webapi';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { ClientCredentials } from '../src/clients/clients.ts';
import { sendRequest } from '../src/operator/operator-api.ts';
import { connectToOperator } from '../src/operator/operator-socket.ts';
import { anyDriver } from './drivers.ts';
import { askToken, basic, inForm, inventToken, newToken, sendForm, takes, type Fields } from './oauth-form.ts';
import { sharedService, startService, type TestService } from './service.ts';

type Call = () => readonly [fields: Fields, headers?: Record<string, string>];

const endpoints = ['token', 'revoke', 'introspect'] as const;
const fields = { grant_type: 'client_credentials', token: 'x' };

function encoded(credentials: string | Buffer): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

describe.each(anyDriver)('tokens on %s', (driver) => {
  const service = sharedService(driver, { HR_TOKEN_TTL_SECONDS: '120' });
  let client: ClientCredentials;
  let other: ClientCredentials;
  let operator: ClientCredentials;
  let disabled: ClientCredentials;
  let id: string;
  let secret: string;

  beforeAll(async () => {
    client = await service.client();
    other = await service.client();
    operator = await service.client('operator');
    disabled = await service.client();
    await service.send('POST', `/operator/v1/clients/${disabled.clientId}/disable`, { scope: 'operator' });
    ({ clientId: id, clientSecret: secret } = client);
  });

  // A hint changes nothing, whatever it is.
  const revoke = (token: string, by = client) =>
    sendForm(service, 'revoke', { token, token_type_hint: 'refresh_token', ...inForm(by) });
  const introspect = async (token: string, by = client): Promise<unknown> => {
    const form = { token, token_type_hint: 'something', ...inForm(by) };
    const { status, body } = await sendForm(service, 'introspect', form);
    expect(status).toBe(200);
    return IntrospectionResponse.strict().parse(body);
  };
  const listPersons = (authorization: string) => service.send('GET', '/api/v1/persons', { headers: { authorization } });

  // Which requests are granted and refused is in the behaviour cases of section 5 and below.
  test('are granted for a while, in the form of RFC 6750 with a prefix that scanners for secrets find', async () => {
    const token = TokenResponse.strict().parse((await askToken(service, client)).body);
    expect(token).toMatchObject({ token_type: 'Bearer', expires_in: 120, scope: 'api:use' });
    expect([token.access_token, client.clientSecret]).toEqual([
      expect.stringMatching(/^hrt_[\w-]{56}$/),
      expect.stringMatching(/^hrs_[\w-]{56}$/),
    ]);
    expect((await listPersons(`bearer ${token.access_token}`)).status).toBe(200);
  });

  test('end within a second when they expire, though they are remembered', async () => {
    const token = await newToken(service, client);
    expect(await takes(service, token)).toBe(true);
    await service.database.query('update access_token set expires_at = now()');
    await expect.poll(() => takes(service, token)).toBe(false);
  });

  test.each<[string, () => string]>([
    ['has the form of a token', inventToken],
    ['has another form', () => 'x'],
    ['is very long', () => 'x'.repeat(16_000)],
    ['is a secret', () => client.clientSecret],
    ['is an id', () => client.clientId],
  ])('that were never issued are looked up nowhere: a text that %s', async (_, make) => {
    const token = make();
    // The keys are read, and `send` has its own token.
    await service.token();
    const query = vi.spyOn(service.database, 'query');
    const { status, headers } = await listPersons(`Bearer ${token}`);
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="hr-cloud", error="invalid_token"']);
    // The service itself looks now and then for what is due.
    const asked = () => query.mock.calls.filter(([statement]) => !/webhook_endpoint|notify hr_commits/.test(statement));
    expect(asked()).toEqual([]);
    expect(await introspect(token)).toEqual({ active: false });
    expect(await introspect(token, operator)).toEqual({ active: false });
    expect((await revoke(token)).status).toBe(200);
    // The credentials of the caller are one query each.
    expect(asked()).toHaveLength(3);
    query.mockRestore();
  });

  describe('revocation', () => {
    test('ends a token at once, as often as it is asked for, and no other', async () => {
      const [token, kept] = [await newToken(service, client), await newToken(service, client)];
      expect([await takes(service, token), await takes(service, kept)]).toEqual([true, true]);
      expect(await revoke(token)).toMatchObject({ status: 200, body: {} });
      expect([await takes(service, token), await takes(service, kept)]).toEqual([false, true]);
      expect(await introspect(token)).toEqual({ active: false });
      expect(await revoke(token)).toMatchObject({ status: 200, body: {} });
      expect(await takes(service, kept)).toBe(true);
    });

    test.each([
      ['another client', () => other],
      ['an operator', () => operator],
    ])('by %s is refused, and the token stays valid until it expires', async (_, who) => {
      const token = await newToken(service, client);
      const { status, body } = await revoke(token, who());
      expect([status, TokenError.strict().parse(body)]).toMatchObject([400, { error: 'invalid_grant' }]);
      expect(await takes(service, token)).toBe(true);
      // From then on it is one that is not known.
      await service.database.query('update access_token set expires_at = now()');
      expect((await revoke(token, who())).status).toBe(200);
    });
  });

  describe('introspection', () => {
    test('tells a client of its own tokens, and an operator of all', async () => {
      const before = Math.floor(Date.now() / 1000);
      const token = await newToken(service, client);
      const seen = await introspect(token);
      expect(seen).toEqual({
        active: true,
        scope: 'api:use',
        client_id: client.clientId,
        token_type: 'Bearer',
        exp: expect.any(Number) as number,
        iat: expect.any(Number) as number,
      });
      const { exp = 0, iat = 0 } = seen as IntrospectionResponse;
      expect(exp - iat).toBe(120);
      expect(iat).toBeGreaterThanOrEqual(before);
      expect(iat).toBeLessThanOrEqual(Date.now() / 1000);
      expect(await introspect(token, operator)).toEqual(seen);
      expect(await introspect(token, other)).toEqual({ active: false });

      const ofOperator = await newToken(service, operator);
      expect(await introspect(ofOperator, operator)).toMatchObject({ active: true, scope: 'operator' });
      expect(await introspect(ofOperator)).toEqual({ active: false });
    });

    // The operator's way of disabling a client deletes its tokens; here one is left.
    test.each([
      ['has expired', 'update access_token set expires_at = now() where client_id = $1'],
      ['is of a disabled client', 'update api_client set disabled_at = now() where client_id = $1'],
    ])('says of a token that %s only that it is not active', async (_, end) => {
      const ended = await service.client();
      const token = await newToken(service, ended);
      await service.database.query(end, [ended.clientId]);
      expect(await takes(service, token)).toBe(false);
      expect(await introspect(token, operator)).toEqual({ active: false });
    });
  });

  const form = (difference: Partial<ClientCredentials> = {}): Record<string, string> => ({
    ...fields,
    ...inForm({ ...client, ...difference }),
  });

  // What forms and Basic are is tested in packages/schemas, and in the behaviour cases of section 5.
  describe.each(endpoints)('the credentials of clients to %s', (endpoint) => {
    test.each<[string, Call]>([
      ['in the form', () => [form()]],
      ['by basic', () => [fields, { authorization: basic(id, secret).authorization.replace('B', 'b') }]],
    ])('are taken %s', async (_, call) => {
      const { status, headers } = await sendForm(service, endpoint, ...call());
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        pragma: 'no-cache',
      });
    });

    test.each<[TokenError['error'], string, Call]>([
      ['invalid_request', 'nothing', () => ['']],
      [
        'invalid_request',
        'an empty hint twice',
        () => [`${new URLSearchParams(form()).toString()}${'&token_type_hint='.repeat(2)}`],
      ],
      ['invalid_request', 'an id in the form and Basic', () => [{ ...fields, client_id: id }, basic(id, secret)]],
      ['invalid_client', 'no id', () => [form({ clientId: '' })]],
      ['invalid_client', 'the secret of another', () => [form({ clientSecret: other.clientSecret })]],
      ['invalid_client', 'the id of another', () => [form({ clientId: other.clientId })]],
      ['invalid_client', 'an id in capitals', () => [form({ clientId: id.toUpperCase() })]],
      ['invalid_client', 'NUL behind the id', () => [form({ clientId: `${id}\0` })]],
      ['invalid_client', 'NUL behind the secret', () => [form({ clientSecret: `${secret}\0` })]],
      ['invalid_client', 'those of a disabled client', () => [form(disabled)]],
      ['invalid_client', 'Basic without a colon', () => [fields, encoded(id + secret)]],
      ['invalid_client', 'Basic that is not UTF-8', () => [fields, encoded(Buffer.from([0xff, 0x3a, 0xff]))]],
      ['invalid_client', 'Basic with a broken escape', () => [fields, encoded(`${id}%:${secret}`)]],
      ['invalid_client', 'Basic that is encoded twice', () => [fields, basic(id.replace('-', '%2D'), secret)]],
      ['invalid_client', 'Basic with a field behind the id', () => [fields, encoded(`${id}&x=y:${secret}`)]],
      ['invalid_client', 'Basic with an id behind the secret', () => [fields, encoded(`x:${secret}&id=${id}`)]],
    ])('are answered %s: %s', async (error, _, call) => {
      const { status, headers, body } = await sendForm(service, endpoint, ...call());
      expect(status).toBe(error === 'invalid_client' ? 401 : 400);
      expect(Object.fromEntries(headers)).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
      expect(headers.get('www-authenticate')).toBe(error === 'invalid_client' ? 'Basic realm="hr-cloud"' : null);
      expect(TokenError.strict().parse(body)).toMatchObject({ error });
    });
  });

  test('a client that knows the RFCs finds everything by itself', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(service.baseUrl);
    const discovery = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const server = await oauth.processDiscoveryResponse(issuer, discovery);
    const self = { client_id: client.clientId };
    for (const authenticate of [oauth.ClientSecretBasic(secret), oauth.ClientSecretPost(secret)]) {
      // oxlint-disable no-await-in-loop -- one after the other
      const scope = { scope: 'api:use' };
      const granted = await oauth.clientCredentialsGrantRequest(server, self, authenticate, scope, insecure);
      const { access_token: token } = await oauth.processClientCredentialsResponse(server, self, granted);
      const introspection = async (): Promise<oauth.IntrospectionResponse> => {
        const told = await oauth.introspectionRequest(server, self, authenticate, token, insecure);
        return oauth.processIntrospectionResponse(server, self, told);
      };
      expect(await introspection()).toMatchObject({ active: true, client_id: id });
      await oauth.processRevocationResponse(await oauth.revocationRequest(server, self, authenticate, token, insecure));
      expect(await introspection()).toEqual({ active: false });
      // oxlint-enable no-await-in-loop
    }
  });

  test('nothing of it is in the log', async () => {
    const token = await newToken(service, client);
    await introspect(token);
    await revoke(token);
    await revoke(token, other);
    const log = service.log.join('');
    for (const word of ['requestToken', 'introspectToken', 'revokeToken', client.clientId]) expect(log).toContain(word);
    for (const { clientSecret } of [client, other, operator]) expect(log).not.toContain(clientSecret);
    expect(log).not.toContain(token);
  });
});

describe('the metadata', () => {
  test.each([
    ['the address that the service listens on', {}, (service: TestService) => service.baseUrl],
    ['what HR_PUBLIC_URL says', { HR_PUBLIC_URL: 'https://hr.example.com' }, () => 'https://hr.example.com'],
    ['it without the last slash', { HR_PUBLIC_URL: 'https://example.com/hr/' }, () => 'https://example.com/hr'],
  ])('names %s, whatever the request says', async (_, environment: Record<string, string>, issuerOf) => {
    const service = await startService('postgres', environment);
    const issuer = issuerOf(service);
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    const asked = request(`${service.baseUrl}/.well-known/oauth-authorization-server`, { headers }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json']);
    const authMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
    const algorithms = ['Ed25519', 'EdDSA', 'ES256'];
    expect(JSON.parse(await text(answer))).toEqual({
      issuer,
      token_endpoint: `${issuer}/api/oauth2/token`,
      token_endpoint_auth_methods_supported: authMethods,
      token_endpoint_auth_signing_alg_values_supported: algorithms,
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      scopes_supported:
        'api:use operator operator:read operator:payments operator:clients operator:feed operator:audit'.split(' '),
      revocation_endpoint: `${issuer}/api/oauth2/revoke`,
      revocation_endpoint_auth_methods_supported: authMethods,
      revocation_endpoint_auth_signing_alg_values_supported: algorithms,
      introspection_endpoint: `${issuer}/api/oauth2/introspect`,
      introspection_endpoint_auth_methods_supported: authMethods,
      introspection_endpoint_auth_signing_alg_values_supported: algorithms,
      service_documentation: `${issuer}/docs`,
    });
    await service.stop();
  });
});

test('a connection of the command line is an operator without a limit, and one of anybody else is not', async () => {
  const service = await startService('pglite', { HR_RATE_LIMIT: '1' });
  const folder = service.databaseUrl.slice('pglite:'.length);
  const status = async (url: string): Promise<number | undefined> => {
    const connection = await connectToOperator(folder);
    const { statusCode, headers } = await sendRequest(connection, { method: 'GET', url });
    expect(headers).not.toHaveProperty('ratelimit');
    connection.destroy();
    return statusCode;
  };
  const clients = '/operator/v1/clients';
  expect([await status(clients), await status(clients)]).toEqual([200, 200]);
  expect(await status('/api/v1/persons')).toBe(403);
  expect((await fetch(service.baseUrl + clients)).status).toBe(401);
  await service.stop();
});
