import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { networkOf } from '../src/http/network.ts';
import type { ClientCredentials } from '../src/clients/clients.ts';
import { newToken as inventToken } from '../src/clients/secrets.ts';
import { anyDriver } from './drivers.ts';
import { inForm, newToken, sendForm } from './oauth-form.ts';
import { startService } from './service.ts';
import type { Answer, TestService } from './service.ts';

/** More than may fail in the time that a test takes. */
const GUESSES = 1000;
const LANES = 50;
const path = '/api/v1/payrollContract/none/variable-payments?billingPeriod=2026-01';

/** The statuses of many attempts at the same time: some of them may be forgiven before the last one. */
async function statusesOf(attempt: () => Promise<{ readonly status: number }>): Promise<Set<number>> {
  const answers = await Promise.all(Array.from({ length: 100 }, attempt));
  return new Set(answers.map(({ status }) => status));
}

describe.each(anyDriver)('who guesses on %s', (driver) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(driver, { HR_TRUSTED_PROXY: '127.0.0.1' });
  });
  afterAll(() => service.stop());

  const ask = (token: string, from: string): Promise<Answer> =>
    service.send('GET', path, { headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': from } });

  const renew = (client: ClientCredentials, from: string): ReturnType<typeof sendForm> =>
    sendForm(
      service,
      'token',
      { grant_type: 'client_credentials', ...inForm(client), scope: client.scope },
      { 'x-forwarded-for': from },
    );

  /** Tries until it is refused, and gives how many queries that has cost. */
  async function guess(from: string): Promise<number> {
    const queries = vi.spyOn(service.database, 'query');
    const answers: Answer[] = [];
    // Not all at once: a connection on which a busy machine sends nothing for too long is cut off.
    const lane = async (): Promise<void> => {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (let left = GUESSES / LANES; left > 0; left--) answers.push(await ask(inventToken(), from));
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const count = queries.mock.calls.length;
    queries.mockRestore();
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.length - refused.length).toBe(answers.filter(({ status }) => status === 401).length);
    expect(refused[0]?.body).toMatchObject({ type: 'urn:hr-cloud:problem:too-many-requests' });
    expect(Object.fromEntries(refused[0]?.headers ?? [])).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"authentication";q=200;w=60',
      ratelimit: '"authentication";r=0;t=1',
    });
    return count;
  }

  test('tokens costs few queries, delays neither valid tokens of the address nor other addresses, and is allowed more after a while', async () => {
    const token = await service.token();
    expect((await ask(token, '192.0.2.1')).status).toBe(404);
    expect(await guess('192.0.2.1')).toBeLessThan(GUESSES / 2);
    expect(await statusesOf(() => ask(inventToken(), '192.0.2.1'))).toContain(429);
    // So that it is looked up again.
    vi.spyOn(performance, 'now').mockReturnValueOnce(performance.now() + 2000);
    expect((await ask(token, '192.0.2.1')).status).toBe(404);
    expect((await ask(inventToken(), '192.0.2.2')).status).toBe(401);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 120_000);
    expect((await ask(inventToken(), '192.0.2.1')).status).toBe(401);
    vi.restoreAllMocks();
  });

  test('secrets is stopped likewise, and clients that were there before renew their tokens', async () => {
    const client = await service.client();
    expect((await renew(client, '2001:db8::1')).status).toBe(200);
    await guess('2001:db8::2');
    const wrong = (): ClientCredentials => ({ ...client, clientSecret: inventToken() });
    expect(await statusesOf(() => renew(wrong(), '2001:db8::1'))).toContain(429);
    const renewed = await renew(client, '2001:db8::1');
    expect(renewed.status).toBe(200);
    const token = String(renewed.body['access_token']);
    expect((await ask(token, '2001:db8::1')).status).toBe(404);
  });

  test('with one new token sends as many requests at the same time as it likes', async () => {
    const token = await newToken(service, await service.client());
    const answers = await Promise.all(Array.from({ length: 300 }, () => ask(token, '192.0.2.4')));
    // More are in flight than a client may have, so some may be refused for that.
    const limits = answers.map(({ status, headers }) => headers.get('ratelimit') ?? String(status));
    expect(limits).toContain('404');
    expect(limits.filter((limit) => limit.includes('authentication'))).toEqual([]);
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
