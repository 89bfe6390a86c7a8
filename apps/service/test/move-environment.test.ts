import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newCaller, openMigrated, startTestEnvironments, type Entry } from './environments.ts';
import { startServerPair } from './server-pair.ts';
import { contractRecords, load } from './service.ts';

const persons = '/api/v1/persons';
const payments = '/api/v1/payrollContract/c-1/variable-payments?billingPeriod=2026-01';

/** The address of a database on the first server of another address. */
const urlOf = (url: string, name: string): string => url.replace(/\w+$/, name).replace(/,[^/]+/, '');

/** The statements of docs/environments.md, a list for each block. */
async function documentedSql(): Promise<string[][]> {
  const page = await readFile(new URL('../../../docs/environments.md', import.meta.url), 'utf8');
  return [...page.matchAll(/```sql\n([^`]+)```/g)].map(([, block = '']) =>
    block
      .split(';')
      .map((statement) => statement.trim())
      .filter((statement) => statement !== ''),
  );
}

test('an environment moves to another server as documented, while others go on and nothing acknowledged is lost', async () => {
  const servers = await startServerPair();
  onTestFinished(() => servers.stop());
  await servers.query('primary', `alter system set synchronous_standby_names = ''`);
  await servers.query('primary', 'select pg_reload_conf()');
  const prepared = await Promise.all(
    ['acme', 'globex'].map(async (name) => {
      await servers.query('primary', `create database ${name} strategy wal_log`);
      const database = await openMigrated(urlOf(servers.url, name));
      await load(database, contractRecords());
      return { name, host: `${name}.example`, database };
    }),
  );
  const [acme, globex] = prepared.map(({ name, host }) => ({ host, database: urlOf(servers.url, name) })) as [
    Entry,
    Entry,
  ];
  const running = await startTestEnvironments([acme, globex]);
  onTestFinished(() => running.stop());
  const callers = await Promise.all(prepared.map(({ host, database }) => newCaller(running, host, database)));
  // An open connection would keep the database from being renamed.
  await Promise.all(prepared.map(({ database }) => database.close()));

  const moving = { isOver: false };
  onTestFinished(() => void (moving.isOver = true));
  const acknowledged: Record<string, string[]> = {};
  const statuses: Record<string, Set<number>> = {};
  /** Reads and pays until the move is over. A payment is sent again, with the same key, until it is acknowledged. */
  const traffic = callers.map(async ({ host, token }) => {
    const [paid, seen] = [(acknowledged[host] = [] as string[]), (statuses[host] = new Set<number>())];
    for (let number = 0; !moving.isOver; number++) {
      const key = `payment-${number}`;
      const pay = {
        token,
        method: 'POST',
        headers: { 'idempotency-key': key },
        body: { compensationComponentId: key, amount: 1 },
      };
      for (let status = 0; status !== 200 && !moving.isOver;) {
        // oxlint-disable no-await-in-loop -- one request after the other
        ({ status } = await running.send(host, payments, pay));
        seen.add(status).add((await running.send(host, persons, { token })).status);
        if (status === 200) paid.push(key);
        // oxlint-enable no-await-in-loop
      }
    }
  });
  const [mover] = callers as [(typeof callers)[0]];
  const grown = async (host: string): Promise<void> => {
    const before = acknowledged[host]?.length ?? 0;
    await vi.waitUntil(() => (acknowledged[host]?.length ?? 0) > before + 5, 120_000);
  };
  await Promise.all(callers.map(({ host }) => grown(host)));
  const cursor = (await running.send(mover.host, persons, mover)).headers.get('hr-cursor') ?? '';

  const [onOld = [], onNew = [], atEnd = []] = await documentedSql();
  await running.change([{ ...acme, paused: true }, globex]);
  await grown(globex.host);
  let position = '';
  for (const statement of onOld) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const [row] = await servers.query<{ pg_current_wal_lsn?: string }>('primary', statement);
    position = row?.pg_current_wal_lsn ?? position;
  }
  const [hasPosition = '', ...others] = onNew.map((statement) => statement.replace('POSITION', position));
  await vi.waitUntil(async () => {
    const [row] = await servers.query<object>('standby', hasPosition);
    return Object.values(row ?? {})[0] === true;
  }, 120_000);
  for (const statement of others) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await servers.query('standby', statement);
  }
  await running.change([{ ...acme, database: urlOf(servers.standbyUrl, 'acme') }, globex]);
  await Promise.all(callers.map(({ host }) => grown(host)));
  moving.isOver = true;
  await Promise.all(traffic);

  expect(statuses).toEqual({ [acme.host]: new Set([200, 503]), [globex.host]: new Set([200]) });
  const changes = await running.send(mover.host, `/api/v1/changes?after=${cursor}`, mover);
  expect([changes.status, changes.body]).toMatchObject([200, { cursor: expect.any(String) as string }]);
  await running.stop();
  for (const [host, url] of [
    [acme.host, urlOf(servers.standbyUrl, 'acme')],
    [globex.host, globex.database],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one after the other
    const database = await openMigrated(url);
    const rows = await database.query<{ key: string }>('select compensation_component_id as key from variable_payment');
    await database.close();
    const stored = rows.map(({ key }) => key);
    expect(stored).toEqual(expect.arrayContaining(acknowledged[host] ?? []));
    expect(new Set(stored).size).toBe(stored.length);
    // oxlint-enable no-await-in-loop
  }
  for (const statement of atEnd) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await servers.query('primary', statement);
  }
});
