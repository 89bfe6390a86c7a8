import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { revokeToken } from '../src/clients/access-tokens.ts';
import { disableClient } from '../src/clients/clients.ts';
import type { Database } from '../src/database/database.ts';
import { sql } from '../src/database/sql.ts';
import { MAX_OPEN_LISTS_OF_CLIENT } from '../src/database/lists.ts';
import type { List } from '../src/database/list.ts';
import type { Grants } from '@hr/schemas/provider';
import { drivers } from './drivers.ts';
import { openSocket } from './raw-http.ts';
import { newReader } from './reader.ts';
import { startService, type TestService } from './service.ts';

const TOKEN_SECONDS = 3600;
const LAST = 10_000;
/** Many pages, which the buffers of the system may hold. */
const long = [sql`select key, element from number`];
/** More than any buffers of the system hold, whose size it chooses itself. */
const huge = [sql`select key, '"' || repeat('x', 8000) || '"' as element from number`];
/** Several pages. */
const medium = [sql`select key, element from number where key <= '01000'`];
const short = [sql`select key, '1' as element from number where key <= '00002'`];
const broken = [sql`select key, (1 / 0)::text as element from number`];

describe.each(drivers)('lists on %s', (driver) => {
  let service: TestService;
  let list: Database['list'];
  let stopped: Promise<void> | undefined;

  beforeAll(async () => {
    service = await startService(driver);
    list = service.database.list.bind(service.database);
    await service.database.query(`
      create table number (key text collate "C" primary key, element text);
      insert into number select lpad(n::text, 5, '0'), '"' || repeat('x', 1000) || '"' from generate_series(1, ${LAST}) as n`);
    return () => stopped ?? service.stop();
  });

  function answerWith(query: List): void {
    vi.spyOn(service.database, 'list').mockImplementationOnce((_query, reader) => list(query, reader));
  }

  async function ask(
    query: List,
    { token, signal }: { readonly token?: string; readonly signal?: AbortSignal } = {},
  ): Promise<Response> {
    answerWith(query);
    const authorization = `Bearer ${token ?? (await service.token())}`;
    return fetch(`${service.baseUrl}/api/v1/persons`, { signal: signal ?? null, headers: { authorization } });
  }

  /** Changes a client as operators do. */
  const change = async (path: string, body: object): Promise<void> => {
    const address = `/operator/v1/clients/${path}`;
    expect((await service.send('POST', address, { scope: 'operator', body })).status).toBe(200);
  };
  const disable = (clientId: string): Promise<unknown> =>
    service.database.transaction((transaction) => disableClient(transaction, clientId));

  const abortedLines = (): Record<string, unknown>[] =>
    service.log.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line['aborted']);
  const aborted = (): number => abortedLines().length;

  /** Waits for the lists that are being read as long as it takes. */
  const rename = (from: string, to: string): Promise<unknown> =>
    service.database.transaction((transaction) => transaction.query(`alter table ${from} rename to ${to}`), {
      long: true,
    });

  test('a fault after the first byte breaks the connection', async () => {
    const response = await ask(huge);
    expect(response.status).toBe(200);
    await rename('number', 'gone');
    try {
      await expect(response.text()).rejects.toThrow('terminated');
      await expect.poll(() => abortedLines().at(-1)).toMatchObject({ level: 50, status: 200, error: {} });
    } finally {
      await rename('gone', 'number');
    }
    expect(await (await ask(short)).json()).toEqual([1, 1]);
  });

  test('a fault before the first byte is a problem', async () => {
    const response = await ask(broken);
    expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/problem+json']);
    expect(await response.json()).toMatchObject({ title: 'Internal error' });
  });

  test('readers who go away leave nothing behind', async () => {
    const before = aborted();
    for (let round = 1; round <= 12; round++) {
      const abort = new AbortController();
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const response = await ask(huge, { signal: abort.signal });
      expect(response.status).toBe(200);
      abort.abort();
      // oxlint-disable-next-line no-await-in-loop
      await expect.poll(aborted).toBe(before + round);
    }
    expect(await (await ask(short)).json()).toEqual([1, 1]);
  });

  test('a stalled reader is cut off', async () => {
    const before = aborted();
    answerWith(huge);
    const connected = once(service.server.server, 'connection') as Promise<[Socket]>;
    const reader = openSocket(service).pause();
    reader.write(`GET /api/v1/persons HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await service.token()}\r\n\r\n`);
    const [socket] = await connected;
    // On a slow machine, the answer itself may take longer than the reader is given.
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(0);
    socket.setTimeout(200);
    await expect.poll(aborted).toBe(before + 1);
    expect(abortedLines().at(-1)).toMatchObject({ status: 200 });
    reader.destroy();
  });

  // Whichever database it is, the same code counts the lists that are open.
  test.runIf(driver === 'postgres')(
    'a client opens so many lists at a time, which delays no other client',
    async () => {
      const before = aborted();
      const { token } = await newReader(service);
      const answers = await Promise.all(
        Array.from({ length: 3 * MAX_OPEN_LISTS_OF_CLIENT }, () => ask(huge, { token })),
      );
      const refused = answers.filter(({ status }) => status === 429);
      // On a slow machine, a new one takes the place of one that has stalled for long.
      const opened = (): number => answers.length - refused.length - (aborted() - before);
      await expect.poll(opened).toBe(MAX_OPEN_LISTS_OF_CLIENT);
      const policy = `"lists";q=${MAX_OPEN_LISTS_OF_CLIENT};qu="concurrent-requests"`;
      expect(Object.fromEntries(refused[0]?.headers ?? [])).toMatchObject({
        'retry-after': '1',
        'ratelimit-policy': policy,
        ratelimit: '"lists";r=0;t=1',
      });
      expect(await (await ask(medium)).json()).toHaveLength(1000);
      const path = '/api/v1/payrollContract/none/variable-payments?billingPeriod=2026-01';
      expect((await service.send('GET', path)).status).toBe(404);
      await Promise.all(answers.map(async ({ body }) => body?.cancel().catch(() => {})));
      await expect.poll(async () => (await ask(short, { token })).status).toBe(200);
    },
  );

  describe('a change of what a client may use or see', () => {
    const granted: Grants = {
      operations: ['listPersons', 'listAbsences'],
      systems: ['master', 'time'],
      fields: ['id', 'lastName'],
    };
    async function openList(query = huge) {
      const { clientId, token } = await newReader(service, granted, ['A', 'B']);
      return { response: await ask(query, { token }), clientId, token };
    }

    test.each([
      ['disable', {}],
      ['grants', { operations: ['listPersons'] }],
      ['grants', { operations: null, systems: ['master'] }],
      ['grants', { systems: null, fields: ['id'] }],
      ['custom-fields/deny', { names: ['B'] }],
    ])('ends its open lists at the next page if there is less: %s %j', async (path, body) => {
      const { response, clientId } = await openList();
      await change(`${clientId}/${path}`, body);
      await expect(response.text()).rejects.toThrow('terminated');
      const ended = { level: 30, status: 200, aborted: true, error: { code: 'access-ended' } };
      await expect.poll(() => abortedLines().findLast((line) => line['clientId'] === clientId)).toMatchObject(ended);
    });

    test('ends none if there is as much or more', async () => {
      const { response, clientId } = await openList(long);
      await change(`${clientId}/grants`, { ...granted, operations: null, systems: ['time', 'payroll', 'master'] });
      await change(`${clientId}/custom-fields/allow`, { names: ['C'] });
      expect(await response.json()).toHaveLength(LAST);
    });

    const narrow = `update api_client set fields = '{id}' where client_id = $1`;
    const inOtherProcess = {
      'is disabled': (clientId: string) => disable(clientId),
      'sees less': (clientId: string) => service.database.query(narrow, [clientId]),
      'has no token any more': (clientId: string, token: string) =>
        revokeToken(service.database, { clientId, token, requestId: randomUUID() }),
    };
    test.each(Object.entries(inOtherProcess))('ends them after a second in another process: it %s', async (_, end) => {
      const { response, clientId, token } = await openList();
      await end(clientId, token);
      await setTimeout(1100);
      await expect(response.text()).rejects.toThrow('terminated');
    });

    test('ends them also when their tokens have expired, which ends none', async () => {
      const [kept, disabled, narrowed] = await Promise.all([openList(long), openList(), openList()]);
      const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + TOKEN_SECONDS * 1000);
      onTestFinished(() => clock.mockRestore());
      await Promise.all([
        inOtherProcess['is disabled'](disabled.clientId),
        inOtherProcess['sees less'](narrowed.clientId),
      ]);
      await setTimeout(1100);
      expect(await kept.response.json()).toHaveLength(LAST);
      const cut = [disabled, narrowed].map(({ response }) => expect(response.text()).rejects.toThrow('terminated'));
      await Promise.all(cut);
    });
  });

  test('a stop lets those that run end, and sends new requests away', async () => {
    const running = await ask(long);
    stopped = service.stop();
    await expect.poll(async () => (await fetch(`${service.baseUrl}/readyz`)).status).toBe(503);
    const refused = await ask(short);
    const { status, headers } = refused;
    expect([status, headers.get('retry-after'), headers.get('connection')]).toEqual([503, '1', 'close']);
    expect(await running.json()).toHaveLength(LAST);
    await stopped;
    const later = openSocket(service);
    expect(await once(later, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }]);
  });
});
