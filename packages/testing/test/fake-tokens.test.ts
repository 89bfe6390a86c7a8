import { TokenResponse } from '@hr/schemas';
import { startFakeHrCloud } from '@hr/testing/fake';
import { describe, expect, test } from 'vitest';
import { call, requestToken } from './call.ts';

async function tokenOf(response: Response): Promise<string> {
  return TokenResponse.parse(await response.json()).access_token;
}

const HOUR = 3_600_000;

describe('the token endpoint', () => {
  test('gives a token that the API takes until it expires', async () => {
    let now = Date.parse('2026-03-02T12:00:00Z');
    await using fake = await startFakeHrCloud({ clock: () => now });
    const response = await requestToken(fake);
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    const headers = { authorization: `Bearer ${await tokenOf(response)}` };
    now += HOUR - 1;
    expect((await call(fake, 'GET /api/v1/persons', { headers })).status).toBe(200);
    now += 1;
    const late = await call(fake, 'GET /api/v1/persons', { headers });
    expect(late.status).toBe(401);
    expect(late.headers.get('www-authenticate')).toBe('Bearer realm="hr-cloud", error="invalid_token"');
  });

  test.each<[string, number, Record<string, string>, Record<string, string>]>([
    ['invalid_client', 401, { client_secret: 'x' }, {}],
    ['invalid_client', 401, { client_id: 'x' }, {}],
    ['invalid_client', 401, { client_secret: '' }, {}],
    ['invalid_request', 400, {}, { authorization: `Basic ${btoa('fake-client:fake-secret')}` }],
    ['invalid_request', 400, { grant_type: '' }, {}],
    ['unsupported_grant_type', 400, { grant_type: 'password' }, {}],
    ['invalid_scope', 400, { scope: 'operator' }, {}],
  ])('refuses with %s', async (error, status, fields, headers) => {
    await using fake = await startFakeHrCloud();
    const form = {
      grant_type: 'client_credentials',
      client_id: 'fake-client',
      client_secret: 'fake-secret',
      ...fields,
    };
    const body = new URLSearchParams(form);
    const response = await fetch(`${fake.url}/api/oauth2/token`, { method: 'POST', headers, body });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error });
  });

  test('takes the credentials as Basic, form-encoded', async () => {
    await using fake = await startFakeHrCloud({ clientId: 'a:b', clientSecret: 'ü %' });
    const credentials = `${encodeURIComponent('a:b')}:${encodeURIComponent('ü %')}`;
    const response = await fetch(`${fake.url}/api/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(credentials)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(response.status).toBe(200);
  });

  test('knows the clients that states bring, each with its scope', async () => {
    await using fake = await startFakeHrCloud();
    fake.state('an API client', { clientId: 'c', clientSecret: 's' });
    fake.state('an API client', { clientId: 'o', clientSecret: 's', scope: 'operator' });
    const token = await tokenOf(await requestToken(fake, { client_id: 'c', client_secret: 's' }));
    const operator = await tokenOf(await requestToken(fake, { client_id: 'o', client_secret: 's', scope: 'operator' }));
    const statuses = [token, operator].map(async (each) => {
      return (await call(fake, 'GET /api/v1/persons', { headers: { authorization: `Bearer ${each}` } })).status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 403]);
  });
});

describe('the tokens of contracts', () => {
  test.each([
    ['contract-token', 200],
    ['rejected-token', 401],
    ['token-without-scope', 403],
  ])('%s: %i', async (token, status) => {
    await using fake = await startFakeHrCloud();
    const response = await call(fake, 'GET /api/v1/persons', { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(status);
  });
});

test('a reset leaves tokens valid, but not those of clients that it ends', async () => {
  await using fake = await startFakeHrCloud();
  fake.state('an API client', { clientId: 'c', clientSecret: 's' });
  const kept = await tokenOf(await requestToken(fake));
  const ended = await tokenOf(await requestToken(fake, { client_id: 'c', client_secret: 's' }));
  fake.reset();
  const statuses = [kept, ended].map(async (each) => {
    return (await call(fake, 'GET /api/v1/persons', { headers: { authorization: `Bearer ${each}` } })).status;
  });
  expect(await Promise.all(statuses)).toEqual([200, 401]);
});
