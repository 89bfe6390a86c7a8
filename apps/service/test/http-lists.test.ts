import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { listQuery } from '../src/database/list-query.ts';
import { MAX_OPEN_LISTS } from '../src/database/lists.ts';
import type { JsonStream } from '../src/database/json-answer.ts';
import type { ListQuery } from '../src/database/list-query.ts';
import { drivers } from './drivers.ts';
import { startService } from './service.ts';
import type { TestService } from './service.ts';

const LAST = 20_000;
/** More than the buffers between the service and a reader hold. */
const long = listQuery`select key, element from number`;
const short = listQuery`select key, '1' as element from number where key <= '00002'`;
const broken = listQuery`select key, (1 / 0)::text as element from number`;

describe.each(drivers)('lists on %s', (driver) => {
  let service: TestService;
  let list: (query: ListQuery) => Promise<JsonStream>;
  let stopped: Promise<void> | undefined;

  beforeAll(async () => {
    service = await startService(driver);
    list = service.database.list.bind(service.database);
    await service.database.query(`
      create table number (key text collate "C" primary key, element text);
      insert into number select lpad(n::text, 5, '0'), '"' || repeat('x', 1000) || '"' from generate_series(1, ${LAST}) as n`);
  });
  afterAll(() => stopped ?? service.stop());

  function answerWith(query: ListQuery): void {
    vi.spyOn(service.database, 'list').mockImplementationOnce(() => list(query));
  }

  async function ask(query: ListQuery, init: RequestInit = {}): Promise<Response> {
    answerWith(query);
    const authorization = `Bearer ${await service.token()}`;
    return fetch(`${service.baseUrl}/api/v1/persons`, { ...init, headers: { authorization } });
  }

  const logged = (): Record<string, unknown>[] =>
    service.log.map((line) => JSON.parse(line) as Record<string, unknown>);

  const aborted = (): number => logged().filter((line) => line['aborted']).length;

  test('a fault after the first byte breaks the connection', async () => {
    const response = await ask(long);
    expect(response.status).toBe(200);
    await service.database.query('alter table number rename to gone');
    await expect(response.text()).rejects.toThrow('terminated');
    await expect.poll(() => logged().at(-1)).toMatchObject({ level: 50, status: 200, aborted: true, error: {} });
    await service.database.query('alter table gone rename to number');
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
      const response = await ask(long, { signal: abort.signal });
      expect(response.status).toBe(200);
      abort.abort();
      // oxlint-disable-next-line no-await-in-loop
      await expect.poll(aborted).toBe(before + round);
    }
    expect(await (await ask(short)).json()).toEqual([1, 1]);
  });

  test('a stalled reader is cut off', async () => {
    service.server.server.timeout = 200;
    answerWith(long);
    const reader = connect(Number(new URL(service.baseUrl).port), '127.0.0.1').pause();
    reader.write(`GET /api/v1/persons HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await service.token()}\r\n\r\n`);
    await expect.poll(() => logged().at(-1)).toMatchObject({ status: 200, aborted: true });
    reader.destroy();
    service.server.server.timeout = 60_000;
  });

  test('stalled readers delay no others', async () => {
    const stalled = await Promise.all(Array.from({ length: 20 }, () => ask(long)));
    expect(await (await ask(long)).json()).toHaveLength(LAST);
    await Promise.all(stalled.map(async ({ body }) => body?.cancel()));
  });

  test('a stalled reader makes room where as many lists are open as allowed', async () => {
    const stalled = await Promise.all(Array.from({ length: MAX_OPEN_LISTS }, () => ask(long)));
    // Either at once, as the first of them has stood still for long enough meanwhile, or a little later.
    await expect.poll(async () => (await ask(short)).status).toBe(200);
    await expect.poll(aborted).toBeGreaterThan(0);
    await Promise.all(stalled.map(async ({ body }) => body?.cancel().catch(() => {})));
  });

  test('a stop lets those that run end, and sends new requests away', async () => {
    const running = await ask(long);
    stopped = service.stop();
    await expect.poll(async () => (await fetch(`${service.baseUrl}/readyz`)).status).toBe(503);
    const refused = await ask(short);
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('connection')]).toEqual([
      503,
      '1',
      'close',
    ]);
    expect(await running.json()).toHaveLength(LAST);
    await stopped;
    const later = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    expect(await once(later, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }]);
  });
});
