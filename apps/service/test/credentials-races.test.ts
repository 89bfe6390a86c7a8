import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RotatedClient } from '../src/clients/client-secrets.ts';
import { issueToken } from '../src/clients/access-tokens.ts';
import { disableClient, type ClientCredentials, type ClientRecord } from '../src/clients/clients.ts';
import { anyDriver } from './drivers.ts';
import { askToken, inForm, newToken, sendForm, takes } from './oauth-form.ts';
import { startService, type TestService } from './service.ts';

/** How many requests for tokens are in flight at a time. */
const LANES = 8;

/** For how long another process may take a token that has ended. */
const LAW_MS = 1000;

let service: TestService;
let client: ClientCredentials;

async function operate(path: string, where = service, body?: object): Promise<ClientRecord> {
  const address = `/operator/v1/clients/${client.clientId}/${path}`;
  const answer = await where.send('POST', address, { scope: 'operator', body });
  expect(answer.status).toBe(200);
  return answer.body as ClientRecord;
}

const retire = (where = service): Promise<ClientRecord> => operate('rotate', where, { retire: true });

async function rotateAndRetire(): Promise<void> {
  await operate('rotate');
  await retire();
}

/** What ends a token. */
const ends: [string, (token: string) => Promise<unknown>][] = [
  ['its client was disabled', () => operate('disable')],
  ['it was revoked', (token) => sendForm(service, 'revoke', { ...inForm(client), token })],
  ['its secret was retired', rotateAndRetire],
];

/** Requests tokens of the client again and again, several at a time, until it is stopped. Gives those that it got. */
function requestTokens(where: TestService): () => Promise<string[]> {
  const tokens: string[] = [];
  const stop = new AbortController();
  const lanes = Array.from({ length: LANES }, async () => {
    while (!stop.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { status, body } = await askToken(where, client);
      // 429 instead of 401 once many have failed.
      expect([200, 401, 429]).toContain(status);
      if (status === 200) tokens.push(String(body['access_token']));
    }
  });
  return async () => {
    stop.abort();
    await Promise.all(lanes);
    return tokens;
  };
}

const tokens = (): Promise<unknown[]> =>
  service.database.query('select from access_token where client_id = $1', [client.clientId]);

const validOf = async (secrets: readonly string[]): Promise<number[]> => {
  const answers = await Promise.all(secrets.map((clientSecret) => askToken(service, { ...client, clientSecret })));
  return answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
};

/** Lets something happen between the next statement of a request and what the request does with its rows. */
function afterNextStatement(happen: () => Promise<unknown>): void {
  const query = service.database.query.bind(service.database);
  vi.spyOn(service.database, 'query').mockImplementationOnce(async (...statement) => {
    const rows = await query(...statement);
    await happen();
    return rows;
  });
}

/** How many statements wait for a lock. */
const waiting = async (): Promise<number> => {
  const blocked = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  return (await service.database.query(blocked)).length;
};

describe.each(anyDriver)('credentials at the same time on %s', (driver) => {
  beforeEach(async () => {
    service = await startService(driver);
    client = await service.client();
    // The operator's token is there before a statement is waited for.
    await service.token('operator');
  });
  afterEach(() => service.stop());

  test('a client that is disabled between its secret and its token gets none', async () => {
    afterNextStatement(() => operate('disable'));
    expect(await askToken(service, client)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(await tokens()).toEqual([]);
    await operate('enable');
    expect((await askToken(service, client)).status).toBe(200);
  });

  test.each(ends)('a token that was looked up before %s is not remembered', async (_, end) => {
    const token = await newToken(service, client);
    afterNextStatement(() => end(token));
    await takes(service, token);
    expect(await takes(service, token)).toBe(false);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['its client was disabled', () => operate('disable')],
    ['it was retired', rotateAndRetire],
    [
      'two others followed it',
      async () => {
        await operate('rotate');
        await operate('rotate');
      },
    ],
  ])('no token that a secret gives, or has given, is valid once %s', async (_, end) => {
    const stop = requestTokens(service);
    await expect.poll(tokens).not.toEqual([]);
    await end();
    const given = await stop();
    expect(await tokens()).toEqual([]);
    expect(await Promise.all(given.map((token) => takes(service, token)))).toEqual(given.map(() => false));
  });

  test('of any number of rotations at once, the last two secrets are valid', async () => {
    const rotated = (await Promise.all(Array.from({ length: 5 }, () => operate('rotate')))) as RotatedClient[];
    const secrets = [client.clientSecret, ...rotated.map(({ clientSecret }) => clientSecret)];
    expect(await validOf(secrets)).toHaveLength(2);
    const last = (await operate('rotate')) as RotatedClient;
    expect(last.secrets).toHaveLength(2);
    expect(await validOf([...secrets, last.clientSecret])).toHaveLength(2);
  });
});

describe('credentials in two processes on one PostgreSQL', () => {
  let other: TestService;

  beforeEach(async () => {
    service = await startService('postgres');
    client = await service.client();
    other = await startService('postgres', { HR_DATABASE: service.databaseUrl });
  });
  afterEach(async () => {
    await other.stop();
    await service.stop();
  });

  test.each(ends)('a token is refused at once where %s, and within a second elsewhere', async (_, end) => {
    const token = await newToken(service, client);
    expect([await takes(service, token), await takes(other, token)]).toEqual([true, true]);
    await end(token);
    const ended = performance.now();
    expect(await takes(service, token)).toBe(false);
    const seen: { after: number; taken: boolean }[] = [];
    while (performance.now() - ended < LAW_MS * 1.5) {
      const after = performance.now() - ended;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      seen.push({ after, taken: await takes(other, token) });
      // oxlint-disable-next-line no-await-in-loop
      await setTimeout(10);
    }
    expect(seen.filter(({ after, taken }) => taken && after >= LAW_MS)).toEqual([]);
    const firstRefused = seen.findIndex(({ taken }) => !taken);
    expect(seen.slice(firstRefused).some(({ taken }) => taken)).toBe(false);
  });

  test('secrets and clients are the same in both, at once', async () => {
    const { clientSecret } = (await operate('rotate')) as RotatedClient;
    const current = { ...client, clientSecret };
    expect((await askToken(other, current)).status).toBe(200);
    expect((await askToken(other, client)).status).toBe(200);
    await retire();
    expect((await askToken(other, client)).status).toBe(401);
    await operate('disable');
    expect((await askToken(other, current)).status).toBe(401);
    await operate('enable', other);
    expect(await takes(service, await newToken(other, current))).toBe(true);
  });

  test('no token that one process gives is valid once another has retired the secret', async () => {
    await other.token('operator');
    const stops = [service, other].map(requestTokens);
    await expect.poll(tokens).not.toEqual([]);
    await operate('disable');
    await operate('rotate', other);
    await retire();
    await operate('enable', other);
    await Promise.all(stops.map((stop) => stop()));
    expect(await tokens()).toEqual([]);
  });

  test('two rotations that wait for the same lock leave the last two secrets valid', async () => {
    const rotations: Promise<ClientRecord>[] = [];
    await Promise.all([service, other].map((each) => each.token('operator')));
    await service.database.transaction(async (transaction) => {
      await transaction.query('select from api_client where client_id = $1 for update', [client.clientId]);
      for (const each of [service, other]) {
        rotations.push(operate('rotate', each));
        // oxlint-disable-next-line no-await-in-loop -- in this order
        await expect.poll(waiting).toBe(rotations.length);
      }
    });
    const rotated = (await Promise.all(rotations)) as RotatedClient[];
    const secrets = [client.clientSecret, ...rotated.map(({ clientSecret }) => clientSecret)];
    expect(await validOf(secrets)).toEqual([1, 2]);
  });

  test('a token that waits for a client to be disabled is not issued', async () => {
    const asked: ReturnType<typeof askToken>[] = [];
    await service.database.transaction(async (transaction) => {
      await disableClient(transaction, client.clientId);
      asked.push(askToken(other, client));
      await expect.poll(waiting).toBe(1);
    });
    expect(await Promise.all(asked)).toMatchObject([{ status: 401, body: { error: 'invalid_client' } }]);
    expect(await tokens()).toEqual([]);
  });

  test('disabling a client waits for the token that it is just given, and ends it', async () => {
    const disabled: Promise<ClientRecord>[] = [];
    await other.token('operator');
    await service.database.transaction(async (transaction) => {
      await issueToken(transaction, { ...client, lifetimeSeconds: 60, requestId: 'r-1' });
      disabled.push(operate('disable', other));
      await expect.poll(waiting).toBe(1);
    });
    await Promise.all(disabled);
    expect(await tokens()).toEqual([]);
  });
});
