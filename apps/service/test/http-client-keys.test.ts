import { createHmac, createPublicKey, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { calculateJwkThumbprint } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClientRecord } from '../src/clients/clients.ts';
import { deleteExpiredAssertions } from '../src/clients/client-assertions.ts';
import { asserting, askTokenBy, claimsOf, newKey, now, sign, type Claims, type KeyPair } from './client-assertion.ts';
import { anyDriver } from './drivers.ts';
import { askToken, inForm, newToken, sendForm, takes } from './oauth-form.ts';
import { sharedService, startService, type TestService } from './service.ts';

const clients = '/operator/v1/clients';
const isMoment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) as string;
const refused = { status: 401, body: { error: 'invalid_client' } };

async function operate<Answer>(service: TestService, path: string, body?: object): Promise<Answer> {
  const answer = await service.send('POST', clients + path, { scope: 'operator', body });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as Answer;
}

/** Creates a client with these keys. */
async function clientWith(service: TestService, ...keys: readonly KeyPair[]): Promise<string> {
  const jwks = { keys: keys.map(({ publicJwk }) => publicJwk) };
  const { clientId } = await operate<ClientRecord>(service, '', { name: 'A test', scope: 'api:use', jwks });
  return clientId;
}

describe.each(anyDriver)('keys of clients on %s', (driver) => {
  const service = sharedService(driver, { HR_TRUSTED_PROXY: '127.0.0.1' });
  let key: KeyPair;
  let clientId: string;
  let addresses = 0;

  beforeAll(async () => {
    key = await newKey();
    clientId = await clientWith(service, key);
  });

  /** Each from another address, so that none is refused as one of many. */
  const ask = (assertion: string, fields: Record<string, string> = {}) => {
    addresses += 1;
    const address = `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
    return askTokenBy(service, assertion, fields, { 'x-forwarded-for': address });
  };
  const askWith = (claims: Claims = {}, header: object = {}) =>
    sign(key, { ...claimsOf(service, clientId), ...claims }, header).then((assertion) => ask(assertion));
  const list = async (): Promise<ClientRecord | undefined> => {
    const { body } = await service.send('GET', clients, { scope: 'operator' });
    return (body as ClientRecord[]).find((client) => client.clientId === clientId);
  };
  const tokenOf = async (by: KeyPair, id: string): Promise<string> => {
    const { status, body } = await ask(await sign(by, claimsOf(service, id)));
    expect(status).toBe(200);
    return String(body['access_token']);
  };

  test('get a client tokens without a secret', async () => {
    const jwks = { keys: [key.publicJwk] };
    const created = await operate(service, '', { name: 'A test', scope: 'api:use', jwks });
    expect(created).toEqual({ clientId: expect.stringMatching(/^hr-/) as string, scope: 'api:use' });
    const kid = await calculateJwkThumbprint(key.publicJwk);
    expect(await list()).toMatchObject({ secrets: [], keys: [{ kid, alg: 'EdDSA', createdAt: isMoment }] });
    const { status, body } = await askWith();
    expect([status, body]).toMatchObject([200, { token_type: 'Bearer', scope: 'api:use', expires_in: 3600 }]);
    expect(await takes(service, String(body['access_token']))).toBe(true);
    expect((await list())?.lastTokenAt).toEqual(isMoment);
  });

  test('take what other libraries send', async () => {
    const as = { issuer: service.baseUrl, token_endpoint: `${service.baseUrl}/api/oauth2/token` };
    const client = { client_id: clientId };
    const options = { [oauth.allowInsecureRequests]: true };
    const proof = oauth.PrivateKeyJwt(key.privateKey);
    const response = await oauth.clientCredentialsGrantRequest(as, client, proof, {}, options);
    expect(await oauth.processClientCredentialsResponse(as, client, response)).toMatchObject({ token_type: 'bearer' });
  });

  test.each<[string, () => Claims, object?]>([
    ['the token endpoint as audience', () => ({ aud: `${service.baseUrl}/api/oauth2/token` })],
    ['one audience in a list', () => ({ aud: [service.baseUrl] })],
    ['five minutes', () => ({ exp: now() + 300 })],
    ['a clock that is 20 s fast', () => ({ iat: now() + 20, nbf: now() + 20, exp: now() + 80 })],
    ['a clock that is slow', () => ({ iat: now() - 100, exp: now() + 1 })],
    ['no iat', () => ({ iat: undefined })],
    ['the older name of the algorithm', () => ({}), { alg: 'EdDSA' }],
    ['a type', () => ({}), { typ: 'client-authentication+jwt' }],
  ])('get a token with %s', async (_, claims, header) => {
    expect(await askWith(claims(), header)).toMatchObject({ status: 200 });
  });

  test.each<[claim: string, wrong: () => Claims]>([
    ['aud', () => ({ aud: 'https://other.example.com' })],
    ['aud', () => ({ aud: `${service.baseUrl}/` })],
    ['aud', () => ({ aud: [service.baseUrl, 'https://other.example.com'] })],
    ['aud', () => ({ aud: [service.baseUrl, `${service.baseUrl}/api/oauth2/token`] })],
    ['aud', () => ({ aud: [] })],
    ['aud', () => ({ aud: undefined })],
    ['exp', () => ({ exp: now() - 31 })],
    ['exp', () => ({ exp: now() + 340 })],
    ['exp', () => ({ exp: undefined })],
    ['exp', () => ({ exp: '2126-01-01' })],
    ['nbf', () => ({ nbf: now() + 60 })],
    ['iat', () => ({ iat: now() + 60 })],
    ['iss', () => ({ iss: 'someone-else' })],
    ['iss', () => ({ iss: undefined })],
    ['jti', () => ({ jti: undefined })],
    ['jti', () => ({ jti: '' })],
    ['jti', () => ({ jti: 7 })],
  ])('whoever has the key learns that %s is wrong', async (claim, wrong) => {
    const { status, body } = await askWith(wrong());
    expect([status, body['error']]).toEqual([401, 'invalid_client']);
    expect(body['error_description']).toContain(claim);
  });

  test('whoever does not learns the same of every client, key and reason', async () => {
    const stranger = await newKey();
    const other = await newKey('Ed25519', 'known');
    const otherId = await clientWith(service, other);
    const disabled = await clientWith(service, key);
    await operate(service, `/${disabled}/disable`);
    const secretOnly = await service.client();
    const valid = claimsOf(service, clientId);
    const wrongTime = { ...valid, exp: now() - 1000 };
    const once = await sign(key, claimsOf(service, clientId));
    expect((await ask(once)).status).toBe(200);
    const answers = await Promise.all([
      ask(once),
      sign(stranger, valid).then(ask),
      sign(stranger, wrongTime).then(ask),
      sign({ ...stranger, publicJwk: other.publicJwk }, claimsOf(service, otherId)).then(ask),
      sign(other, claimsOf(service, clientId)).then(ask),
      sign(other, claimsOf(service, otherId), { kid: 'unknown' }).then(ask),
      sign(key, claimsOf(service, 'hr-unknown')).then(ask),
      sign(key, claimsOf(service, secretOnly.clientId)).then(ask),
      sign(key, claimsOf(service, disabled)).then(ask),
      sign(key, { ...valid, sub: undefined }).then(ask),
      sign(key, { ...valid, sub: '' }).then(ask),
      sign(key, valid).then((assertion) => ask(assertion, { client_id: otherId })),
      ask('no.j.wt'),
      ask('x'),
    ]);
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers[0]).toMatchObject(refused);
  });

  test('of another algorithm get none', async () => {
    const payload = Buffer.from(JSON.stringify(claimsOf(service, clientId))).toString('base64url');
    const headed = (alg: string) => `${Buffer.from(JSON.stringify({ alg })).toString('base64url')}.${payload}`;
    const pem = createPublicKey({ key: key.publicJwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const secrets = [pem, Buffer.from(key.publicJwk.x ?? '', 'base64url'), JSON.stringify(key.publicJwk)];
    const input = headed('HS256');
    const forged = [
      `${headed('none')}.`,
      ...secrets.map((secret) => `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`),
    ];
    for (const assertion of forged) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await ask(assertion)).toMatchObject(refused);
    }
    const p256 = await newKey('ES256');
    const other = { ...p256, alg: 'ES256', publicJwk: {} };
    expect(await ask(await sign(other, claimsOf(service, clientId)))).toMatchObject(refused);
    const embedded = { jwk: p256.publicJwk, jku: 'https://attacker.example.com', x5u: 'https://attacker.example.com' };
    expect(await ask(await sign(other, claimsOf(service, clientId), embedded))).toMatchObject(refused);
    expect(await askWith({}, { crit: ['exp'], exp: 1 })).toMatchObject(refused);
  });

  test('are Ed25519 or P-256', async () => {
    const p256 = await newKey('ES256');
    const id = await clientWith(service, p256);
    expect(await takes(service, await tokenOf(p256, id))).toBe(true);
  });

  test('any change of an assertion gets no token, and leaves it valid', async () => {
    const p256 = await newKey('ES256');
    const ids = [clientId, await clientWith(service, p256)];
    const keys = [key, p256];
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 1 }),
        fc.nat(),
        fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n'.split('')),
        fc.constantFrom('replace', 'insert', 'delete'),
        async (which, position, character, change) => {
          const assertion = await sign(keys[which] as KeyPair, claimsOf(service, ids[which] ?? ''));
          const at = position % assertion.length;
          const put = change === 'delete' ? '' : character;
          const changed = assertion.slice(0, at) + put + assertion.slice(change === 'insert' ? at : at + 1);
          fc.pre(changed !== assertion);
          expect(await ask(changed)).toMatchObject({ status: 401 });
          expect(await ask(assertion)).toMatchObject({ status: 200 });
        },
      ),
      { numRuns: 60 },
    );
  });

  test('the spare bits of the last character are no way to change one', async () => {
    const assertion = await sign(key, claimsOf(service, clientId));
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = digits.indexOf(assertion.at(-1) ?? '');
    for (let bits = 1; bits < 16; bits++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await ask(assertion.slice(0, -1) + digits[last ^ bits])).toMatchObject(refused);
    }
    expect(await ask(assertion)).toMatchObject({ status: 200 });
  });

  test('an assertion works once, for all endpoints together', async () => {
    const form = async () => asserting(await sign(key, claimsOf(service, clientId)));
    const token = await tokenOf(key, clientId);
    const introspecting = await form();
    expect((await sendForm(service, 'introspect', { token, ...introspecting })).body).toMatchObject({ active: true });
    expect(await sendForm(service, 'introspect', { token, ...introspecting })).toMatchObject(refused);
    expect(await sendForm(service, 'token', { grant_type: 'client_credentials', ...introspecting })).toMatchObject(
      refused,
    );
    expect((await sendForm(service, 'revoke', { token, ...(await form()) })).status).toBe(200);
    expect(await takes(service, token)).toBe(false);
    const assertion = await sign(key, claimsOf(service, clientId));
    const statuses = await Promise.all(Array.from({ length: 8 }, () => ask(assertion)));
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a jti of one client is free for another', async () => {
    const other = await clientWith(service, key);
    const jti = randomUUID();
    for (const id of [clientId, other]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await ask(await sign(key, { ...claimsOf(service, id), jti }))).toMatchObject({ status: 200 });
    }
  });

  test('used assertions are kept until they have expired everywhere', async () => {
    const assertion = await sign(key, claimsOf(service, clientId));
    await ask(assertion);
    await deleteExpiredAssertions(service.database);
    expect(await ask(assertion)).toMatchObject(refused);
    await service.database.query(`update client_assertion set expires_at = now() - interval '61 minutes'`);
    await deleteExpiredAssertions(service.database);
    expect(await service.database.query('select from client_assertion')).toEqual([]);
  });

  test('a request proves who it is in one way', async () => {
    const { clientId: id, clientSecret } = await service.client();
    const assertion = await sign(key, claimsOf(service, clientId));
    const authorization = `Basic ${Buffer.from(`${id}:${clientSecret}`).toString('base64')}`;
    const invalid = { status: 400, body: { error: 'invalid_request' } };
    expect(await ask(assertion, { client_secret: clientSecret })).toMatchObject(invalid);
    expect(await askTokenBy(service, assertion, {}, { authorization })).toMatchObject(invalid);
    expect(await ask(assertion, { client_assertion: '' })).toMatchObject(invalid);
    expect(await ask(assertion, { client_assertion_type: 'urn:other' })).toMatchObject(refused);
    expect(await ask(assertion, { client_assertion_type: '' })).toMatchObject(refused);
    expect(await ask(assertion, { client_id: clientId })).toMatchObject({ status: 200 });
  });

  test('a token ends with its key, and those of other keys stay', async () => {
    const [one, two] = [await newKey('Ed25519', 'one'), await newKey('ES256', 'two')];
    const id = await clientWith(service, one);
    const first = await tokenOf(one, id);
    const set = (...keys: readonly KeyPair[]) =>
      operate<ClientRecord>(service, `/${id}/keys`, { jwks: { keys: keys.map(({ publicJwk }) => publicJwk) } });
    expect((await set(one, two)).keys?.map(({ kid }) => kid)).toEqual(['one', 'two']);
    const second = await tokenOf(two, id);
    expect([await takes(service, first), await takes(service, second)]).toEqual([true, true]);
    await set(two);
    expect([await takes(service, first), await takes(service, second)]).toEqual([false, true]);
    expect(await ask(await sign(one, claimsOf(service, id)))).toMatchObject(refused);
    // The same name for another key.
    await set(await newKey('ES256', 'two'));
    expect(await takes(service, second)).toBe(false);
    expect(await ask(await sign(two, claimsOf(service, id)))).toMatchObject(refused);
    expect(await operate<ClientRecord>(service, `/${id}/keys`, { none: true })).not.toHaveProperty('keys');
  });

  test('a client that is disabled gets no token, and no other than before when it is enabled', async () => {
    const id = await clientWith(service, key);
    const token = await tokenOf(key, id);
    await operate(service, `/${id}/disable`);
    expect(await takes(service, token)).toBe(false);
    const assertion = await sign(key, claimsOf(service, id));
    expect(await ask(assertion)).toMatchObject(refused);
    await operate(service, `/${id}/enable`);
    expect(await takes(service, token)).toBe(false);
    expect(await takes(service, await tokenOf(key, id))).toBe(true);
  });

  test('a client moves from its secret to a key, and back', async () => {
    const client = await service.client();
    const id = client.clientId;
    const bySecret = await newToken(service, client);
    await operate(service, `/${id}/keys`, { jwks: { keys: [key.publicJwk] } });
    const byKey = await tokenOf(key, id);
    expect(await operate(service, `/${id}/rotate`, { retire: true })).toMatchObject({ retired: true, secrets: [] });
    expect([await takes(service, bySecret), await takes(service, byKey)]).toEqual([false, true]);
    expect(await askToken(service, client)).toMatchObject(refused);
    const { clientSecret } = await operate<{ clientSecret: string }>(service, `/${id}/rotate`);
    await operate(service, `/${id}/rotate`);
    // With a previous secret, that one is meant.
    expect(await operate(service, `/${id}/rotate`, { retire: true })).toMatchObject({ secrets: [{}] });
    expect(
      await sendForm(service, 'token', { grant_type: 'client_credentials', ...inForm({ clientId: id, clientSecret }) }),
    ).toMatchObject(refused);
    await operate(service, `/${id}/keys`, { none: true });
    expect(await takes(service, byKey)).toBe(false);
    expect(await operate(service, `/${id}/rotate`, { retire: true })).toMatchObject({ retired: false, secrets: [{}] });
  });

  test.each<[string, () => Promise<object>, string]>([
    ['a private key', async () => (await newKey()).privateJwk, 'compromised'],
    ['a private P-256 key', async () => (await newKey('ES256')).privateJwk, 'compromised'],
    ['a private RSA key', async () => ({ kty: 'RSA', n: 'AQAB', e: 'AQAB', d: 'AQAB' }), 'compromised'],
    ['a symmetric key', async () => ({ kty: 'oct', k: 'AQAB' }), 'compromised'],
    ['an RSA key', async () => ({ kty: 'RSA', n: 'AQAB', e: 'AQAB' }), 'Ed25519'],
    ['another curve', async () => ({ kty: 'EC', crv: 'P-384', x: 'AQAB', y: 'AQAB' }), 'Ed25519'],
    ['a key for encryption', async () => ({ ...(await newKey()).publicJwk, use: 'enc' }), 'Ed25519'],
    ['another algorithm', async () => ({ ...(await newKey()).publicJwk, alg: 'ES256' }), 'Ed25519'],
    ['another type', async () => ({ ...(await newKey()).publicJwk, kty: 'EC' }), 'Ed25519'],
    ['a short key', async () => ({ kty: 'OKP', crv: 'Ed25519', x: 'AQAB' }), 'curve'],
    ['a point that is not on the curve', async () => ({ ...(await newKey('ES256')).publicJwk, y: 'AQAB' }), 'curve'],
  ])('%s is refused', async (_, jwk, reason) => {
    const keys = [await jwk()];
    for (const [path, body] of [
      [`/${clientId}/keys`, {}],
      ['', { name: 'A test', scope: 'api:use' }],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answer = await service.send('POST', clients + path, {
        scope: 'operator',
        body: { ...body, jwks: { keys } },
      });
      const [error] = (answer.body as { errors: { pointer: string; detail: string }[] }).errors;
      expect([answer.status, error?.pointer]).toEqual([400, '/jwks/keys/0']);
      expect(error?.detail).toContain(reason);
      expect(service.log.join('')).not.toContain((keys[0] as { d?: string }).d ?? 'private key');
    }
  });

  test.each<[string, (publicJwk: object) => object]>([
    ['nothing', () => ({})],
    ['no key', () => ({ jwks: { keys: [] } })],
    ['eleven keys', (jwk) => ({ jwks: { keys: Array.from({ length: 11 }, (_, n) => ({ ...jwk, kid: `${n}` })) } })],
    ['a key twice', (jwk) => ({ jwks: { keys: [jwk, { ...jwk, kid: 'other' }] } })],
    ['two sources', (jwk) => ({ jwks: { keys: [jwk] }, jwksUrl: 'https://keys.example.com' })],
    ['http', () => ({ jwksUrl: 'http://keys.example.com' })],
    ['a password', () => ({ jwksUrl: 'https://a:b@keys.example.com' })],
    ['a private address', () => ({ jwksUrl: 'https://10.0.0.1/jwks' })],
    ['a loopback address', () => ({ jwksUrl: 'https://[::1]/jwks' })],
  ])('%s is refused as keys', async (_, body) => {
    const answer = await service.send('POST', `${clients}/${clientId}/keys`, {
      scope: 'operator',
      body: body(key.publicJwk),
    });
    expect(answer.status).toBe(400);
  });

  test('who manages clients of the API sets only their keys', async () => {
    const operator = await service.client('operator');
    const send = (path: string, body: object) =>
      service.send('POST', clients + path, { scope: 'operator:clients', body });
    const jwks = { keys: [key.publicJwk] };
    expect((await send(`/${operator.clientId}/keys`, { jwks })).status).toBe(403);
    expect((await send(`/${operator.clientId}/keys`, { none: true })).status).toBe(403);
    expect((await send('', { name: 'A test', scope: 'operator', jwks })).status).toBe(403);
    expect(await ask(await sign(key, claimsOf(service, operator.clientId)))).toMatchObject(refused);
    const api = await service.client();
    expect((await send(`/${api.clientId}/keys`, { jwks })).status).toBe(200);
    const makers = await service.database.query('select made_by from client_maker where client_id = $1', [
      api.clientId,
    ]);
    expect(makers).toHaveLength(1);
    expect((await send('/hr-unknown/keys', { jwks })).status).toBe(404);
  });

  test('invalid assertions count as guesses of their address, and valid ones are taken as before', async () => {
    const from = { 'x-forwarded-for': '192.0.2.7' };
    const stranger = await newKey();
    const invalid = await sign(stranger, claimsOf(service, clientId));
    const statuses = new Set<number>();
    for (let count = 0; count < 30; count++) {
      // oxlint-disable-next-line no-await-in-loop -- some at a time
      const answers = await Promise.all(Array.from({ length: 10 }, () => askTokenBy(service, invalid, {}, from)));
      for (const { status } of answers) statuses.add(status);
    }
    expect(statuses).toEqual(new Set([401, 429]));
    expect(await askTokenBy(service, await sign(key, claimsOf(service, clientId)), {}, from)).toMatchObject({
      status: 200,
    });
  });
});

describe('keys in two processes on one PostgreSQL', () => {
  let service: TestService;
  let other: TestService;
  let key: KeyPair;
  const issuer = 'https://hr.example.com';

  beforeAll(async () => {
    service = await startService('postgres', { HR_PUBLIC_URL: issuer });
    other = await startService('postgres', { HR_PUBLIC_URL: issuer, HR_DATABASE: service.databaseUrl });
    key = await newKey();
  });
  afterAll(async () => {
    await other.stop();
    await service.stop();
  });

  const assertionOf = (clientId: string) => sign(key, claimsOf({ baseUrl: issuer }, clientId));

  test('an assertion that both get at the same time works once', async () => {
    const clientId = await clientWith(service, key);
    await askTokenBy(other, await assertionOf(clientId));
    for (let count = 0; count < 20; count++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const assertion = await assertionOf(clientId);
      // oxlint-disable-next-line no-await-in-loop
      const answers = await Promise.all([service, other, service, other].map((each) => askTokenBy(each, assertion)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
    }
  });

  test('keys are the same in both within a second, and one that ended gets no token in any, at once', async () => {
    const clientId = await clientWith(service, key);
    await expect.poll(async () => (await askTokenBy(other, await assertionOf(clientId))).status).toBe(200);
    const { body } = await askTokenBy(other, await assertionOf(clientId));
    const token = String(body['access_token']);
    expect(await takes(other, token)).toBe(true);
    await operate(service, `/${clientId}/keys`, { none: true });
    expect(await askTokenBy(other, await assertionOf(clientId))).toMatchObject(refused);
    expect(await takes(service, token)).toBe(false);
    await expect.poll(() => takes(other, token)).toBe(false);
  });

  test('no token that a key gives, or has given, is valid once it was removed', async () => {
    const clientId = await clientWith(service, key);
    await expect.poll(async () => (await askTokenBy(other, await assertionOf(clientId))).status).toBe(200);
    const stop = new AbortController();
    const lanes = [service, other, service, other].map(async (each) => {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      while (!stop.signal.aborted) await askTokenBy(each, await assertionOf(clientId));
    });
    await operate(service, `/${clientId}/keys`, { none: true });
    stop.abort();
    await Promise.all(lanes);
    const left = await service.database.query('select from access_token where client_id = $1', [clientId]);
    expect(left).toEqual([]);
  });
});
