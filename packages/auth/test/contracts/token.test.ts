import { consumer } from '@hr/testing/pact';
import { expect, test } from 'vitest';
import { clientCredentials } from '../../src/index.ts';

const hr = consumer({ name: 'hr-auth' });

test('a token', async () => {
  const requestedAt = Date.now();
  const { value, expiresAt } = await hr.tokenRequest().run(async ({ baseUrl, clientId, clientSecret }) => {
    return clientCredentials({ baseUrl, clientId, clientSecret }).getToken();
  });
  expect(value).toBe('token');
  expect(expiresAt).toBeGreaterThanOrEqual(requestedAt + 3_600_000);
});

test('a client or a secret that is not accepted', async () => {
  await hr.tokenRequest({ status: 401 }).run(async ({ baseUrl, clientId, clientSecret }) => {
    const auth = clientCredentials({ baseUrl, clientId, clientSecret });
    await expect(auth.getToken()).rejects.toMatchObject({ code: 'invalid-client', status: 401, attempts: 1 });
  });
});

test('a scope that is not granted', async () => {
  await hr.tokenRequest({ status: 400 }).run(async ({ baseUrl, clientId, clientSecret, scope = '' }) => {
    const auth = clientCredentials({ baseUrl, clientId, clientSecret, scope });
    await expect(auth.getToken()).rejects.toMatchObject({ code: 'invalid-scope', status: 400, attempts: 1 });
  });
});

test('a service that cannot answer now', async () => {
  await hr.tokenRequest({ status: 503 }).run(async ({ baseUrl, clientId, clientSecret }) => {
    const auth = clientCredentials({ baseUrl, clientId, clientSecret });
    await expect(auth.getToken()).rejects.toMatchObject({ code: 'server-error', status: 503, retryAfterMs: 0 });
  });
});
