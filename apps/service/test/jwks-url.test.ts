import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ClientRecord } from '../src/clients/clients.ts';
import { askTokenBy, claimsOf, newKey, sign, type KeyPair } from './client-assertion.ts';
import { anyDriver } from './drivers.ts';
import { takes } from './oauth-form.ts';
import { sharedService } from './service.ts';
import { tlsCertificate } from './tls-certificate.ts';

const MINUTE_MS = 60_000;
const refused = { status: 401, body: { error: 'invalid_client' } };

let server: Server;
let url: string;
let requests: string[];
let respond: (response: ServerResponse) => void;

const serve = (...keys: readonly KeyPair[]): void => {
  const jwks = JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) });
  respond = (response) => response.end(jwks);
};

beforeAll(async () => {
  const certificate = tlsCertificate();
  setDefaultCACertificates([...getCACertificates(), certificate.cert]);
  server = createServer(certificate, (request, response) => {
    requests.push(request.url ?? '');
    respond(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/keys?for=me`;
});
afterAll(() => server.close());

describe.each(anyDriver)('keys of a URL on %s', (driver) => {
  const service = sharedService(driver, { HR_WEBHOOK_NETWORKS: '127.0.0.0/8' });
  let clientId: string;
  let key: KeyPair;
  let passedMs = 0;

  beforeEach(async () => {
    const start = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => start() + passedMs);
    requests = [];
    key = await newKey('Ed25519', 'one');
    serve(key);
    const body = { name: 'A test', scope: 'api:use', jwksUrl: url };
    const created = await service.send('POST', '/operator/v1/clients', { scope: 'operator', body });
    ({ clientId } = created.body as ClientRecord);
  });
  afterEach(() => vi.restoreAllMocks());

  const ask = async (by: KeyPair) => askTokenBy(service, await sign(by, claimsOf(service, clientId)));
  const record = async (): Promise<ClientRecord | undefined> => {
    const { body } = await service.send('GET', '/operator/v1/clients', { scope: 'operator' });
    return (body as ClientRecord[]).find((client) => client.clientId === clientId);
  };
  const pass = async (ms: number): Promise<void> => {
    passedMs += ms;
    await service.database.query(
      `update api_client set jwks_fetched_at = jwks_fetched_at - make_interval(secs => $1::float8 / 1000)`,
      [ms],
    );
  };

  test('are fetched once for many requests, and kept', async () => {
    const answers = await Promise.all([ask(key), ask(key), ask(key)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await ask(key)).toMatchObject({ status: 200 });
    expect(requests).toEqual(['/keys?for=me']);
    expect(await record()).toMatchObject({ jwksUrl: url, secrets: [], keys: [{ kid: 'one', alg: 'EdDSA' }] });
    const audit = await service.send('GET', `/operator/v1/audit-events?actor=service&objectId=${clientId}`, {
      scope: 'operator',
    });
    expect(audit.body).toMatchObject([{ operation: 'fetchClientKeys', access: 'change' }]);
  });

  test('a new key has them fetched again, once a minute', async () => {
    await ask(key);
    const [next, stranger] = [await newKey('ES256', 'two'), await newKey('Ed25519', 'none')];
    serve(key, next);
    // A minute has not passed.
    expect(await ask(next)).toMatchObject(refused);
    await pass(MINUTE_MS + 1);
    expect(await Promise.all([ask(next), ask(stranger), ask(next)])).toMatchObject([
      { status: 200 },
      refused,
      { status: 200 },
    ]);
    for (let count = 0; count < 5; count++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await ask(stranger)).toMatchObject(refused);
    }
    expect(requests).toHaveLength(2);
  });

  test('a key that is not there any more gets no token after ten minutes, and those it got end', async () => {
    const { body } = await ask(key);
    const token = String(body['access_token']);
    const next = await newKey('ES256', 'two');
    serve(next);
    await pass(9 * MINUTE_MS);
    expect(await ask(key)).toMatchObject({ status: 200 });
    await pass(MINUTE_MS + 1);
    expect(await ask(key)).toMatchObject(refused);
    expect(await takes(service, token)).toBe(false);
    expect(await ask(next)).toMatchObject({ status: 200 });
  });

  const faults: [string, (response: ServerResponse) => void][] = [
    ['fails', (response) => response.writeHead(500).end('{"keys":[]}')],
    ['redirects', (response) => response.writeHead(302, { location: '/other' }).end()],
    ['sends no JSON', (response) => response.end('<html>')],
    ['sends no JWK set', (response) => response.end('[]')],
    ['sends too much', (response) => response.end(JSON.stringify({ keys: [], more: 'x'.repeat(70_000) }))],
    ['sends too many keys', (response) => response.end(JSON.stringify({ keys: Array(11).fill(key.publicJwk) }))],
    ['breaks off', (response) => response.destroy()],
  ];
  test.each(faults)('a URL that %s keeps the last keys for a day', async (_, fault) => {
    expect(await ask(key)).toMatchObject({ status: 200 });
    respond = fault;
    await pass(23 * 60 * MINUTE_MS);
    expect(await ask(key)).toMatchObject({ status: 200 });
    const warnings = service.log.filter((line) => line.includes('cannot be fetched'));
    expect(warnings.at(-1)).toContain(clientId);
    expect(warnings.join('')).not.toContain('for=me');
    await pass(61 * MINUTE_MS);
    expect(await ask(key)).toMatchObject(refused);
    serve(key);
    await pass(MINUTE_MS + 1);
    expect(await ask(key)).toMatchObject({ status: 200 });
    expect(requests).not.toContain('/other');
  });

  test('only those for the service count, and none that is private', async () => {
    const leaked = await newKey('Ed25519', 'leaked');
    const keys = [key.publicJwk, { kty: 'RSA', n: 'AQAB', e: 'AQAB' }, leaked.privateJwk, 'x', null];
    respond = (response) => response.end(JSON.stringify({ keys }));
    expect(await ask(key)).toMatchObject({ status: 200 });
    expect(await ask(leaked)).toMatchObject(refused);
    expect((await record())?.keys).toHaveLength(1);
  });

  test('an operator ends them by setting the URL again, and they are fetched at once', async () => {
    const token = String((await ask(key)).body['access_token']);
    await service.send('POST', `/operator/v1/clients/${clientId}/keys`, { scope: 'operator', body: { jwksUrl: url } });
    expect(await takes(service, token)).toBe(false);
    expect(await ask(key)).toMatchObject({ status: 200 });
    expect(requests).toHaveLength(2);
  });

  test('a host whose certificate nobody vouches for gives none', async () => {
    const trusted = getCACertificates();
    setDefaultCACertificates(trusted.slice(0, 1));
    expect(await ask(key)).toMatchObject(refused);
    setDefaultCACertificates(trusted);
    expect(requests).toEqual([]);
  });
});

describe('without allowed networks', () => {
  const service = sharedService('postgres');

  test('a name that leads to a private address is not connected to', async () => {
    const jwksUrl = url.replace('127.0.0.1', 'localhost');
    requests = [];
    const body = { name: 'A test', scope: 'api:use', jwksUrl };
    const created = await service.send('POST', '/operator/v1/clients', { scope: 'operator', body });
    const { clientId } = created.body as ClientRecord;
    const key = await newKey();
    serve(key);
    expect(await askTokenBy(service, await sign(key, claimsOf(service, clientId)))).toMatchObject(refused);
    expect(requests).toEqual([]);
    expect(service.log.join('')).toContain('address-not-allowed');
  });
});
