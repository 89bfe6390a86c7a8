import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { clientCredentials } from '@hr/auth';
import { createHrClient } from '@hr/client';
import { testScale } from 'tooling-vitest/test-scale';
import { expect, test } from 'vitest';
import { createClient, type ClientCredentials } from '../src/clients/clients.ts';
import type { Database } from '../src/database/database.ts';
import { openDatabase, type DatabaseUrl } from '../src/database/open-database.ts';
import { findImportRun } from '../src/feed/import-run.ts';
import { addressOf, start } from './command-line.ts';
import { drivers, emptyDatabase } from './drivers.ts';
import { contractRecords, load } from './service.ts';

const PERSONS = 8;
const ids = Array.from({ length: PERSONS }, (_, index) => `p${index}`);
const ROUNDS = Math.ceil(testScale);
const ACKNOWLEDGED_A_ROUND = 30;
const KEYS_A_ROUND = 4;
const CALLS_A_KEY = Math.ceil(8 * testScale);
const LINES = 20_000;

test.each(drivers)('kill -9 on %s loses nothing acknowledged, and doubles nothing sent again', async (driver) => {
  const { url, remove } = await emptyDatabase(driver);
  const { writer, operator } = await prepare(url);
  const env = { HR_DATABASE: url, HR_PORT: '0', HR_LOG_LEVEL: 'silent' };
  const keys = Array.from({ length: ROUNDS * KEYS_A_ROUND }, (_, index) => `key-${index}`);
  const acknowledged = { keys: [] as string[], payments: new Set<string>(), houseNumbers: new Map<string, number>() };
  let sent = 0;

  let service = start(['serve'], env);
  let baseUrl = await addressOf(service);
  const opened = openDatabase(url).then((database) => database.close());
  const fault = await opened.catch((error: unknown) => String(error));
  // A folder belongs to one process, until it is killed.
  const held = `FolderHeldError: The database folder ${url.slice('pglite:'.length)} is used by another process; stop it first, or choose another folder.`;
  expect(fault).toBe(driver === 'pglite' ? held : undefined);
  for (let round = 0; round < ROUNDS; round++) {
    const keysNow = keys.slice(round * KEYS_A_ROUND, (round + 1) * KEYS_A_ROUND);
    const callOften = (limit: number, onAnswer: (key: string) => void): Promise<void>[] => {
      const auth = clientCredentials({ baseUrl, ...writer });
      const hr = createHrClient({ baseUrl, auth, idempotency: 'provider-supports', retry: { limit } });
      const call = async (key: string): Promise<void> => {
        const payment = { billingPeriod: '2026-01', compensationComponentId: key, amount: 1 };
        await hr.payroll.submitVariablePayment('contract-p0', { ...payment, idempotencyKey: key });
        onAnswer(key);
      };
      return Array.from({ length: CALLS_A_KEY }, () => keysNow.map(call)).flat();
    };
    const hr = createHrClient({ baseUrl, auth: clientCredentials({ baseUrl, ...writer }), retry: { limit: 0 } });
    const killed = service;
    let calls: Promise<PromiseSettledResult<void>[]> | undefined;
    let answers = 0;
    const answered = (): void => {
      answers += 1;
      if (calls || answers < ACKNOWLEDGED_A_ROUND || acknowledged.houseNumbers.size < PERSONS) return;
      const made = callOften(0, (key) => {
        acknowledged.keys.push(key);
        killed.kill('SIGKILL');
      });
      calls = Promise.allSettled(made);
      // Also where no call succeeds: the writes would go on for ever.
      void calls.then(() => killed.kill('SIGKILL'));
    };
    // oxlint-disable no-await-in-loop -- each round goes on with the service that the one before has started
    const write = async (id: string): Promise<void> => {
      for (;;) {
        sent += 1;
        const houseNumber = sent;
        await hr.persons.update(id, { addresses: [{ houseNumber: String(houseNumber) }] });
        acknowledged.houseNumbers.set(id, houseNumber);
        answered();
        const payment = { billingPeriod: '2026-01', compensationComponentId: `P${houseNumber}`, amount: houseNumber };
        await hr.payroll.submitVariablePayment(`contract-${id}`, payment);
        acknowledged.payments.add(payment.compensationComponentId);
        answered();
      }
    };
    const exit = once(killed, 'exit');
    const writes = await Promise.allSettled(ids.map(write));
    // It was, unless the writes failed before.
    killed.kill('SIGKILL');
    expect(writes.map(({ status }) => status)).toEqual(ids.map(() => 'rejected'));
    expect((await calls)?.map(({ status }) => status)).toContain('rejected');
    expect(await exit).toEqual([null, 'SIGKILL']);
    service = start(['serve'], env);
    baseUrl = await addressOf(service);
    await Promise.all(callOften(5, () => {}));
    // oxlint-enable no-await-in-loop
  }
  await importUntilKilled(service, baseUrl, operator);

  const database = await openDatabase(url);
  const components = 'select compensation_component_id as component from variable_payment';
  const stored = (await database.query<{ component: string }>(components)).map(({ component }) => component);
  expect(new Set(stored).size).toBe(stored.length);
  expect([...acknowledged.payments].filter((payment) => !stored.includes(payment))).toEqual([]);
  expect(acknowledged.payments.size).toBeGreaterThan(ROUNDS);
  expect(stored.filter((component) => component.startsWith('key-')).toSorted()).toEqual(keys.toSorted());
  expect(acknowledged.keys.length).toBeGreaterThanOrEqual(ROUNDS);

  const views = await database.query<{ id: string; master: string }>(
    'select person_id as id, master from person_view where person_id = any($1)',
    [ids],
  );
  expect(views).toHaveLength(PERSONS);
  for (const { id, master } of views) {
    const houseNumber = Number(/"houseNumber":"(\d+)"/.exec(master)?.[1]);
    // The last request may have been stored without an answer, but never may an older one be there.
    expect(houseNumber).toBeGreaterThanOrEqual(acknowledged.houseNumbers.get(id) ?? Number.POSITIVE_INFINITY);
  }
  await expectBrokenOff(database);
  await database.close();
  await remove();
});

async function importUntilKilled(service: ChildProcess, baseUrl: string, operator: ClientCredentials): Promise<void> {
  const token = clientCredentials({ baseUrl, ...operator });
  const authorization = `Bearer ${(await token.getToken()).value}`;
  const feed = request(`${baseUrl}/operator/v1/feed`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-ndjson' },
  });
  feed.on('error', () => {});
  const lines = Array.from({ length: LINES }, (_, id) => `{"kind":"keyNumber","personId":"k-${id}","keyNumber":"1"}\n`);
  feed.write(lines.join(''));
  const linesStored = async (): Promise<number> => {
    const response = await fetch(`${baseUrl}/operator/v1/imports`, { headers: { authorization } });
    const runs = (await response.json()) as { state: string; lines: number }[];
    return runs.find(({ state }) => state === 'running')?.lines ?? 0;
  };
  await expect.poll(linesStored).toBeGreaterThan(0);
  const exit = once(service, 'exit');
  service.kill('SIGKILL');
  await exit;
}

/** The import tells what it had stored when its process was killed. */
async function expectBrokenOff(database: Database): Promise<void> {
  const [stored] = await database.query<{ lines: number }>(
    `select count(*)::int as lines from source_document where kind = 'keyNumber'`,
  );
  const [killed] = await database.query<{ id: string }>("select id from import_run where state = 'running'");
  const listed = async (): Promise<unknown> => {
    const found = await findImportRun(database, killed?.id ?? '');
    return JSON.parse(found?.json as string);
  };
  expect(stored?.lines).toBeLessThan(LINES);
  expect(await listed()).toMatchObject({ state: 'running', lines: stored?.lines });
  await database.query(`update import_run set alive_at = alive_at - interval '1 minute'`);
  expect(await listed()).toMatchObject({
    state: 'broken-off',
    endedAt: expect.any(String) as string,
    reason: 'The process that ran it has ended.',
    lines: stored?.lines,
  });
}

/** Loads persons with a contract each, and makes the clients that write and import. */
async function prepare(url: DatabaseUrl): Promise<{ writer: ClientCredentials; operator: ClientCredentials }> {
  const database = await openDatabase(url);
  await load(
    database,
    ids.flatMap((id) => contractRecords(id, `contract-${id}`)),
  );
  const writer = await createClient(database, { name: 'killer', scope: 'api:use' });
  const operator = await createClient(database, { name: 'killer', scope: 'operator' });
  await database.close();
  return { writer, operator };
}
