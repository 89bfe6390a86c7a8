import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { ChildProcess } from 'node:child_process';
import { clientCredentials } from '@hr/auth';
import { createHrClient, type HrClient } from '@hr/client';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient, type ClientCredentials } from '../src/clients/clients.ts';
import type { Scope } from '../src/http/grant.ts';
import type { Database } from '../src/database/database.ts';
import { migrations } from '../src/database/migrate.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { takeImportLock } from '../src/database/change-sets.ts';
import { erasePerson } from '../src/erasure/erase-person.ts';
import { importFeed } from '../src/feed/import-feed.ts';
import { addressOf, start } from './command-line.ts';
import { feed } from './feed.ts';
import { newToken } from './oauth-form.ts';
import { ownDatabase } from './own-database.ts';
import { contractRecords, load } from './service.ts';

const LIMIT = 30;
const PERSONS = 1000;
const PAYERS = 3;
const payments = '/api/v1/payrollContract/c-1/variable-payments?billingPeriod=2026-01';

interface Running {
  readonly child: ChildProcess;
  readonly baseUrl: string;
}

async function statusOf(baseUrl: string, path: string, token: string, init: RequestInit = {}): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'once' };
  return (await fetch(baseUrl + path, { ...init, headers })).status;
}

describe('several processes on one PostgreSQL', () => {
  let settings: Record<string, string>;
  let database: Database;

  /** Starts processes at the same time, on what may have no tables yet. */
  const startAll = (count: number): Promise<Running[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const child = start(['serve'], settings);
        return { child, baseUrl: await addressOf(child) };
      }),
    );
  const newClient = (scope: Scope): Promise<ClientCredentials> => createClient(database, { name: 'a test', scope });
  const loadPersons = (count: number): Promise<void> =>
    load(database, [
      ...contractRecords('p-0'),
      ...Array.from({ length: count }, (_, index) => ({ kind: 'person', id: `p-${index}` })),
    ]);

  beforeEach(async () => {
    const own = await ownDatabase('postgres', { bare: true });
    ({ database } = own);
    settings = { HR_DATABASE: own.url, HR_PORT: '0', HR_LOG_LEVEL: 'silent' };
    return own.remove;
  });

  test('act as one', async () => {
    settings['HR_RATE_LIMIT'] = String(LIMIT);
    const processes = (await startAll(2)).map(({ baseUrl }) => baseUrl);
    const [first = ''] = processes;
    const names = (await readdir(migrations)).toSorted();
    expect(await database.query('select name from migration order by name')).toEqual(names.map((name) => ({ name })));
    await loadPersons(1);
    const [one, another, operator] = [
      await newClient('api:use'),
      await newClient('api:use'),
      await newClient('operator'),
    ];

    // A token of one process is valid in all of them. They count requests together.
    const token = await newToken({ baseUrl: first }, one);
    const asked = processes.flatMap((each) => Array.from({ length: LIMIT }, () => statusOf(each, payments, token)));
    const statuses = (await Promise.all(asked)).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 429].flatMap((status) => Array.from({ length: LIMIT }, () => status)));

    // A key that all of them get at once makes one payment.
    const otherToken = await newToken({ baseUrl: first }, another);
    const bonus = { method: 'POST', body: JSON.stringify({ compensationComponentId: 'ONCE', amount: 1 }) };
    const submitted = [...processes, ...processes].map((each) => statusOf(each, payments, otherToken, bonus));
    const known = new Set(await Promise.all(submitted));
    expect([known.delete(200), [...known].filter((status) => status !== 409)]).toEqual([true, []]);
    const [payment, ...others] = await database.query<{ id: string }>('select id::text from variable_payment');
    expect(others).toEqual([]);

    // Of all decisions on it, one counts.
    const operatorToken = await newToken({ baseUrl: first }, operator);
    const decisions = processes.flatMap((each) =>
      ['approve', 'reject'].map((decision) => {
        const path = `/operator/v1/variable-payments/${payment?.id}/${decision}`;
        return statusOf(each, path, operatorToken, { method: 'POST', body: '{}' });
      }),
    );
    expect((await Promise.all(decisions)).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  });

  test('one is replaced under load without a failed read or a double payment', async () => {
    const [replaced, other, replacement] = (await startAll(3)) as [Running, Running, Running];
    const rotation = [replaced, other];
    await loadPersons(PERSONS);
    const credentials = await newClient('api:use');
    let turn = 0;
    // The balancer does not notice that a process stops.
    const throughBalancer: typeof fetch = (request, init) => {
      const { pathname, search } = new URL(request instanceof Request ? request.url : request);
      turn++;
      return fetch(`${rotation[turn % rotation.length]?.baseUrl}${pathname}${search}`, init);
    };
    const newProgram = (): HrClient => {
      const [baseUrl, through] = ['http://127.0.0.1:1', { fetch: throughBalancer }];
      const auth = clientCredentials({ baseUrl, ...credentials, ...through });
      return createHrClient({ baseUrl, auth, retry: { limit: 20 }, idempotency: 'provider-supports', ...through });
    };
    const acknowledged: string[] = [];
    let lists = 0;
    const over = new AbortController();
    /** Waits until the programs have more answers, of both processes. */
    const moreAnswers = async (): Promise<void> => {
      const [listsBefore, paymentsBefore] = [lists, acknowledged.length];
      await vi.waitUntil(() => lists > listsBefore + 2 && acknowledged.length > paymentsBefore + PAYERS, 240_000);
    };
    // oxlint-disable no-await-in-loop -- one after the other
    const read = async (): Promise<void> => {
      const hr = newProgram();
      for (; !over.signal.aborted; lists++) expect(await hr.persons.list()).toHaveLength(PERSONS);
    };
    const pay = async (payer: number): Promise<void> => {
      const hr = newProgram();
      for (let count = 0; !over.signal.aborted; count++) {
        const key = `payer-${payer}-${count}`;
        const payment = { billingPeriod: '2026-02', compensationComponentId: key, amount: 1, idempotencyKey: key };
        await hr.payroll.submitVariablePayment('c-1', payment);
        acknowledged.push(key);
      }
    };
    const replaceOne = async (): Promise<void> => {
      await moreAnswers();
      const exit = once(replaced.child, 'exit');
      replaced.child.kill('SIGTERM');
      expect(await exit).toEqual([0, null]);
      rotation[0] = replacement;
      await moreAnswers();
    };
    // oxlint-enable no-await-in-loop
    const programs = [read(), read(), ...Array.from({ length: PAYERS }, (_, payer) => pay(payer))];
    await Promise.race([replaceOne(), Promise.all(programs)]);
    over.abort();
    await Promise.all(programs);

    const rows = await database.query<{ key: string }>('select compensation_component_id as key from variable_payment');
    expect(rows.map(({ key }) => key).toSorted()).toEqual(acknowledged.toSorted());
  });
});

test('an import and an erasure wait for the import of another process', async () => {
  const { database, url, remove } = await ownDatabase('postgres');
  const other = await openDatabase(url);
  const [taken, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const importing = other.transaction(
    async (transaction) => {
      await takeImportLock(transaction);
      taken.resolve();
      await done.promise;
    },
    { long: true },
  );
  await taken.promise;
  const waiting = [
    importFeed(database, [feed({ kind: 'person', id: 'p-1' })]),
    database.transaction((transaction) => erasePerson(transaction, 'p-1', 'an operator')),
  ];
  await vi.waitFor(async () => {
    const locks = await other.query(`select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`);
    expect(locks).toHaveLength(waiting.length);
  }, 3000);
  done.resolve();
  await Promise.all([importing, ...waiting]);
  await other.close();
  await remove();
});
