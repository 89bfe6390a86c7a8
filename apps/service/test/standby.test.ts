import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sql } from '../src/database/sql.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { fetchWithoutWaits, newHrClient } from './hr-client.ts';
import { startServerPair, type ServerPair } from './server-pair.ts';
import { contractRecords, load, startService, type Answer, type TestService } from './service.ts';

const PAYERS = 4;
const PAYMENTS_BEFORE = 30;
const PAYMENTS_AFTER = 30;

describe('a PostgreSQL with a synchronous standby', () => {
  let servers: ServerPair;
  let service: TestService;

  beforeAll(async () => {
    servers = await startServerPair();
    service = await startService('postgres', { HR_DATABASE: servers.url, HR_DATABASE_REPLICA: servers.standbyUrl });
    await load(service.database, contractRecords());
    await service.token();
    return async () => {
      await service.stop();
      await servers.stop();
    };
  });

  // Each test goes on with the servers of the one before.
  let isBroken = false;
  beforeEach(({ skip, onTestFailed }) => {
    skip(isBroken, 'an earlier test failed');
    onTestFailed(() => void (isBroken = true));
  });

  // The audit of earlier reads may wait, too.
  const waiting = `from pg_stat_activity where wait_event = 'SyncRep' and query not like 'copy%'`;
  const waitingPayments = async (): Promise<number> => (await servers.query('primary', `select ${waiting}`)).length;

  function pay(key: string): Promise<Answer> {
    return service.send('POST', '/api/v1/payrollContract/c-1/variable-payments?billingPeriod=2026-01', {
      headers: { 'idempotency-key': key },
      body: { compensationComponentId: key, amount: 1 },
    });
  }

  const stored = async (): Promise<string[]> => {
    const keys = 'select compensation_component_id as key from variable_payment';
    return (await service.database.query<{ key: string }>(keys)).map(({ key }) => key).toSorted();
  };

  const client = () => newHrClient(service, { retry: { limit: 100, maxDelay: 1000 }, fetch: fetchWithoutWaits });

  const persons = async (query = ''): Promise<unknown> => (await service.send('GET', `/api/v1/persons${query}`)).body;

  async function move(houseNumber: string): Promise<void> {
    const body = { addresses: [{ houseNumber }] };
    expect(await service.send('PATCH', '/api/v1/persons/p-1', { body })).toMatchObject({ status: 200 });
  }

  test('lists what was changed before, though it is read from the standby', async () => {
    const today = new Date().toISOString().slice(0, 10);
    for (let n = 1; n <= 20; n++) {
      // oxlint-disable no-await-in-loop -- one after the other
      await move(`a${n}`);
      const moved = [{ id: 'p-1', address: { houseNumber: `a${n}` } }];
      expect(await persons(n % 2 === 0 ? '' : `?changedSince=${today}`)).toMatchObject(moved);
      // oxlint-enable no-await-in-loop
    }
    // On a slow machine the standby may have been behind each time.
    await vi.waitUntil(async () => {
      await persons();
      return (service.database.pools().replica?.connections ?? 0) > 0;
    }, 240_000);
  });

  test('reads lists from the primary while the standby is behind', async () => {
    await servers.query('standby', 'select pg_wal_replay_pause()');
    await move('b1');
    expect(await persons()).toMatchObject([{ id: 'p-1', address: { houseNumber: 'b1' } }]);
    expect(service.database.pools().lists?.connections).toBeGreaterThan(0);
    await servers.query('standby', 'select pg_wal_replay_resume()');
  });

  test('goes on with a list on the primary when the standby ends it', async () => {
    const count = 15_000;
    const numbers = [
      sql`select n as key, '"' || rpad(n::text, 1000) || '"' as element
      from generate_series(1::bigint, ${String(count)}::bigint) as n`,
    ];
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy%' and state = 'active'`;
    const expected = Array.from({ length: count }, (_, index) => index + 1);
    const readAndEnd = async (): Promise<boolean> => {
      let ended = 0;
      const chunks: Buffer[] = [];
      for await (const chunk of (await service.database.list(numbers)).json) {
        chunks.push(chunk as Buffer);
        if (ended === 0) ended = (await servers.query('standby', end)).length;
      }
      const list = JSON.parse(Buffer.concat(chunks).toString()) as string[];
      expect(list.map(Number)).toEqual(expected);
      return ended > 0;
    };
    // On a slow machine it may be read from the primary alone.
    await vi.waitUntil(readAndEnd, 240_000);
  });

  test('reads lists from the primary if the replica does not run', async () => {
    const replica = 'postgres://u:p@127.0.0.1:1/hr';
    const database = await openDatabase(servers.url, { requests: 1, lists: 1, replica });
    const list = await database.list([sql`select 1 as key, '1' as element`]);
    expect(await text(list.json)).toBe('[1\n]');
    await database.close();
  });

  test('acknowledges no change that the standby does not have', async () => {
    await servers.replicate(false);
    const [cancelled, timedOut] = [pay('cancelled'), pay('timed-out')];
    await vi.waitUntil(async () => (await waitingPayments()) === 2, 240_000);
    await servers.query('primary', `select pg_cancel_backend(pid) ${waiting} order by query_start limit 1`);
    const answers = await Promise.all([cancelled, timedOut]);
    const details = answers.map(({ body }) => (body as { detail: string }).detail).toSorted();
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect(details[0]).toMatch(/^The change is stored, but no standby has confirmed it: .* Send it again/);
    expect(details[1]).toMatch(/^The connection .* may be stored or not\. Send it again/);
    // A connection that was given up waits on the server no longer.
    await vi.waitUntil(async () => (await waitingPayments()) === 0, 240_000);
    await servers.replicate(true);
    expect(await Promise.all(['cancelled', 'timed-out'].map(pay))).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(await stored()).toEqual(['cancelled', 'timed-out']);
  });

  test('keeps what was acknowledged when the standby takes over, and each payment is there once', async () => {
    const acknowledged: string[] = [];
    const whole = await service.send('GET', '/api/v1/persons');
    const cursor = whole.headers.get('hr-cursor');
    let lists = 0;
    const over = new AbortController();
    const reading = Array.from({ length: 2 }, async () => {
      const hr = await client();
      while (!over.signal.aborted) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        expect(await hr.persons.list()).toHaveLength(1);
        lists++;
      }
    });
    let listsBefore = 0;
    let takeOver: Promise<void> | undefined;
    const failOver = async (): Promise<void> => {
      await servers.killPrimary();
      listsBefore = lists;
      await servers.query('standby', 'select pg_promote()');
    };
    const paying = Array.from({ length: PAYERS }, async (_, payer) => {
      const hr = await client();
      for (let n = 0; acknowledged.length < PAYMENTS_BEFORE + PAYMENTS_AFTER; n++) {
        const key = `payer-${payer}-${n}`;
        const payment = { billingPeriod: '2026-02', compensationComponentId: key, amount: 1, idempotencyKey: key };
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await hr.payroll.submitVariablePayment('c-1', payment);
        acknowledged.push(key);
        if (acknowledged.length === PAYMENTS_BEFORE) takeOver = failOver();
      }
    });
    await Promise.all(paying);
    await takeOver;
    await vi.waitUntil(() => lists > listsBefore + 2, 240_000);
    over.abort();
    await Promise.all(reading);
    const payments = (await stored()).filter((key) => key.startsWith('payer'));
    expect(payments).toEqual(acknowledged.toSorted());
    // The new primary has all that the cursor has seen.
    expect(await persons(`?after=${cursor}`)).toEqual([]);
    await move('c1');
    expect(await persons(`?after=${cursor}`)).toMatchObject([{ id: 'p-1', address: { houseNumber: 'c1' } }]);
  });

  test('has one primary, also when the former one is started again', async () => {
    await servers.restartPrimary();
    expect(await servers.query('primary', 'select pg_is_in_recovery() as standby')).toEqual([{ standby: false }]);
    const fresh = await openDatabase(servers.url);
    const port = 'select inet_server_port() as port';
    const [expected] = await servers.query('standby', port);
    expect(await Promise.all([fresh.query(port), service.database.query(port)])).toEqual([[expected], [expected]]);
    await fresh.close();
  });
});
