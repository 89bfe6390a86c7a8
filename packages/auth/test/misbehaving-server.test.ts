import { expect, test } from 'vitest';
import { isAuthError, type AuthErrorCode } from '../src/index.ts';
import { fakeTime } from './fake-time.ts';
import { NOWHERE, providerFor } from './provider.ts';
import { json, numberedToken, reset, status, tokenServer, type Respond } from './token-server.ts';

/** Less than the first backoff, and time stands still: nothing is retried. */
const options = { timeout: 200 };

const raw =
  (body: string, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);

const endless: Respond = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = ' '.repeat(16_384);
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pour);
  pour();
};

const cutOff: Respond = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"access_token": "t', () => response.socket?.destroy());
};

test.each<[string, Respond, AuthErrorCode, number | undefined, RegExp]>([
  ['HTML for JSON', status(200), 'invalid-response', 200, /content-type must be application\/json/],
  ['an empty body', raw(''), 'invalid-response', 200, /JSON/],
  ['truncated JSON', raw('{"access_token": "t'), 'invalid-response', 200, /parse/],
  ['an array', raw('[]'), 'invalid-response', 200, /object/],
  ['no access_token', numberedToken({ access_token: undefined }), 'invalid-response', 200, /access_token/],
  ['an empty access_token', numberedToken({ access_token: '' }), 'invalid-response', 200, /access_token/],
  [
    'an access_token with a line break',
    numberedToken({ access_token: 'a\nb' }),
    'invalid-response',
    200,
    /access_token/,
  ],
  ['an access_token with a space', numberedToken({ access_token: 'a b ' }), 'invalid-response', 200, /access_token/],
  ['no token_type', numberedToken({ token_type: undefined }), 'invalid-response', 200, /token_type/],
  ['token_type mac', numberedToken({ token_type: 'mac' }), 'invalid-response', 200, /token_type/],
  ['token_type DPoP', numberedToken({ token_type: 'DPoP' }), 'invalid-response', 200, /token_type/],
  ['expires_in 0', numberedToken({ expires_in: 0 }), 'invalid-response', 200, /expires_in/],
  ['a negative expires_in', numberedToken({ expires_in: -1 }), 'invalid-response', 200, /expires_in/],
  ['expires_in null', numberedToken({ expires_in: null }), 'invalid-response', 200, /expires_in/],
  ['expires_in as words', numberedToken({ expires_in: 'soon' }), 'invalid-response', 200, /expires_in/],
  ['204', (response) => response.writeHead(204).end(), 'invalid-response', 204, /status 204, not 200/],
  ['a body without end', endless, 'invalid-response', 200, /longer than 65536 bytes/],
  ['a token in 64 KiB and more', raw(`{"x":"${'x'.repeat(65_536)}"}`), 'invalid-response', 200, /longer than/],
  ['a body that breaks off', cutOff, 'network', 200, /no complete response \(UND_ERR_SOCKET\)/],
  ['a reset', reset, 'network', undefined, /no complete response \(\w+\)/],
  ['302', status(302, { location: 'https://elsewhere.example.com/' }), 'redirected', 302, /redirects/],
  ['307', status(307, { location: '/elsewhere' }), 'redirected', 307, /redirects/],
  [
    'an unknown client',
    json({ error: 'invalid_client' }, 401),
    'invalid-client',
    401,
    /Check clientId and clientSecret/,
  ],
  [
    'an unknown client with a challenge',
    json({ error: 'invalid_client' }, 401, { 'www-authenticate': 'Basic realm="tokens"' }),
    'invalid-client',
    401,
    /Check clientId and clientSecret/,
  ],
  ['an unknown scope', json({ error: 'invalid_scope' }, 400), 'invalid-scope', 400, /Check scope/],
  [
    'another grant',
    json({ error: 'unsupported_grant_type' }, 400),
    'rejected',
    400,
    /does not support client credentials/,
  ],
  [
    'an unknown error code',
    json({ error: 'constructor' }, 400),
    'rejected',
    400,
    /status 400 without an error code of RFC 6749/,
  ],
  ['401 in HTML', status(401), 'rejected', 401, /status 401/],
  ['429', status(429), 'rate-limited', 429, /429/],
  ['502 in HTML', status(502), 'server-error', 502, /502/],
  ['503 as an OAuth error', json({ error: 'temporarily_unavailable' }, 503), 'server-error', 503, /503/],
])('%s', async (_, respond, code, expectedStatus, message) => {
  fakeTime();
  await using server = await tokenServer(respond);
  const error = await providerFor(server, options)
    .getToken()
    .catch((reason: unknown) => reason);

  expect(error).toMatchObject({ name: 'AuthError', code, status: expectedStatus, attempts: 1 });
  expect(isAuthError(error) && error.message).toMatch(message);
  expect(isAuthError(error) && error.message).toContain(`Token request to ${server.url}/api/oauth2/token: `);
});

test.each([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
])('the error code %s is data of the error', async (oauthError) => {
  await using server = await tokenServer(json({ error: oauthError }, 400));

  await expect(providerFor(server).getToken()).rejects.toMatchObject({ oauthError, status: 400 });
});

test.each<[string, Respond]>([
  ['an unknown error code', json({ error: 'constructor' }, 400)],
  ['no error code', status(400)],
])('%s is not', async (_, respond) => {
  await using server = await tokenServer(respond);

  await expect(providerFor(server).getToken()).rejects.toMatchObject({ oauthError: undefined, status: 400 });
});

test('token_type is case-insensitive', async () => {
  await using server = await tokenServer(numberedToken({ token_type: 'bEARER' }));

  expect((await providerFor(server).getToken()).value).toBe('token-1');
});

test('nothing listens at the address', async () => {
  fakeTime();
  const server = await tokenServer(numberedToken());
  await server[Symbol.asyncDispose]();

  await expect(providerFor(server, options).getToken()).rejects.toMatchObject({
    code: 'network',
    message: expect.stringContaining('(ECONNREFUSED)') as string,
  });
});

test('a fetch that hides redirects, as browsers do', async () => {
  const opaque = Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });

  await expect(providerFor(NOWHERE, { fetch: async () => opaque }).getToken()).rejects.toMatchObject({
    code: 'redirected',
    status: undefined,
  });
});
