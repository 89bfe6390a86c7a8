import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { networkOf } from '../src/http/network.ts';
import type { ClientCredentials } from '../src/clients/clients.ts';
import type { RotatedClient } from '../src/clients/client-secrets.ts';
import { askToken, inventToken } from './oauth-form.ts';
import { startService, type Answer, type TestService } from './service.ts';

/** More than are allowed in no time. */
const GUESSES = 220;
const ADDRESS = '192.0.2.1';
const proxied = { HR_TRUSTED_PROXY: '127.0.0.1' };
const path = '/api/v1/payrollContract/none/salaries/history';

const ask = (service: TestService, token: string, from = ADDRESS): Promise<Answer> =>
  service.send('GET', path, { headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': from } });
const askSecret = (service: TestService, credentials: ClientCredentials) =>
  askToken(service, credentials, { 'x-forwarded-for': ADDRESS });
const newTokenOf = async (service: TestService, credentials: ClientCredentials): Promise<string> => {
  const { status, body } = await askSecret(service, credentials);
  expect(status).toBe(200);
  return String(body['access_token']);
};

describe('who guesses at two processes on one PostgreSQL', () => {
  let services: [TestService, TestService];
  let other: TestService;
  let client: ClientCredentials;

  /** Time passes only where a test says so. */
  let passedMs = performance.now();

  beforeAll(async () => {
    vi.spyOn(performance, 'now').mockImplementation(() => passedMs);
    const first = await startService('postgres', proxied);
    other = await startService('postgres', { ...proxied, HR_DATABASE: first.databaseUrl });
    services = [first, other];
    client = await first.client();
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await other.stop();
    await services[0].stop();
  });

  const guesses: readonly ((service: TestService) => Promise<Pick<Answer, 'status' | 'headers'>>)[] = [
    (service) => ask(service, inventToken()),
    (service) => ask(service, 'x'),
    (service) => askSecret(service, { ...client, clientSecret: inventToken().replace('hrt_', 'hrs_') }),
    (service) => askSecret(service, { ...client, clientSecret: 'x' }),
    (service) => askSecret(service, { ...client, clientId: 'hr-0' }),
  ];

  /** Guesses until it is refused, whatever it tries then. */
  async function guess(service: TestService): Promise<void> {
    const answers = await Promise.all(
      Array.from({ length: GUESSES / guesses.length }, () => guesses.map((send) => send(service))).flat(),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    statuses.delete(401);
    expect([...statuses]).toEqual([429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(Object.fromEntries(refused?.headers ?? [])).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"authentication";q=200;w=60',
      ratelimit: '"authentication";r=0;t=1',
    });
  }

  /** Reads with a token at both processes, and gives the statuses. */
  const statusesOf = (token: string): Promise<number[]> =>
    Promise.all(services.map(async (service) => (await ask(service, token)).status));

  test('is stopped without a query, and stops no token or secret that was issued, anywhere, also after a restart', async () => {
    const tokens = await Promise.all(services.map((service) => newTokenOf(service, client)));
    // Whatever `send` makes is there, and the keys are read.
    await Promise.all(services.map((service) => service.token()));
    const statements = vi.spyOn(Client.prototype, 'query');
    await Promise.all(services.map(guess));
    const texts = statements.mock.calls.map(([statement]) =>
      typeof statement === 'string' ? statement : ((statement as { text?: string }).text ?? 'copy'),
    );
    // What is refused is audited once a second, and due webhooks are looked for.
    expect(texts.filter((text) => !/copy|audit|webhook_endpoint|notify|pg_is_in_recovery/i.test(text))).toEqual([]);
    statements.mockRestore();

    await other.stop();
    other = await startService('postgres', { ...proxied, HR_DATABASE: services[0].databaseUrl });
    services = [services[0], other];
    await guess(other);
    tokens.push(...(await Promise.all(services.map((service) => newTokenOf(service, client)))));
    expect(await Promise.all(tokens.map(statusesOf))).toEqual(tokens.map(() => [404, 404]));
    expect((await ask(other, inventToken(), '192.0.2.2')).status).toBe(401);
    passedMs += 120_000;
    expect((await ask(other, inventToken())).status).toBe(401);
  });

  test('is not a program whose token or secret has ended, which costs a query a second', async () => {
    const [service] = services;
    const ended = await service.client();
    const token = await newTokenOf(service, ended);
    const operate = (action: string, body = {}): Promise<Answer> =>
      service.send('POST', `/operator/v1/clients/${ended.clientId}/${action}`, { scope: 'operator', body });
    const { clientSecret } = (await operate('rotate')).body as RotatedClient;
    await operate('rotate', { retire: true });
    passedMs += 120_000;
    const query = vi.spyOn(service.database, 'query');
    for (let attempt = 0; attempt < 250; attempt++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answers = await Promise.all([ask(service, token), askSecret(service, ended)]);
      expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    }
    expect(query.mock.calls.filter(([text]) => /token_hash|secret_hash/.test(text))).toHaveLength(2);
    expect((await ask(service, inventToken())).status).toBe(401);
    query.mockRestore();
    await operate('disable');
    const current = { ...ended, clientSecret };
    expect((await askSecret(service, current)).status).toBe(401);
    await operate('enable');
    expect((await askSecret(service, current)).status).toBe(200);
  });
});

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:0001::6', '2001:db8:1:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['x'.repeat(1000), 'unknown'],
])('the network of %.30s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
