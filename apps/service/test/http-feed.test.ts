import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { z } from 'zod';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { takeImportLock } from '../src/database/change-sets.ts';
import { DatabaseUnavailableError } from '../src/database/database-errors.ts';
import { openDatabase } from '../src/database/open-database.ts';
import type { feedOperations } from '../src/feed/feed-operations.ts';
import { auditEvents } from './audited.ts';
import { drivers, emptyDatabase } from './drivers.ts';
import { sharedService, startService, type Answer } from './service.ts';

type Run = z.output<(typeof feedOperations.operatorGetImport)['response']>;

interface Sent {
  readonly status: number | undefined;
  readonly body: Run & { readonly importId: string; readonly detail: string; readonly errors: object[] };
}

const salary = (contract: number, width = 0): string =>
  `${JSON.stringify({ kind: 'salary', payrollContractId: `c-${contract}`, year: 2026, month: 1 }).padEnd(width)}\n`;
const salaries = (count: number, width?: number): string =>
  Array.from({ length: count }, (_, index) => salary(index, width)).join('');
/** More than the parts in which a feed is unpacked and stored. */
const MANY = 2000;
const LEFT = 'The sender closed the connection.';
const damaged = gzipSync(salaries(MANY)).subarray(0, -1000);
const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, `${' '.repeat(1023)}\n`));

async function responseOf(request: ClientRequest): Promise<Sent> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: (await json(response)) as Sent['body'] };
}

describe.each(drivers)('a feed over HTTP on %s', (driver) => {
  const service = sharedService(driver);

  // Later a test waits for the next connection, which must not be that of a token.
  beforeAll(() => service.token('operator'));
  beforeEach(() => service.database.query('delete from salary_entry; delete from import_run'));

  async function open(
    query = '',
    headers: Readonly<Record<string, string>> = {},
    to = service,
  ): Promise<ClientRequest> {
    const authorization = `Bearer ${await to.token('operator')}`;
    return httpRequest(`${to.baseUrl}/operator/v1/feed${query}`, {
      method: 'POST',
      agent: false,
      headers: { authorization, 'content-type': 'application/x-ndjson', ...headers },
    }).on('error', () => {});
  }

  async function send(
    feed: string | Buffer,
    query?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Sent> {
    const request = await open(query, headers);
    request.end(feed);
    return responseOf(request);
  }

  const stored = async ({ database } = service): Promise<number> =>
    (await database.query('select from salary_entry')).length;

  /** Sends the beginning of a feed, of which something is stored then. */
  async function begin(to = service): Promise<ClientRequest> {
    const request = await open('', {}, to);
    request.write(salaries(MANY));
    await expect.poll(() => stored(to)).toBeGreaterThan(0);
    return request;
  }

  async function runs(): Promise<Run[]> {
    return (await service.send('GET', '/operator/v1/imports', { scope: 'operator' })).body as Run[];
  }

  test('is stored whatever its size, plain or as gzip, and the same again is a no-op', async () => {
    const feed = salaries(MANY, 600);
    expect(feed.length).toBeGreaterThan(1024 * 1024);
    const plain = await send(feed, '?source=night.ndjson');
    expect(plain).toMatchObject({
      status: 200,
      body: {
        sources: ['night.ndjson'],
        state: 'done',
        lines: MANY,
        badLines: 0,
        outcomes: { salary: { created: MANY }, person: { created: 0 } },
        leftOut: [],
        moreFaults: 0,
      },
    });
    expect(await stored()).toBe(MANY);
    const packed = gzipSync(feed);
    const unchanged = { status: 200, body: { outcomes: { salary: { unchanged: MANY, created: 0 } } } };
    expect(await send(packed)).toMatchObject(unchanged);
    expect(await send(packed, '', { 'content-encoding': 'gzip' })).toMatchObject(unchanged);
    const done = ['done', plain.body.actor, MANY];
    expect((await runs()).map(({ state, actor, lines }) => [state, actor, lines])).toEqual([done, done, done]);
    const { id, requestId, actor } = plain.body;
    expect((await service.send('GET', `/operator/v1/imports/${id}`, { scope: 'operator' })).body).toEqual(plain.body);
    const [event] = await auditEvents(service, { requestId });
    expect(event).toMatchObject({ actor, operation: 'operatorImportFeed', elements: 1 });
  });

  test('reports the lines that it leaves out by their places', async () => {
    const bad = String.raw`{"kind":"person","id":"1","\u0000":43,"lastName":7}`;
    const { status, body } = await send(`${salary(1)}\n${`${bad}\n`.repeat(40)}{"id":"secret"\n${salary(2)}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: 'done', lines: 43, badLines: 41, moreFaults: 31 });
    expect(body.leftOut).toHaveLength(50);
    expect(body.leftOut.slice(0, 2)).toMatchObject([
      { source: 'request', line: 3, pointer: '/lastName', code: 'wrong-type' },
      { source: 'request', line: 3, pointer: '/\uFFFD', code: 'unknown-name' },
    ]);
    expect(await stored()).toBe(2);
    expect(await runs()).toEqual([body]);
  });

  test('is listed although a fault that an older version stored is no text of the database', async () => {
    const { body } = await send('{}');
    const leftOut = body.leftOut.map((fault) => ({ ...fault, pointer: '/\0' }));
    await service.database.query('update import_run set left_out = $1', [JSON.stringify(leftOut)]);
    expect(await runs()).toEqual([{ ...body, leftOut }]);
    const found = await service.send('GET', `/operator/v1/imports/${body.id}`, { scope: 'operator' });
    expect(found.body).toEqual({ ...body, leftOut });
  });

  test('ends behind the batch in which it has too many faults', async () => {
    const { status, body } = await send(gzipSync(`${salary(1)}${'{}\n'.repeat(1_000_000)}`));
    expect(status).toBe(400);
    expect(body.detail).toMatch(
      /^The feed has more than 100000 faults: correct it\. The first \d+ lines are done .+ Send the whole feed again/,
    );
    const [run] = await runs();
    expect(run).toMatchObject({ id: body.importId, state: 'broken-off' });
    expect(run?.badLines).toBeGreaterThan(100_000);
    expect(run?.badLines).toBeLessThan(110_000);
    expect(await stored()).toBe(1);
  });

  test('strictly stores nothing if a line is bad', async () => {
    const { status, body } = await send(`${salaries(MANY)}{}\n{}\n`, '?strict=true');
    expect(status).toBe(400);
    expect(body).toMatchObject({
      detail: `Line ${MANY + 1} is bad, see errors. Nothing is stored.`,
      errors: [{ pointer: '/kind', code: 'not-allowed' }],
    });
    expect(await stored()).toBe(0);
    expect(await runs()).toMatchObject([{ id: body.importId, state: 'failed', badLines: 1 }]);
    expect(await send(salaries(MANY), '?strict=true')).toMatchObject({ status: 200, body: { lines: MANY } });
  });

  test.each<readonly [string, Buffer, number, RegExp]>([
    ['damaged', damaged, 400, /ends early\. The first \d+ lines are done/],
    ['not gzip as announced', Buffer.from(salary(1)), 400, /damaged\. Nothing is stored\.$/],
    // It takes a second, and no database has a part in it.
    ...(driver === 'postgres'
      ? [['a bomb', bomb, 413, /more than 200 times its size\. Nothing is stored/] as const]
      : []),
  ])('that is %s keeps what was stored and says how far it came', async (_, bytes, status, detail) => {
    const sent = await send(bytes, '', { 'content-encoding': 'gzip' });
    expect(sent).toMatchObject({ status, body: { detail: expect.stringMatching(detail) as string } });
    const [run] = await runs();
    expect(run).toMatchObject({ id: sent.body.importId, state: 'broken-off', lines: await stored() });
    expect(sent.body.detail).toContain(run?.reason);
  });

  test('whose sender goes away keeps what was stored', async () => {
    const request = await begin();
    expect(await runs()).toMatchObject([{ state: 'running' }]);
    request.destroy();
    await expect.poll(async () => (await runs())[0]?.state).toBe('broken-off');
    expect(await runs()).toMatchObject([{ lines: await stored(), reason: LEFT }]);
  });

  test('whose sender goes away when all of it is sent ends behind a batch', async () => {
    const { database } = service;
    const transaction = database.transaction.bind(database);
    const connected = once(service.server.server, 'connection') as Promise<[Socket]>;
    const request = await open();
    const stores = vi.spyOn(database, 'transaction').mockImplementationOnce(async (work, options) => {
      const [socket] = await connected;
      request.destroy();
      await once(socket, 'close');
      return transaction(work, options);
    });
    request.end(gzipSync(salaries(MANY)));
    await expect.poll(async () => (await runs())[0]?.state).toBe('broken-off');
    stores.mockRestore();
    expect(await runs()).toMatchObject([{ lines: 100, reason: LEFT }]);
    expect(await stored()).toBe(100);
  });

  test.each([false, true])('is cancelled by another process, also one that waits for its sender: %s', async (waits) => {
    const request = await begin();
    const other = driver === 'postgres' ? await startService(driver, { HR_DATABASE: service.databaseUrl }) : service;
    const [run] = await runs();
    const cancel = (id = run?.id): Promise<Answer> =>
      other.send('POST', `/operator/v1/imports/${id}/cancel`, { scope: 'operator' });
    const cancelledAt = expect.any(String) as string;
    expect(await cancel()).toMatchObject({ status: 200, body: { id: run?.id, cancelledAt } });
    if (!waits) request.write(salaries(MANY));
    const { status, body } = await responseOf(request);
    request.destroy();
    expect(status).toBe(409);
    const [ended] = await runs();
    expect(ended).toMatchObject({ id: body.importId, state: 'broken-off' });
    expect(body.detail).toContain(`An operator cancelled the import. The first ${ended?.lines} lines are done`);
    expect(await cancel()).toMatchObject({ status: 409, body: { detail: 'The import has ended already.' } });
    expect((await cancel('1')).status).toBe(404);
    if (other !== service) await other.stop();
  });

  test('says what is stored when the database fails after a batch', async () => {
    const request = await begin();
    const transactions = vi.spyOn(service.database, 'transaction').mockRejectedValue(new DatabaseUnavailableError());
    request.write(salaries(MANY));
    const { status, body } = await responseOf(request);
    transactions.mockRestore();
    request.destroy();
    expect(status).toBe(503);
    expect(body.detail).toContain(`The first ${await stored()} lines are done`);
    expect(await runs()).toMatchObject([{ id: body.importId, state: 'failed', lines: await stored() }]);
  });

  test('takes longer than other requests may', async () => {
    const { server } = service.server;
    const { requestTimeout, headersTimeout } = server;
    const request = await open();
    request.write(salary(1));
    await expect.poll(async () => (await runs()).length).toBe(1);
    // Node looks for requests that take too long every two seconds.
    const late = vi.fn<() => void>();
    server.once('clientError', late);
    Object.assign(server, { requestTimeout: 1, headersTimeout: 1 });
    await expect.poll(() => late.mock.calls.length).toBe(1);
    Object.assign(server, { requestTimeout, headersTimeout });
    request.end(salary(2));
    expect(await responseOf(request)).toMatchObject({ status: 200, body: { lines: 2 } });
  });

  test.each<[Readonly<Record<string, string>>, number]>([
    [{ 'content-type': 'application/json' }, 415],
    [{ 'content-encoding': 'br' }, 415],
  ])('with %o is answered %i', async (headers, status) => {
    expect((await send(salary(1), '', headers)).status).toBe(status);
    expect(await runs()).toEqual([]);
  });

  test.runIf(driver === 'postgres')('that waits for many others leaves connections to other requests', async () => {
    let feeds: Promise<Sent>[] = [];
    await service.database.transaction(
      async (transaction) => {
        await takeImportLock(transaction);
        feeds = Array.from({ length: 20 }, (_, index) => send(salary(index)));
        await expect.poll(async () => (await runs()).length).toBe(20);
        expect((await service.send('GET', '/readyz')).status).toBe(200);
        expect(new Set((await runs()).map(({ state }) => state))).toEqual(new Set(['running']));
      },
      { long: true },
    );
    expect(new Set((await Promise.all(feeds)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await stored()).toBe(20);
  });

  test('ends behind a batch when the service stops, and its run says so', async () => {
    const empty = await emptyDatabase(driver);
    const stopping = await startService(driver, { HR_DATABASE: empty.url });
    const request = await begin(stopping);
    const stop = stopping.stop();
    const { status, body } = await responseOf(request);
    request.destroy();
    await stop;
    const database = await openDatabase(empty.url);
    const lines = (await database.query('select from salary_entry')).length;
    expect(status).toBe(503);
    expect(body.detail).toContain(`The service is stopping. Ask again in a moment. The first ${lines} lines are done`);
    expect(await database.query('select id::text, state, lines::int from import_run')).toEqual([
      { id: body.importId, state: 'broken-off', lines },
    ]);
    await database.close();
    await empty.remove();
  });
});
