import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { Client } from 'pg';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../src/clients/clients.ts';
import { setClientKeys } from '../src/clients/client-keys.ts';
import type { Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { asserting, claimsOf, newKey, sign } from './client-assertion.ts';
import { addressOf, run, start as startCommand } from './command-line.ts';
import { databaseProxy } from './database-proxy.ts';
import { bareDatabase, emptyDatabase, type TestDatabase } from './drivers.ts';
import {
  askTokenAt,
  newCaller,
  openMigrated,
  sendTo,
  startTestEnvironments,
  type Caller,
  type Entry,
  type TestEnvironments,
} from './environments.ts';
import { expectProblem } from './expect-problem.ts';
import { ownDatabase } from './own-database.ts';
import { statusesIn } from './raw-http.ts';
import { scrape } from './scrape.ts';
import { contractRecords, load, type Answer } from './service.ts';

const persons = '/api/v1/persons';
const payments = '/api/v1/payrollContract/c-1/variable-payments?billingPeriod=2026-01';
const payment = { compensationComponentId: 'BONUS', amount: 1 };

interface Prepared extends TestDatabase {
  readonly database: Database;
}

/** A database with one person, who has a name of this environment. */
async function prepare(lastName: string): Promise<Prepared> {
  const empty = await emptyDatabase('postgres');
  const database = await openMigrated(empty.url);
  const [person, ...others] = contractRecords();
  await load(database, [{ ...person, lastName }, ...others]);
  const remove = async (): Promise<void> => {
    await database.close();
    await empty.remove();
  };
  onTestFinished(remove);
  return { ...empty, remove, database };
}

/** A service that ends with the test. */
async function start(entries: readonly Entry[], settings?: Record<string, string>): Promise<TestEnvironments> {
  const running = await startTestEnvironments(entries, settings);
  onTestFinished(() => running.stop());
  return running;
}

const liveRequest = (host: string): string => `GET /livez HTTP/1.1\r\nhost: ${host}\r\n\r\n`;

/** How many connections a database has, beside the one that asks. */
async function connectionsOf(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ connections: number }>(
    'select count(*)::int - 1 as connections from pg_stat_activity where datname = current_database()',
  );
  await client.end();
  return rows[0]?.connections ?? NaN;
}

describe('two environments with the same person, client and payroll contract', () => {
  let running: TestEnvironments;
  let databases: Record<string, Database>;
  let callers: Record<string, Record<'api:use' | 'operator', Caller>>;
  const hosts = ['one.example', 'two.example'] as const;
  const pairs = [hosts, hosts.toReversed()] as [string, string][];
  const caller = (host: string, scope: 'api:use' | 'operator' = 'api:use'): Caller => callers[host]?.[scope] as Caller;
  const as = (own: Caller, path: string, sent: object = {}): Promise<Answer> =>
    running.send(own.host, path, { token: own.token, ...sent });

  beforeAll(async () => {
    const prepared = await Promise.all(
      hosts.map(async (host) => {
        const empty = await emptyDatabase('postgres');
        const database = await openMigrated(empty.url);
        const [person, ...others] = contractRecords();
        await load(database, [{ ...person, lastName: `Of ${host}` }, ...others]);
        await createClient(database, { name: 'same', scope: 'api:use', clientId: 'same', clientSecret: 'same-secret' });
        return { ...empty, host, database };
      }),
    );
    databases = Object.fromEntries(prepared.map(({ host, database }) => [host, database]));
    running = await startTestEnvironments(
      prepared.map(({ host, url }) => ({ host, database: url })),
      { HR_METRICS_PORT: '0', HR_TRUSTED_PROXY: '127.0.0.1' },
    );
    callers = Object.fromEntries(
      await Promise.all(
        prepared.map(async ({ host, database }) => [
          host,
          {
            'api:use': await newCaller(running, host, database),
            operator: await newCaller(running, host, database, 'operator'),
          },
        ]),
      ),
    );
    return async () => {
      await running.stop();
      await Promise.all(prepared.map(({ database }) => database.close()));
      await Promise.all(prepared.map(({ remove }) => remove()));
    };
  });

  test.each(pairs)('a list of %s has nothing of %s', async (host, other) => {
    const { status, body } = await as(caller(host), persons);
    expect([status, body]).toMatchObject([200, [{ id: 'p-1', lastName: `Of ${host}` }]]);
    expect(JSON.stringify(body)).not.toContain(other);
  });

  test.each(pairs)('a token of %s is nothing in %s', async (host, other) => {
    const { token, clientId, clientSecret } = caller(host);
    expectProblem(await running.send(other, persons, { token }), 'unauthorized', { path: persons });
    expect((await askTokenAt(running, other, caller(host))).status).toBe(401);
    const form = (more: object): object => ({
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token, ...more }).toString(),
    });
    const { clientId: client_id, clientSecret: client_secret } = caller(other, 'operator');
    const own = { client_id, client_secret };
    const introspected = await running.send(other, '/api/oauth2/introspect', form(own));
    expect([introspected.status, introspected.body]).toEqual([200, { active: false }]);
    expect((await running.send(other, '/api/oauth2/revoke', form(own))).status).toBe(200);
    const foreign = { client_id: clientId, client_secret: clientSecret };
    expect((await running.send(other, '/api/oauth2/revoke', form(foreign))).status).toBe(401);
    expect((await as(caller(host), persons)).status).toBe(200);
  });

  test.each(pairs)('a token of a client of %s is nothing in %s, which has the same client', async (host, other) => {
    const same = { clientId: 'same', clientSecret: 'same-secret', scope: 'api:use' as const };
    const { access_token: token } = (await askTokenAt(running, host, same)).body as { access_token: string };
    expect((await running.send(host, persons, { token })).status).toBe(200);
    expect((await running.send(other, persons, { token })).status).toBe(401);
  });

  test.each(pairs)(
    'an assertion for %s proves nothing in %s, where the client has the same key',
    async (host, other) => {
      const key = await newKey();
      const clientId = `keyed-${randomUUID()}`;
      for (const database of Object.values(databases)) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await createClient(database, { name: 'keyed', scope: 'api:use', clientId, clientSecret: randomUUID() });
        // oxlint-disable-next-line no-await-in-loop
        await database.transaction((transaction) =>
          setClientKeys(
            transaction,
            clientId,
            { jwks: { keys: [key.publicJwk as never] } },
            { webhookNetworks: undefined },
          ),
        );
      }
      const statusAt = async (at: string, audience: string): Promise<number> => {
        const claims = claimsOf({ baseUrl: `https://${audience}` }, clientId);
        const fields = { grant_type: 'client_credentials', ...asserting(await sign(key, claims)) };
        const sent = {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(fields).toString(),
        };
        return (await running.send(at, '/api/oauth2/token', sent)).status;
      };
      // Who has keys is cached for a second.
      await expect.poll(() => statusAt(host, host)).toBe(200);
      await expect.poll(() => statusAt(other, other)).toBe(200);
      expect(await statusAt(other, host)).toBe(401);
    },
  );

  test.each(pairs)('a cursor of %s is refused in %s', async (host, other) => {
    const { headers } = await as(caller(host), persons);
    const after = headers.get('hr-cursor') ?? '';
    expect((await as(caller(host), `${persons}?after=${after}`)).status).toBe(200);
    expectProblem(await as(caller(other), `${persons}?after=${after}`), 'invalid-request', { path: persons });
    const changes = `/api/v1/changes?after=${after}`;
    expectProblem(await as(caller(other), changes), 'invalid-request', { path: changes });
  });

  test.each(pairs)('an idempotency key and a payment of %s are nothing in %s', async (host, other) => {
    const sent = { method: 'POST', body: payment, headers: { 'idempotency-key': `key-${host}` } };
    const [first, again, elsewhere] = [
      await as(caller(host), payments, sent),
      await as(caller(host), payments, sent),
      await as(caller(other), payments, { ...sent, body: { ...payment, amount: 2 } }),
    ];
    expect([first.status, again.status, elsewhere.status]).toEqual([200, 200, 200]);
    expect(again.body).toEqual(first.body);
    const list = `/operator/v1/variable-payments?idempotencyKey=key-${host}&limit=10`;
    expect((await as(caller(host, 'operator'), list)).body).toMatchObject([{ amount: 1 }]);
    expect((await as(caller(other, 'operator'), list)).body).toMatchObject([{ amount: 2 }]);
  });

  test.each(pairs)('a webhook endpoint and a client of %s are unknown in %s', async (host, other) => {
    const body = { url: 'https://hooks.example/hr' };
    const created = await as(caller(host), '/api/v1/webhook-endpoints', { method: 'POST', body });
    const { id, secret } = created.body as { id: string; secret: string };
    expect([created.status, typeof secret]).toEqual([200, 'string']);
    expect((await as(caller(other), '/api/v1/webhook-endpoints')).body).toEqual([]);
    const path = `/api/v1/webhook-endpoints/${id}`;
    expectProblem(await as(caller(other), path, { method: 'DELETE' }), 'not-found', { path });
    expectProblem(await as(caller(other), `${path}/test`, { method: 'POST', body: {} }), 'not-found', {});
    const disable = `/operator/v1/clients/${caller(host).clientId}/disable`;
    expectProblem(await as(caller(other, 'operator'), disable, { method: 'POST', body: {} }), 'not-found', {});
    expect((await as(caller(host), path, { method: 'DELETE' })).status).toBe(200);
  });

  test.each(pairs)('the audit, the log and the export of %s have nothing of %s', async (host, other) => {
    const { headers } = await as(caller(host), persons);
    const requestId = headers.get('x-request-id') ?? '';
    const events = (of: string): Promise<Answer> =>
      as(caller(of, 'operator'), `/operator/v1/audit-events?actor=${caller(host).clientId}&last=1000`);
    await expect.poll(async () => JSON.stringify((await events(host)).body)).toContain(requestId);
    expect(JSON.stringify((await events(other)).body)).not.toContain(requestId);
    await expect
      .poll(() => running.log.find((line) => line['requestId'] === requestId))
      .toMatchObject({
        environment: host,
        operation: 'listPersons',
      });
    const exported = await as(caller(other, 'operator'), '/operator/v1/persons/p-1/export');
    expect(JSON.stringify(exported.body)).toContain(`Of ${other}`);
    expect(JSON.stringify(exported.body)).not.toContain(`Of ${host}`);
  });

  test('the metrics count the requests of each environment', async () => {
    await as(caller('one.example'), persons);
    const counted = (await scrape(running.service)).get.bind(await scrape(running.service));
    const series = 'hr_http_requests_total{environment="one.example",operation="listPersons",status="200"}';
    expect(counted(series)).toBeGreaterThan(0);
    expect(counted('hr_token_cache_misses_total{environment="two.example"}')).toBeGreaterThan(0);
    expect(counted('hr_http_connections')).toBeGreaterThanOrEqual(0);
  });

  test.each([
    ['ONE.Example', 200],
    ['one.example:4010', 200],
    ['one.example:', 200],
    ['one.example.', 421],
    ['example', 421],
    ['a.one.example', 421],
    ['one.example,two.example', 421],
    ['%6fne.example', 421],
    ['127.0.0.1', 421],
    ['[::1]', 421],
    ['', 421],
    ['one example', 400],
    ['one.example@two.example', 400],
  ])('a request for the host "%s" is %s', async (host, status) => {
    const answer = await running.send(host, persons, { token: caller('one.example').token });
    expect(answer.status).toBe(status);
    if (status === 421) expectProblem(answer, 'misdirected-request', { path: persons });
  });

  test.each([
    [{ 'x-forwarded-host': 'one.example' }],
    [{ forwarded: 'host=one.example' }],
    [{ 'x-forwarded-host': 'one.example', 'x-forwarded-for': '192.0.2.1' }],
  ])('the headers %o choose no environment', async (headers) => {
    const { token } = caller('one.example');
    expect((await running.send('three.example', persons, { token, headers })).status).toBe(421);
    expect((await running.send('two.example', persons, { token, headers })).status).toBe(401);
  });

  test('a request with two hosts, with none, or with another one in its address gets nothing', async () => {
    const authorization = `authorization: Bearer ${caller('one.example').token}`;
    const answers = await Promise.all(
      [
        `GET ${persons} HTTP/1.1\r\nhost: one.example\r\nhost: two.example\r\n${authorization}`,
        `GET ${persons} HTTP/1.1\r\nhost: one.example\r\nHost: one.example\r\n${authorization}`,
        `GET ${persons} HTTP/1.1\r\n${authorization}`,
        `GET ${persons} HTTP/1.0\r\n${authorization}`,
        `GET http://two.example${persons} HTTP/1.1\r\nhost: one.example\r\n${authorization}`,
        `GET http://one.example${persons} HTTP/1.1\r\nhost: two.example\r\n${authorization}`,
        `GET http://one.example${persons} HTTP/1.1\r\nhost: one.example\r\n${authorization}`,
      ].map(async (head) => {
        const socket = connect(Number(new URL(running.service.url).port), '127.0.0.1');
        socket.write(`${head}\r\nconnection: close\r\n\r\n`);
        let received = '';
        socket.on('data', (chunk) => (received += String(chunk)));
        await once(socket, 'close');
        return statusesIn(received);
      }),
    );
    expect(answers.flat()).toEqual([400, 400, 400, 421, 421, 421, 200]);
  });

  test('the process is live and ready at any host', async () => {
    for (const host of ['one.example', 'three.example', '127.0.0.1:4010']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answers = [await running.send(host, '/livez'), await running.send(host, '/readyz')];
      expect(answers.map(({ status, body }) => [status, body])).toEqual([
        [200, { status: 'live' }],
        [200, { status: 'ready' }],
      ]);
    }
  });

  test('the metadata of each environment names its own host', async () => {
    const { body } = await running.send('one.example', '/.well-known/oauth-authorization-server');
    expect(body).toMatchObject({ issuer: 'https://one.example' });
  });

  test('requests of one environment begin before most of a flood of another that came first', async () => {
    const connections = 40;
    const requestsOfEach = 50;
    const { port } = new URL(running.service.url);
    let ended = 0;
    const flood = Array.from({ length: connections }, () => connect(Number(port), '127.0.0.1'));
    const quiet = connect(Number(port), '127.0.0.1');
    await Promise.all([...flood, quiet].map((socket) => once(socket, 'connect')));
    const all = flood.map(async (socket) => {
      socket.write(liveRequest('one.example').repeat(requestsOfEach));
      for await (const chunk of socket) {
        ended += statusesIn(String(chunk)).length;
        if (ended === connections * requestsOfEach) break;
      }
    });
    quiet.write(liveRequest('two.example'));
    await once(quiet, 'data');
    const endedBefore = ended;
    quiet.destroy();
    await expect.poll(() => ended).toBe(connections * requestsOfEach);
    for (const socket of flood) socket.destroy();
    await Promise.allSettled(all);
    expect(endedBefore).toBeLessThan((connections * requestsOfEach) / 2);
  });
});

describe('an environment that cannot be opened', () => {
  test('is named in the log, responds 503, and stops neither the start nor others', async () => {
    const good = await prepare('Good');
    const bare = await bareDatabase('postgres');
    onTestFinished(() => bare.remove());
    const at = (change: (url: URL) => void): string => {
      const url = new URL(good.url);
      change(url);
      return url.href;
    };
    const running = await start([
      { host: 'down.example', database: at((url) => (url.port = '1')) },
      { host: 'refused.example', database: at((url) => (url.pathname = '/missing')) },
      { host: 'good.example', database: good.url },
      { host: 'new.example', database: bare.url },
    ]);
    const { token } = await newCaller(running, 'good.example', good.database);
    expect((await running.send('good.example', persons, { token })).status).toBe(200);
    for (const [host, sentence] of [
      ['down.example', 'The database cannot be reached now.'],
      ['refused.example', 'PostgreSQL refuses the user, the password or the database of HR_DATABASE (3D000).'],
    ] as const) {
      // oxlint-disable no-await-in-loop -- one after the other
      const list = await running.send(host, persons, { token });
      expectProblem(list, 'unavailable', { path: persons });
      expect(list.headers.get('retry-after')).toBe('5');
      expect((await running.send(host, '/readyz')).status).toBe(503);
      expect((await running.send(host, '/livez')).status).toBe(200);
      expect((await running.send(host, '/openapi.json')).status).toBe(200);
      // oxlint-enable no-await-in-loop
      const line = running.log.find((one) => one['environment'] === host && one['level'] === 50);
      expect(line).toMatchObject({ msg: expect.stringContaining(sentence) as string });
    }
    // Its tables are made at the start.
    expect((await running.send('new.example', '/readyz')).status).toBe(200);
  });

  test('opens with the first request after its database is there', async () => {
    const { url, database } = await prepare('Late');
    const proxy = await databaseProxy(url);
    onTestFinished(() => proxy.close());
    proxy.cut();
    const running = await start([{ host: 'late.example', database: proxy.url }]);
    expect((await running.send('late.example', '/readyz')).status).toBe(503);
    proxy.mend();
    const { token } = await newCaller(running, 'late.example', database);
    expect((await running.send('late.example', persons, { token })).status).toBe(200);
  });
});

test('requests of an environment whose database is silent are 503, and others respond meanwhile', async () => {
  const [silent, good] = await Promise.all([prepare('Silent'), prepare('Good')]);
  const proxy = await databaseProxy(silent.url);
  onTestFinished(() => proxy.close());
  const running = await start([
    { host: 'silent.example', database: proxy.url },
    { host: 'good.example', database: good.url },
  ]);
  const callers = [
    await newCaller(running, 'silent.example', silent.database),
    await newCaller(running, 'good.example', good.database),
  ] as const;
  proxy.silence();
  const waiting = Array.from({ length: 50 }, () => running.send('silent.example', persons, callers[0]));
  let pending = waiting.length;
  for (const one of waiting) void one.then(() => pending--);
  for (let times = 0; times < 20; times++) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await running.send('good.example', persons, callers[1])).status).toBe(200);
  }
  expect(pending).toBe(waiting.length);
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([503]));
});

test('an environment without requests has no connection', async () => {
  const { url, remove } = await emptyDatabase('postgres');
  onTestFinished(remove);
  const running = await start([{ host: 'idle.example', database: url }]);
  await expect.poll(() => running.log.length).toBeGreaterThan(0);
  await expect.poll(() => connectionsOf(url)).toBe(0);
});

test('a database listens for commits of other processes only while there is a listener', async () => {
  const [own, other] = [await ownDatabase('postgres'), vi.fn<() => void>()];
  onTestFinished(() => own.remove());
  const listening = (): Promise<unknown[]> =>
    own.database.query(`select from pg_stat_activity where datname = current_database() and query like 'listen %'`);
  const another = await openDatabase(own.url);
  onTestFinished(() => another.close());
  for (let times = 0; times < 2; times++) {
    const ends = [own.database.onCommit(other), own.database.onCommit(() => {})];
    // oxlint-disable no-await-in-loop -- one after the other
    await expect.poll(listening).toHaveLength(1);
    other.mockClear();
    await another.transaction((transaction) => transaction.query('select 1'));
    await expect.poll(() => other.mock.calls.length).toBeGreaterThan(0);
    ends[1]?.();
    expect(await listening()).toHaveLength(1);
    ends[0]?.();
    await expect.poll(listening).toHaveLength(0);
    // oxlint-enable no-await-in-loop
  }
});

describe('a change of the file', () => {
  test('adds, changes, pauses and removes environments, while others go on', async () => {
    const [steady, other] = await Promise.all([prepare('Steady'), prepare('Other')]);
    const kept = { host: 'steady.example', database: steady.url };
    const running = await start([kept]);
    const caller = await newCaller(running, 'steady.example', steady.database);
    onTestFinished(() => over.abort());
    const statuses = new Set<number>();
    const over = new AbortController();
    const traffic = (async () => {
      while (!over.signal.aborted) {
        // oxlint-disable no-await-in-loop -- one after the other
        statuses.add((await running.send('steady.example', persons, caller)).status);
        statuses.add(
          (await running.send('steady.example', payments, { ...caller, method: 'POST', body: payment })).status,
        );
        // oxlint-enable no-await-in-loop
      }
    })();
    expect((await running.send('other.example', '/readyz')).status).toBe(200);
    expect((await running.send('other.example', persons)).status).toBe(421);
    const added = { host: 'other.example', database: other.url };
    await running.change([kept, added]);
    const { token } = await newCaller(running, 'other.example', other.database);
    expect((await running.send('other.example', persons, { token })).status).toBe(200);
    await running.change([kept, { ...added, paused: true }]);
    const paused = await running.send('other.example', persons, { token });
    expectProblem(paused, 'unavailable', { path: persons });
    expect(paused.headers.get('retry-after')).toBe('5');
    expect((await running.send('other.example', '/readyz')).status).toBe(503);
    await running.change([kept, { ...added, publicUrl: 'https://elsewhere.example' }]);
    const metadata = await running.send('other.example', '/.well-known/oauth-authorization-server');
    expect(metadata.body).toMatchObject({ issuer: 'https://elsewhere.example' });
    expect((await running.send('other.example', persons, { token })).status).toBe(200);
    await running.change([kept]);
    expect((await running.send('other.example', persons, { token })).status).toBe(421);
    over.abort();
    await traffic;
    expect(statuses).toEqual(new Set([200]));
  });

  test('lets the requests of an environment that was removed end, and writes its audit', async () => {
    const { url, database } = await prepare('Removed');
    const steady = await prepare('Steady');
    const kept = { host: 'steady.example', database: steady.url };
    const running = await start([kept, { host: 'removed.example', database: url }]);
    const caller = await newCaller(running, 'removed.example', database);
    const read = await running.send('removed.example', persons, caller);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
    const locker = database.transaction(async (transaction) => {
      await transaction.query(`select from mapping where payroll_contract_id = 'c-1' for update`);
      lock();
      await released;
    });
    await locked;
    const paid = running.send('removed.example', payments, { ...caller, method: 'POST', body: payment });
    await vi.waitUntil(async () => {
      const [row] = await database.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row?.waiting === 1;
    });
    const changed = running.change([kept]);
    await vi.waitUntil(async () => (await running.send('removed.example', persons, caller)).status === 421);
    release();
    await locker;
    expect((await paid).status).toBe(200);
    await changed;
    expect(await database.query('select from variable_payment')).toHaveLength(1);
    const requestId = read.headers.get('x-request-id');
    expect(await database.query('select from audit_event where request_id = $1', [requestId])).toHaveLength(1);
  });
});

test('serve reads the file again on SIGHUP, and keeps what runs if the file is invalid', async () => {
  const [one, two] = await Promise.all([prepare('One'), prepare('Two')]);
  // Only for its file.
  const prepared = await start([{ host: 'one.example', database: one.url }]);
  const { settings } = prepared;
  const child = startCommand(['serve'], { ...settings, HR_PORT: '0' });
  let log = '';
  child.stdout.on('data', (chunk) => (log += String(chunk)));
  const service = { url: await addressOf(child) };
  const ready = async (host: string): Promise<number> => (await sendTo(service, host, '/api/v1/persons')).status;
  expect([await ready('one.example'), await ready('two.example')]).toEqual([401, 421]);
  await prepared.change([{ host: 'two.example', database: two.url }]);
  child.kill('SIGHUP');
  await expect.poll(() => ready('two.example')).toBe(401);
  expect(await ready('one.example')).toBe(421);
  await writeFile(settings.HR_ENVIRONMENTS, '[{}]');
  child.kill('SIGHUP');
  await expect.poll(() => log).toContain('HR_ENVIRONMENTS is not applied: HR_ENVIRONMENTS: \\"host\\" in entry 1 of ');
  expect(await ready('two.example')).toBe(401);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

describe('commands', () => {
  test('are for the environment that --environment names, or refuse', async () => {
    const [one, two] = await Promise.all([prepare('One'), prepare('Two')]);
    const { settings } = await start([
      { host: 'one.example', database: one.url },
      { host: 'two.example', database: two.url },
      { host: 'paused.example', database: one.url.replace(/\w+$/, 'paused'), paused: true },
    ]);
    const made = await run(['clients', 'create', '--name', 'new', '--json', '--environment', 'two.example'], settings);
    const { clientId } = JSON.parse(made.stdout) as { clientId: string };
    const find = ({ database }: Prepared) => database.query('select from api_client where client_id = $1', [clientId]);
    expect([await find(one), await find(two)]).toMatchObject([{ length: 0 }, { length: 1 }]);
    for (const [args, sentence] of [
      [[], 'HR_ENVIRONMENTS is set: say which one, with --environment HOST.'],
      [['--environment', 'three.example'], '--environment: HR_ENVIRONMENTS has no such host.'],
      [['--environment', 'paused.example'], '--environment: paused.example is paused.'],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const refused = await run(['clients', 'list', ...args], settings);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(sentence)]);
    }
  });

  test('migrate brings all databases up to date, and goes on after one that fails', async () => {
    const [first, last] = await Promise.all([bareDatabase('postgres'), bareDatabase('postgres')]);
    onTestFinished(async () => {
      await Promise.all([first.remove(), last.remove()]);
    });
    const { settings } = await start([
      { host: 'paused.example', database: first.url.replace(/\w+$/, 'paused'), paused: true },
      { host: 'missing.example', database: first.url.replace(/\w+$/, 'missing') },
    ]);
    const entries = [
      { host: 'first.example', database: first.url },
      { host: 'missing.example', database: first.url.replace(/\w+$/, 'missing') },
      { host: 'paused.example', database: first.url.replace(/\w+$/, 'paused'), paused: true },
      { host: 'last.example', database: last.url },
    ];
    await writeFile(settings.HR_ENVIRONMENTS, JSON.stringify(entries));
    const { code, stdout, stderr } = await run(['migrate'], settings);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^first\.example: Applied 0001.*\nmissing\.example: PostgreSQL refuses .*\npaused\.example: It is paused.*\nlast\.example: Applied 0001.*\n$/,
    );
    expect(stderr).toBe('The tables of missing.example are not up to date.\n');
  });
});
