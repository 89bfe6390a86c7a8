import type { webcrypto } from 'node:crypto';
import { expect, test } from 'vitest';
import { shown } from './shown.ts';
import { clientCredentials, type PrivateJwk, type PrivateKey } from '../src/index.ts';
import { fakeTime } from './fake-time.ts';
import { json, numberedToken, status, tokenServer, type TokenServer } from './token-server.ts';

const { subtle } = globalThis.crypto;
const algorithms = { EdDSA: { name: 'Ed25519' }, ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } };
/** Of RFC 9864. */
const nameOf = { EdDSA: 'Ed25519', ES256: 'ES256' };
type Alg = keyof typeof algorithms;
interface Jwt {
  readonly header: { readonly alg: string; readonly kid?: string };
  readonly claims: Record<string, unknown>;
}

const pairOf = async (alg: Alg, extractable = true) =>
  (await subtle.generateKey(algorithms[alg], extractable, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
const jwkOf = async (alg: Alg = 'EdDSA', kid?: string): Promise<PrivateJwk> => {
  const jwk = await subtle.exportKey('jwk', (await pairOf(alg)).privateKey);
  return { ...jwk, ...(kid !== undefined && { kid }) };
};

function providerBy({ url }: Pick<TokenServer, 'url'>, privateKey: PrivateKey | (() => Promise<PrivateKey>)) {
  return clientCredentials({ baseUrl: url, clientId: 'payroll-sync', privateKey, timeout: 5000 });
}

/** The header and the claims of the assertion of a request. */
function jwtOf({ requests }: TokenServer, index = 0): Jwt {
  const parts = (requests[index]?.form.get('client_assertion') ?? '').split('.', 2);
  const [header, claims] = parts.map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown);
  return { header, claims } as Jwt;
}

async function isSignedBy({ requests }: TokenServer, publicKey: webcrypto.CryptoKey, alg: Alg): Promise<boolean> {
  const [header, claims, signature = ''] = (requests[0]?.form.get('client_assertion') ?? '').split('.');
  const input = Buffer.from(`${header}.${claims}`);
  return subtle.verify(algorithms[alg], publicKey, Buffer.from(signature, 'base64url'), input);
}

test.each<[Alg, boolean]>([
  ['EdDSA', true],
  ['EdDSA', false],
  ['ES256', true],
  ['ES256', false],
])('a CryptoKey signs with %s, whether or not it can be exported: %s', async (alg, extractable) => {
  await using server = await tokenServer(numberedToken());
  const { privateKey, publicKey } = await pairOf(alg, extractable);
  expect((await providerBy(server, privateKey).getToken()).value).toBe('token-1');

  const [request] = server.requests;
  expect(Object.fromEntries(request?.form ?? [])).toEqual({
    grant_type: 'client_credentials',
    scope: 'api:use',
    client_id: 'payroll-sync',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: expect.any(String) as string,
  });
  expect(request?.headers).not.toHaveProperty('authorization');
  const { header, claims } = jwtOf(server);
  expect(header).toEqual({ alg: nameOf[alg] });
  expect(claims).toMatchObject({ iss: 'payroll-sync', sub: 'payroll-sync', aud: server.url });
  expect(Number(claims['exp']) - Number(claims['iat'])).toBeLessThanOrEqual(300);
  expect(await isSignedBy(server, publicKey, alg)).toBe(true);
});

test.each<Alg>(['EdDSA', 'ES256'])('a JWK signs with %s, and its kid is in the header', async (alg) => {
  await using server = await tokenServer(numberedToken());
  const { alg: _, ...jwk } = await jwkOf(alg, '2026');
  await providerBy(server, { ...jwk, alg, use: 'sig', key_ops: ['sign'] }).getToken();
  expect(jwtOf(server).header).toEqual({ alg: nameOf[alg], kid: '2026' });
});

test('the audience is the base URL without its last slash, or the token endpoint', async () => {
  await using server = await tokenServer(numberedToken());
  const credentials = { clientId: 'payroll-sync', privateKey: await jwkOf() };
  await clientCredentials({ ...credentials, baseUrl: `${server.url}/tenant//` }).getToken();
  await clientCredentials({ ...credentials, tokenEndpoint: `${server.url}/token?a=b` }).getToken();
  expect([jwtOf(server, 0), jwtOf(server, 1)].map(({ claims }) => claims['aud'])).toEqual([
    `${server.url}/tenant`,
    `${server.url}/token?a=b`,
  ]);
});

test('each attempt has an assertion of its own', async () => {
  await using server = await tokenServer(status(503), numberedToken());
  await providerBy(server, await jwkOf()).getToken();
  expect(new Set([jwtOf(server, 0), jwtOf(server, 1)].map(({ claims }) => claims['jti'])).size).toBe(2);
});

test('a function is called for each token, so another key needs no restart', async () => {
  await using server = await tokenServer(numberedToken());
  const keys = [await jwkOf('EdDSA', 'old'), (await pairOf('ES256')).privateKey];
  const auth = providerBy(server, async () => keys.shift() as PrivateKey);
  auth.invalidate(await auth.getToken());
  await auth.getToken();
  expect([jwtOf(server, 0), jwtOf(server, 1)].map(({ header }) => header)).toEqual([
    { alg: 'Ed25519', kid: 'old' },
    { alg: 'ES256' },
  ]);
});

test('a rejected key is not used again for five seconds, and another one is', async () => {
  fakeTime();
  await using server = await tokenServer(json({ error: 'invalid_client' }, 401), numberedToken());
  const old = await jwkOf();
  const keys = [old, { ...old }, await jwkOf()];
  const auth = providerBy(server, async () => keys.shift() as PrivateJwk);
  const rejection = { code: 'invalid-client', message: expect.stringContaining('the clock') as string };
  await expect(auth.getToken()).rejects.toMatchObject({ ...rejection, attempts: 1 });
  await expect(auth.getToken()).rejects.toMatchObject({ ...rejection, attempts: 0 });
  expect((await auth.getToken()).value).toBe('token-2');
});

test.each<[string, () => unknown]>([
  ['throws', () => Promise.reject(new Error('s3cret'))],
  ['returns nothing', () => undefined],
  ['returns a PEM', () => '-----BEGIN PRIVATE KEY-----'],
  ['returns a public key', async () => (await pairOf('EdDSA')).publicKey],
  ['returns a public JWK', async () => ({ ...(await jwkOf()), d: undefined })],
  ['returns a key of another curve', () => subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-384' }, true, ['sign'])],
  ['returns a JWK that is no key', () => ({ kty: 'OKP', crv: 'Ed25519', x: 's3cret', d: 's3cret' })],
])('a function that %s is an error that does not quote it', async (_, read) => {
  await using server = await tokenServer(numberedToken());
  const error = await providerBy(server, read as never)
    .getToken()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'AuthError', code: 'secret-unavailable', attempts: 0 });
  expect((error as Error).message).toContain('privateKey');
  expect(shown(error)).not.toContain('s3cret');
  expect(server.requests).toEqual([]);
});

test('nothing that is shown of a provider or an error has the key', async () => {
  await using server = await tokenServer(json({ error: 'invalid_client' }, 401));
  const privateKey = await jwkOf();
  const auth = providerBy(server, privateKey);
  const error = await auth.getToken().catch((reason: unknown) => reason);
  const assertion = server.requests[0]?.form.get('client_assertion') ?? '';
  expect(assertion).not.toContain(privateKey.d);
  for (const value of [auth, error]) {
    expect(shown(value)).not.toContain(privateKey.d);
    expect(shown(value)).not.toContain(assertion);
  }
});

test('a key needs https, too: the tokens are secret', async () => {
  const options = { clientId: 'a', privateKey: await jwkOf() };
  expect(() => clientCredentials({ ...options, baseUrl: 'http://hr.example.com' })).toThrow(
    expect.objectContaining({ code: 'insecure-url', message: expect.stringContaining('access token') as string }),
  );
});
