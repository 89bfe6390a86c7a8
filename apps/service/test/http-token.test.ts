import { TokenError, TokenResponse } from '@hr/schemas';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ClientCredentials } from '../src/clients/clients.ts';
import { anyDriver } from './drivers.ts';
import { inventToken } from './oauth-form.ts';
import { startService } from './service.ts';
import type { TestService } from './service.ts';

type Fields = Record<string, string> | [string, string][] | string;

describe.each(anyDriver)('tokens on %s', (driver) => {
  let service: TestService;
  let client: ClientCredentials;

  beforeAll(async () => {
    service = await startService(driver, { HR_TOKEN_TTL_SECONDS: '120' });
    client = await service.client();
  });
  afterAll(() => service.stop());

  const request = (body: Fields, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${service.baseUrl}/api/oauth2/token`, { method: 'POST', headers, body: new URLSearchParams(body) });
  const grant = { grant_type: 'client_credentials' };
  const inForm = (): Record<string, string> => ({
    ...grant,
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  const basic = (id = client.clientId, secret = client.clientSecret): Record<string, string> => ({
    authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
  });

  test.each<[string, () => [Fields, Record<string, string>?]]>([
    ['in the form', () => [{ ...inForm(), scope: 'api:use' }]],
    ['without a scope', () => [inForm()]],
    ['with an empty scope and unknown fields', () => [{ ...inForm(), scope: '', resource: 'x' }]],
    ['by Basic', () => [grant, basic()]],
  ])('a token is granted %s', async (_, call) => {
    const response = await request(...call());
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
    const token = TokenResponse.strict().parse(await response.json());
    expect(token).toMatchObject({ token_type: 'Bearer', expires_in: 120, scope: 'api:use' });
    const headers = { authorization: `bearer ${token.access_token}` };
    expect((await service.send('GET', '/api/v1/persons', { headers })).status).toBe(200);
  });

  test.each<[TokenError['error'], string, () => [Fields, Record<string, string>?]]>([
    ['invalid_request', 'nothing', () => ['']],
    ['invalid_request', 'no grant type', () => [{ ...inForm(), grant_type: '' }]],
    ['invalid_request', 'a repeated field', () => [[...Object.entries(inForm()), ['client_id', 'x']]]],
    ['invalid_request', 'both ways of credentials', () => [inForm(), basic()]],
    ['invalid_request', 'JSON', () => ['{}', { 'content-type': 'application/json' }]],
    ['unsupported_grant_type', 'a password', () => [{ ...inForm(), grant_type: 'password' }]],
    ['invalid_client', 'no credentials', () => [grant]],
    ['invalid_client', 'no secret', () => [{ ...grant, client_id: client.clientId }]],
    ['invalid_client', 'a wrong secret', () => [{ ...inForm(), client_secret: 'x' }]],
    ['invalid_client', 'an unknown client', () => [{ ...inForm(), client_id: 'x' }]],
    ['invalid_client', 'NUL in the client id', () => [{ ...inForm(), client_id: 'a\0b' }]],
    ['invalid_client', 'a wrong secret by Basic', () => [grant, basic(client.clientId, 'x')]],
    ['invalid_client', 'a broken Basic', () => [grant, { authorization: 'Basic ?' }]],
    ['invalid_client', 'a bearer token', () => [grant, { authorization: 'Bearer x' }]],
    ['invalid_scope', 'the scope of an operator', () => [{ ...inForm(), scope: 'operator' }]],
    ['invalid_scope', 'two scopes', () => [{ ...inForm(), scope: 'api:use operator' }]],
  ])('%s answers %s', async (error, _, call) => {
    const response = await request(...call());
    expect(response.status).toBe(error === 'invalid_client' ? 401 : 400);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('www-authenticate')).toBe(error === 'invalid_client' ? 'Basic realm="hr-cloud"' : null);
    expect(TokenError.strict().parse(await response.json())).toMatchObject({ error });
  });

  test.each(['grant_type=%zz', 'grant_type=%ff', 'grant_type=client_credentials&client_id=\ufffd%'])(
    'the form %s is invalid',
    async (body) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
      const response = await fetch(`${service.baseUrl}/api/oauth2/token`, { method: 'POST', headers, body });
      expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    },
  );

  test("an operator's client names its scope", async () => {
    const { clientId, clientSecret } = await service.client('operator');
    const credentials = { ...grant, client_id: clientId, client_secret: clientSecret };
    expect((await request(credentials)).status).toBe(400);
    expect((await request({ ...credentials, scope: 'operator' })).status).toBe(200);
  });

  test.each([
    ['', 401, 'Bearer realm="hr-cloud"'],
    ['Basic YTpi', 401, 'Bearer realm="hr-cloud"'],
    ['Bearer', 401, 'Bearer realm="hr-cloud"'],
    ['Bearer x', 401, 'Bearer realm="hr-cloud", error="invalid_token"'],
    [`Bearer ${inventToken()}`, 401, 'Bearer realm="hr-cloud", error="invalid_token"'],
    ['Bearer a b', 401, 'Bearer realm="hr-cloud"'],
  ])('the authorization %j is %i', async (authorization, status, challenge) => {
    const answer = await service.send('GET', '/api/v1/persons', { headers: { authorization } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
  });

  test.each([
    ['operator', '/api/v1/persons', 'api:use'],
    ['api:use', '/operator/v1/variable-payments', 'operator:payments'],
  ] as const)('the scope %s does not reach %s', async (scope, path, needed) => {
    const { status, headers } = await service.send('GET', path, { scope });
    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toBe(
      `Bearer realm="hr-cloud", error="insufficient_scope", scope="${needed}"`,
    );
  });

  test('tokens and secrets have a prefix that scanners for secrets find, and the form of RFC 6750', async () => {
    const { access_token: token } = (await (await request(inForm())).json()) as TokenResponse;
    expect([token, client.clientSecret]).toEqual([
      expect.stringMatching(/^hrt_[\w-]{56}$/),
      expect.stringMatching(/^hrs_[\w-]{56}$/),
    ]);
  });

  test.each([
    ['of 16,000 characters', () => 'x'.repeat(16_000)],
    ['that was never issued', inventToken],
    ['that is a secret', () => client.clientSecret],
  ])('a token %s is looked up nowhere', async (_, token) => {
    // The keys are read, and `send` has its own token.
    await service.token();
    const query = vi.spyOn(service.database, 'query');
    const headers = { authorization: `Bearer ${token()}` };
    expect((await service.send('GET', '/api/v1/persons', { headers })).status).toBe(401);
    expect(query).not.toHaveBeenCalled();
    for (const endpoint of ['introspect', 'revoke']) {
      const body = new URLSearchParams({ ...inForm(), token: token() });
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await fetch(`${service.baseUrl}/api/oauth2/${endpoint}`, { method: 'POST', body })).status).toBe(200);
    }
    // The client's own credentials are one query each.
    expect(query).toHaveBeenCalledTimes(2);
    query.mockRestore();
  });

  test('a token ends when it expires, and when it is taken away within a second', async () => {
    const { access_token: token } = (await (await request(inForm())).json()) as TokenResponse;
    const statusAfter = async (): Promise<number> =>
      (await service.send('GET', '/api/v1/persons', { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await statusAfter()).toBe(200);
    await service.database.query('update access_token set expires_at = now()');
    await expect.poll(statusAfter).toBe(401);
  });
});
