import { expect, test } from 'vitest';
import { clientCredentials, staticToken } from '../src/index.ts';
import { NOWHERE, SECRET, providerFor } from './provider.ts';
import { shown } from './shown.ts';
import { json, numberedToken, reset, silent, status, tokenServer, type Respond } from './token-server.ts';

const TOKEN = 't0ken-that-must-not-show';

function expectHidden(value: unknown): void {
  expect(shown(value)).not.toContain(SECRET);
  expect(shown(value)).not.toContain(TOKEN);
}

test('a provider and its tokens', async () => {
  await using server = await tokenServer(numberedToken({ access_token: TOKEN }));
  const auth = providerFor(server);
  const token = await auth.getToken();

  expect(token.value).toBe(TOKEN);
  for (const value of [auth, token, staticToken(TOKEN), await staticToken(TOKEN).getToken()]) expectHidden(value);
  expect(JSON.parse(JSON.stringify(token))).toEqual({ expiresAt: token.expiresAt });
});

const echo: Respond = json({ error: SECRET, error_description: `unknown secret ${SECRET}`, access_token: TOKEN }, 400);

test.each<[string, Respond]>([
  ['an error that quotes the secret', echo],
  ['invalid_client that quotes the secret', json({ error: 'invalid_client', error_description: SECRET }, 401)],
  ['a challenge that quotes the secret', status(401, { 'www-authenticate': `Basic realm="${SECRET}"` })],
  ['a redirect that quotes the secret', status(302, { location: `/?client_secret=${SECRET}` })],
  ['a content type that quotes the secret', status(200, { 'content-type': `text/${SECRET}` })],
  ['no JSON', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(`${TOKEN} ${SECRET}`)],
  ['another token_type', numberedToken({ access_token: TOKEN, token_type: SECRET })],
  ['expires_in', numberedToken({ access_token: TOKEN, expires_in: SECRET })],
  ['an invalid token', numberedToken({ access_token: `${TOKEN}\n` })],
  ['503 that quotes the secret', json({ error: SECRET }, 503, { 'retry-after': SECRET })],
  ['a reset', reset],
  ['no response', silent],
])('the error after %s', async (_, respond) => {
  await using server = await tokenServer(respond);
  // Less than the first backoff: nothing is retried.
  const error = await providerFor(server, { timeout: 200 })
    .getToken()
    .catch((reason: unknown) => reason);

  expect(error).toMatchObject({ name: 'AuthError' });
  expect(error).not.toHaveProperty('cause');
  expectHidden(error);
});

test('the error after a fetch or a secret function that quotes the secret', async () => {
  const cause = Object.assign(new Error(SECRET), { code: `E ${SECRET}` });
  const quoting = () => Promise.reject(new Error(SECRET, { cause }));

  for (const options of [{ fetch: quoting }, { clientSecret: quoting }]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that a failure names its case
    const error = await providerFor(NOWHERE, { ...options, timeout: 200 })
      .getToken()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'AuthError' });
    expectHidden(error);
  }
});

test('an error about options', () => {
  const secretive = [
    { baseUrl: `https://user:${SECRET}@hr.example.com`, clientId: 'a', clientSecret: SECRET },
    { baseUrl: `nonsense-${SECRET}`, clientId: 'a', clientSecret: SECRET },
    { baseUrl: 'http://hr.example.com', clientId: 'a', clientSecret: SECRET },
    { baseUrl: 'https://hr.example.com', clientId: 'a', clientSecret: `${SECRET}\n` },
  ];
  for (const options of secretive) {
    let error: unknown;
    try {
      clientCredentials(options);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ name: 'AuthError' });
    expectHidden(error);
  }
});
