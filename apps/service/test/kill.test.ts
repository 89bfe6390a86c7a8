import { once } from 'node:events';
import { request } from 'node:http';
import { clientCredentials } from '@hr/auth';
import { createHrClient } from '@hr/client';
import { testScale } from 'tooling-vitest/test-scale';
import { expect, test } from 'vitest';
import { createClient } from '../src/clients/clients.ts';
import { openDatabase } from '../src/database/open-database.ts';
import type { DatabaseUrl } from '../src/database/open-database.ts';
import { findImportRun } from '../src/feed/import-run.ts';
import { addressOf, start } from './command-line.ts';
import { drivers, emptyDatabase } from './drivers.ts';
import { load } from './service.ts';

const PERSONS = 8;
const ROUNDS = Math.ceil(testScale);
const ACKNOWLEDGED_A_ROUND = 60;
const KEYS_A_ROUND = 4;
const CALLS_A_KEY = 50;

test.each(drivers)('what was acknowledged survives kill -9 on %s', async (driver) => {
  const { url, remove } = await emptyDatabase(driver);
  const credentials = await prepare(url);
  const acknowledged = { payments: new Set<string>(), houseNumbers: new Map<string, number>() };
  let sent = 0;

  for (let round = 0; round < ROUNDS; round++) {
    // oxlint-disable no-await-in-loop -- each round starts on what the one before left
    const service = start(['serve'], { HR_DATABASE: url, HR_PORT: '0', HR_LOG_LEVEL: 'silent' });
    const baseUrl = await addressOf(service);
    const hr = createHrClient({ baseUrl, auth: clientCredentials({ baseUrl, ...credentials }), retry: { limit: 0 } });
    let answers = 0;
    const answered = () => {
      answers += 1;
      if (answers === ACKNOWLEDGED_A_ROUND) service.kill('SIGKILL');
    };
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
    const exit = once(service, 'exit');
    const ends = await Promise.allSettled(ids().map(write));
    expect(ends.map((end) => end.status)).toEqual(ids().map(() => 'rejected'));
    expect(await exit).toEqual([null, 'SIGKILL']);
    // oxlint-enable no-await-in-loop
  }

  const database = await openDatabase(url);
  const payments = await database.query<{ component: string }>(
    'select compensation_component_id as component from variable_payment',
  );
  const stored = payments.map((payment) => payment.component);
  expect(new Set(stored).size).toBe(stored.length);
  expect([...acknowledged.payments].filter((payment) => !stored.includes(payment))).toEqual([]);
  expect(acknowledged.payments.size).toBeGreaterThan(ROUNDS);

  const views = await database.query<{ id: string; master: string }>('select person_id as id, master from person_view');
  for (const { id, master } of views) {
    const houseNumber = Number(/"houseNumber":"(\d+)"/.exec(master)?.[1]);
    // The last request may have been stored without an answer, but never may an older one be there.
    expect(houseNumber).toBeGreaterThanOrEqual(acknowledged.houseNumbers.get(id) ?? Number.POSITIVE_INFINITY);
  }
  await database.close();
  await remove();
});

test.each(drivers)('what is sent again with its key after kill -9 is made once on %s', async (driver) => {
  const { url, remove } = await emptyDatabase(driver);
  const credentials = await prepare(url);
  const env = { HR_DATABASE: url, HR_PORT: '0', HR_LOG_LEVEL: 'silent' };
  const keys = Array.from({ length: ROUNDS * KEYS_A_ROUND }, (_, index) => `key-${index}`);
  const acknowledged: string[] = [];

  let service = start(['serve'], env);
  let baseUrl = await addressOf(service);
  for (let round = 0; round < ROUNDS; round++) {
    const keysNow = keys.slice(round * KEYS_A_ROUND, (round + 1) * KEYS_A_ROUND);
    const callOften = (limit: number, onAnswer: (key: string) => void): Promise<void>[] => {
      const auth = clientCredentials({ baseUrl, ...credentials });
      const hr = createHrClient({ baseUrl, auth, idempotency: 'provider-supports', retry: { limit } });
      const call = async (key: string): Promise<void> => {
        const payment = { billingPeriod: '2026-01', compensationComponentId: key, amount: 1 };
        await hr.payroll.submitVariablePayment('contract-p0', { ...payment, idempotencyKey: key });
        onAnswer(key);
      };
      return Array.from({ length: CALLS_A_KEY }, () => keysNow.map(call)).flat();
    };
    // oxlint-disable no-await-in-loop -- each round goes on with the service that the one before has started
    const killed = service;
    const calls = callOften(0, (key) => {
      acknowledged.push(key);
      killed.kill('SIGKILL');
    });
    const ends = await Promise.allSettled(calls);
    expect(ends.map(({ status }) => status)).toContain('rejected');
    service = start(['serve'], env);
    baseUrl = await addressOf(service);
    await Promise.all(callOften(5, () => {}));
    // oxlint-enable no-await-in-loop
  }
  const exit = once(service, 'exit');
  service.kill('SIGKILL');
  await exit;

  const database = await openDatabase(url);
  const made = await database.query<{ key: string }>(
    'select compensation_component_id as key from variable_payment order by id',
  );
  expect(made.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
  expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS);
  await database.close();
  await remove();
});

test.each(drivers)('an import tells after kill -9 what it had stored on %s', async (driver) => {
  const { url, remove } = await emptyDatabase(driver);
  const database = await openDatabase(url);
  const { clientId, clientSecret } = await createClient(database, { name: 'killer', scope: 'operator' });
  await database.close();
  const service = start(['serve'], { HR_DATABASE: url, HR_PORT: '0', HR_LOG_LEVEL: 'silent' });
  const baseUrl = await addressOf(service);
  const token = clientCredentials({ baseUrl, clientId, clientSecret, scope: 'operator' });
  const authorization = `Bearer ${(await token.getToken()).value}`;
  const feed = request(`${baseUrl}/operator/v1/feed`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-ndjson' },
  });
  feed.on('error', () => {});
  const records = Array.from({ length: 20_000 }, (_, id) => ({
    kind: 'keyNumber',
    personId: `k-${id}`,
    keyNumber: '1',
  }));
  feed.write(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const run = async (): Promise<{ state: string; lines: number } | undefined> => {
    const response = await fetch(`${baseUrl}/operator/v1/imports`, { headers: { authorization } });
    return ((await response.json()) as { state: string; lines: number }[])[0];
  };
  await expect.poll(async () => (await run())?.lines).toBeGreaterThan(0);
  const exit = once(service, 'exit');
  service.kill('SIGKILL');
  await exit;

  const left = await openDatabase(url);
  const [stored] = await left.query<{ lines: number }>('select count(*)::int as lines from source_document');
  const [killed] = await left.query<{ id: string }>('select id from import_run');
  const listed = async (): Promise<unknown> => {
    const found = await findImportRun(left, killed?.id ?? '');
    return JSON.parse(found?.json as string);
  };
  expect(stored?.lines).toBeLessThan(20_000);
  expect(await listed()).toMatchObject({ state: 'running', lines: stored?.lines });
  await left.query(`update import_run set alive_at = alive_at - interval '1 minute'`);
  expect(await listed()).toMatchObject({
    state: 'broken-off',
    endedAt: expect.any(String) as string,
    reason: 'The process that ran it has ended.',
    lines: stored?.lines,
  });
  await left.close();
  await remove();
});

function ids(): string[] {
  return Array.from({ length: PERSONS }, (_, index) => `p${index}`);
}

async function prepare(url: DatabaseUrl): Promise<{ clientId: string; clientSecret: string }> {
  const database = await openDatabase(url);
  await load(
    database,
    ids().flatMap((id) => [
      { kind: 'person', id },
      { kind: 'mapping', personId: id, payrollContractId: `contract-${id}` },
      { kind: 'employment', payrollContractId: `contract-${id}` },
    ]),
  );
  const { clientId, clientSecret } = await createClient(database, { name: 'killer', scope: 'api:use' });
  await database.close();
  return { clientId, clientSecret };
}
