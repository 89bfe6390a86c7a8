import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MAX_OPEN_LISTS_OF_CLIENT } from '../src/database/lists.ts';
import { MAX_REQUESTS_IN_FLIGHT } from '../src/http/requests-in-flight.ts';
import { drivers, noTimeLimits } from './drivers.ts';
import { newToken } from './oauth-form.ts';
import { ownDatabase } from './own-database.ts';
import { contractRecords, load, startService, type TestService } from './service.ts';

const OTHERS = 10;
/** Half of the connections for requests. */
const SHARE = 5;
const lists = '/api/v1/persons';
const payments = (contract: string): string =>
  `/api/v1/payrollContract/${contract}/variable-payments?billingPeriod=2026-01`;
const payment = JSON.stringify({ compensationComponentId: 'BONUS', amount: 1 });

describe('while a client does its worst', () => {
  let service: TestService;
  let locker: Client;
  let watcher: Client;
  const worst = new AbortController();

  beforeAll(async () => {
    service = await startService('postgres');
    const ids = ['locked', ...Array.from({ length: OTHERS }, (_, index) => `other-${index}`)];
    await load(
      service.database,
      ids.flatMap((id) => contractRecords(id, id)),
    );
    await service.database.query(`
      insert into person_view select 'x-' || n, '{"id":"x-' || n || repeat(' ', 1000) || '"', '', '', master_change, '', '', payroll_change, '', '', time_change, '{}', '{}', custom_change, first_change
      from person_view, generate_series(1, 20000) as n where person_id = 'locked'`);
    locker = new Client({ connectionString: service.databaseUrl });
    watcher = new Client({ connectionString: service.databaseUrl });
    await Promise.all([locker.connect(), watcher.connect()]);
    return async () => {
      worst.abort();
      await Promise.all([locker.end(), watcher.end()]);
      await service.stop();
    };
  });

  function pay(token: string, contract: string, signal?: AbortSignal): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: payment, signal: signal ?? null };
    return fetch(service.baseUrl + payments(contract), init);
  }

  /** How many statements wait for a row of another transaction, and how many payments of the locked contract are stored. */
  async function state(): Promise<{ locked: number; payments: number }> {
    const { rows } = await watcher.query<{ locked: number; payments: number }>(`
      select (select count(*) from pg_stat_activity where datname = current_database() and wait_event in ('transactionid', 'tuple'))::int as locked,
        (select count(*) from variable_payment where payroll_contract_id = 'locked')::int as payments`);
    return rows[0] as { locked: number; payments: number };
  }

  const waiting = (): number => service.database.pools().requests?.waiting ?? 0;

  test('each request of the others is 200, and the client holds no more than its share', async () => {
    const token = await newToken(service, await service.client());
    await locker.query(`begin; select from person_view where person_id = 'locked' for update;
      select from mapping where person_id = 'locked' for update`);
    const { signal } = worst;
    // They read nothing of them.
    const headers = { authorization: `Bearer ${token}` };
    const opened = Array.from({ length: MAX_OPEN_LISTS_OF_CLIENT }, () =>
      fetch(service.baseUrl + lists, { headers, signal }).catch(() => {}),
    );
    const importing = service.send('POST', '/operator/v1/feed', {
      headers: { 'content-type': 'application/x-ndjson' },
      body: JSON.stringify({ kind: 'person', id: 'locked', firstName: 'Ada' }),
      scope: 'operator',
    });
    const refusals = new Set<string>();
    // oxlint-disable no-await-in-loop -- again and again
    const paying = Array.from({ length: MAX_REQUESTS_IN_FLIGHT - MAX_OPEN_LISTS_OF_CLIENT }, async () => {
      while (!signal.aborted) {
        const response = await pay(token, 'locked', signal).catch(() => {});
        await response?.arrayBuffer().catch(() => {});
        if (response?.ok === false) refusals.add(`${response.status} ${response.headers.has('retry-after')}`);
      }
    });
    // oxlint-enable no-await-in-loop
    // The import waits, too, on a connection of its own.
    await expect.poll(async () => (await state()).locked).toBeGreaterThan(SHARE);
    await expect.poll(waiting).toBeGreaterThan(100);

    let most = 0;
    const watching = new AbortController();
    const watch = async (): Promise<void> => {
      // oxlint-disable no-await-in-loop -- again and again
      while (!watching.signal.aborted) {
        most = Math.max(most, (await state()).locked);
        await setTimeout(20);
      }
      // oxlint-enable no-await-in-loop
    };
    const watched = watch();
    const get = async (path: string, headersOfOther: Record<string, string>): Promise<number> => {
      const response = await fetch(service.baseUrl + path, { headers: headersOfOther });
      await response.arrayBuffer();
      return response.status;
    };
    const answers = Array.from({ length: OTHERS }, async (_, index) => {
      const own = `other-${index}`;
      const statuses: number[] = [];
      const tokenOfOther = await newToken(service, await service.client());
      const ofOther = { authorization: `Bearer ${tokenOfOther}` };
      for (let round = 0; round < 3; round++) {
        /* oxlint-disable no-await-in-loop -- one after the other */
        statuses.push((await pay(tokenOfOther, own)).status);
        statuses.push(await get(`${lists}/${own}/absences`, ofOther));
        statuses.push(await get(`${lists}?changedSince=2999-12-31`, ofOther));
        statuses.push(await get('/readyz', {}));
        /* oxlint-enable no-await-in-loop */
        if (statuses.some((status) => status !== 200)) break;
      }
      return statuses;
    });
    const expected = Array.from({ length: OTHERS }, () => Array.from({ length: 12 }, () => 200));
    expect(await Promise.all(answers)).toEqual(expected);
    watching.abort();
    await watched;
    // Without its time limits, PostgreSQL goes on with statements that the service has given up.
    expect(noTimeLimits[0] ? SHARE + 1 : most).toBe(SHARE + 1);
    expect([...refusals].filter((refusal) => refusal !== '503 true')).toEqual([]);

    worst.abort();
    await Promise.all([...paying, ...opened]);
    // What waits for a connection ends with its request, once the service has read that its sender is gone.
    for (let turn = 0; turn < 10; turn++) {
      // oxlint-disable-next-line no-await-in-loop -- a turn of the event loop each
      expect(await get('/livez', {})).toBe(200);
    }
    await expect.poll(waiting).toBe(0);
    await locker.query('commit');
    expect(await importing).toMatchObject({ status: 200 });
    // What had begun ends.
    const inUse = (): number => {
      const { connections = 0, idle = 0 } = service.database.pools().requests ?? {};
      return connections - idle;
    };
    await expect.poll(inUse).toBe(0);
    const { payments: stored } = await state();
    // Only what had begun is done.
    expect(stored).toBeLessThanOrEqual(SHARE);
    const later = await Promise.all(Array.from({ length: 20 }, () => pay(token, 'locked')));
    expect(later.map(({ status }) => status)).toEqual(later.map(() => 200));
    expect((await state()).payments).toBe(stored + later.length);
  });
});

test('requests whose sender goes while their token is looked up are in flight no longer', async () => {
  const service = await startService('postgres');
  onTestFinished(() => service.stop());
  const headers = { authorization: `Bearer ${await service.token()}` };
  const { promise, resolve } = Promise.withResolvers<void>();
  const { database } = service;
  const query = database.query.bind(database);
  vi.spyOn(database, 'query').mockImplementationOnce((...statement) => promise.then(() => query(...statement)));
  let received = 0;
  let closed = 0;
  service.server.server.on('request', (_, response) => {
    received++;
    response.once('close', () => closed++);
  });
  const gone = new AbortController();
  for (let request = 0; request < MAX_REQUESTS_IN_FLIGHT; request++) {
    fetch(service.baseUrl + lists, { headers, signal: gone.signal }).catch(() => {});
  }
  await expect.poll(() => received).toBe(MAX_REQUESTS_IN_FLIGHT);
  gone.abort();
  await expect.poll(() => closed).toBe(MAX_REQUESTS_IN_FLIGHT);
  resolve();
  expect((await service.send('GET', lists)).status).toBe(200);
});

describe.each(drivers)('one connection on %s', (driver) => {
  test('goes to clients in turns, and what is given up does not begin', async () => {
    const { database, remove } = await ownDatabase(driver, { single: true });
    onTestFinished(remove);
    const done: string[] = [];
    const insert = async (clientId: string, signal?: AbortSignal): Promise<void> => {
      await database.query('insert into entry_order values ($1)', [clientId], { clientId, signal });
      done.push(clientId);
    };
    await database.query('create table entry_order (client text)');
    const abort = new AbortController();
    let given: Promise<void>[] = [];
    let queued: Promise<void>[] = [];
    await database.transaction(async () => {
      given = Array.from({ length: 10 }, () => insert('gone', abort.signal));
      queued = [...Array.from({ length: 10 }, () => insert('noisy')), insert('quiet'), insert('other')];
      abort.abort();
      await Promise.allSettled(given);
    });
    await Promise.all(queued);
    const ends = await Promise.allSettled(given);
    expect(ends.map(({ status }) => status)).toEqual(given.map(() => 'rejected'));
    expect(done.join(' ')).toMatch(/^noisy quiet other( noisy){9}$/);
    expect(await database.query('select from entry_order')).toHaveLength(done.length);
  });

  test.runIf(driver === 'postgres')('has less time for a statement that has waited', async ({ skip }) => {
    skip(...noTimeLimits);
    const { database, remove } = await ownDatabase(driver, { single: true });
    onTestFinished(remove);
    const limits = async (): Promise<number[]> => {
      const [row] = await database.query<{ statement: number; lock: number }>(
        `select (select setting::int from pg_settings where name = 'statement_timeout') as statement,
          (select setting::int from pg_settings where name = 'lock_timeout') as lock where $1`,
        [true],
        { clientId: 'a' },
      );
      return [row?.statement ?? 0, row?.lock ?? 0];
    };
    let waited: Promise<number[]> | undefined;
    await database.transaction(async () => {
      waited = limits();
      await setTimeout(300);
    });
    const [statement = 0, lock = 0] = (await waited) ?? [];
    expect(statement).toBeLessThanOrEqual(4700);
    expect(lock).toBeLessThan(statement);
    expect(await limits()).toEqual([5000, 4000]);
    const late = database.transaction(async () => {
      const slow = database.query('select pg_sleep(60), $1::text', [''], { clientId: 'a' });
      await setTimeout(300);
      return { slow };
    });
    await expect((await late).slow).rejects.toMatchObject({ code: 'database-wait-timeout', mayPass: true });
  });
});
