import { expect, test } from 'vitest';
import { fakeTime } from './fake-time.ts';
import { providerFor } from './provider.ts';
import { json, numberedToken, status, tokenServer } from './token-server.ts';

const rejected = json({ error: 'invalid_client' }, 401);
const rejection = { code: 'invalid-client', oauthError: 'invalid_client', status: 401 };

test('a rejected secret is not sent again for five seconds', async () => {
  const time = fakeTime();
  await using server = await tokenServer(rejected, numberedToken());
  const auth = providerFor(server);

  await expect(auth.getToken()).rejects.toMatchObject({ ...rejection, attempts: 1 });
  time.pass(4999);
  await expect(auth.getToken()).rejects.toMatchObject({
    ...rejection,
    attempts: 0,
    message: expect.stringContaining('the server rejected this less than 5 s ago') as string,
  });
  expect(server.requests).toHaveLength(1);
  time.pass(1);
  expect((await auth.getToken()).value).toBe('token-2');
});

test('a rotated secret is sent immediately, and the rejected one is not', async () => {
  fakeTime();
  await using server = await tokenServer(rejected, numberedToken());
  const secrets = ['old', 'old', 'new', 'old'];
  const auth = providerFor(server, { clientSecret: async () => secrets.shift() ?? '' });

  await expect(auth.getToken()).rejects.toMatchObject({ ...rejection, attempts: 1 });
  await expect(auth.getToken()).rejects.toMatchObject({ ...rejection, attempts: 0 });
  const token = await auth.getToken();
  expect(token.value).toBe('token-2');
  auth.invalidate(token);
  await expect(auth.getToken()).rejects.toMatchObject({ ...rejection, attempts: 0 });
  expect(server.requests.map(({ form }) => form.get('client_secret'))).toEqual(['old', 'new']);
});

test('a rejection is of one provider', async () => {
  fakeTime();
  await using server = await tokenServer(rejected);

  await expect(providerFor(server).getToken()).rejects.toMatchObject({ ...rejection, attempts: 1 });
  await expect(providerFor(server).getToken()).rejects.toMatchObject({ ...rejection, attempts: 1 });
});

test('other errors are not cached', async () => {
  fakeTime();
  await using server = await tokenServer(json({ error: 'invalid_scope' }, 400), status(403), numberedToken());
  const auth = providerFor(server);

  await expect(auth.getToken()).rejects.toMatchObject({ code: 'invalid-scope' });
  await expect(auth.getToken()).rejects.toMatchObject({ code: 'rejected' });
  expect((await auth.getToken()).value).toBe('token-3');
});
