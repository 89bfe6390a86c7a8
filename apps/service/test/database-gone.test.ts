import { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { DatabaseUnavailableError } from '../src/database/database-errors.ts';
import { openDatabase, type DatabaseUrl } from '../src/database/open-database.ts';
import { apiRoutes, operatorRoutes } from '../src/routes.ts';
import type { Route } from '../src/http/route.ts';
import { databaseProxy, type DatabaseProxy } from './database-proxy.ts';
import { emptyDatabase } from './drivers.ts';
import { expectProblem } from './expect-problem.ts';
import { askToken } from './oauth-form.ts';
import { fetchWithoutWaits, newHrClient } from './hr-client.ts';
import { startService, type TestService } from './service.ts';
import { loadKnown, validRequest, type KnownIds } from './valid-request.ts';

const routes = [...apiRoutes, ...operatorRoutes];

const submit = '/api/v1/payrollContract/c-1/variable-payments?billingPeriod=2026-03';
const bonus = { compensationComponentId: 'BONUS', amount: 250 };
const unknown = /may be stored or not\. Send it again with the same Idempotency-Key, or look what is stored first\.$/;

async function ask(service: TestService, known: KnownIds, route: Route) {
  const { method, path, query, body, headers } = validRequest(route, known);
  const scope = route.scopes.at(-1) ?? 'operator';
  return { path, answer: await service.send(method, path + query, { scope, body, headers }) };
}

function expectUnavailable({ path, answer }: Awaited<ReturnType<typeof ask>>): void {
  expectProblem(answer, 'unavailable', { path });
  expect(answer.headers.get('retry-after')).toBe('5');
}

/** The requests are answered before the service closes their connections, which stand still. */
async function expectAllUnavailable(service: TestService, known: KnownIds): Promise<void> {
  const asked = await Promise.all(routes.map((route) => ask(service, known, route)));
  for (const each of asked) expectUnavailable(each);
}

async function expectPublic(service: TestService, ready: number): Promise<void> {
  const asked = ['/livez', '/openapi.json', '/readyz'].map((path) => service.send('GET', path));
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, ready]);
}

describe('a PostgreSQL', () => {
  let service: TestService;
  let known: KnownIds;
  let proxy: DatabaseProxy;
  let url: string;

  beforeAll(async () => {
    const empty = await emptyDatabase('postgres');
    ({ url } = empty);
    proxy = await databaseProxy(url);
    service = await startService('postgres', { HR_DATABASE: proxy.url });
    known = await loadKnown(service);
    await service.token('operator');
    return async () => {
      await service.stop();
      await proxy.close();
      await empty.remove();
    };
  });
  beforeEach(async () => {
    proxy.mend();
    await vi.waitUntil(async () => (await service.send('GET', '/readyz')).status === 200, 240_000);
  });

  const payments = async (): Promise<number> => (await service.database.query('select from variable_payment')).length;

  test.each([
    ['after the commit', { at: 'commit', arrives: true }, unknown, 1],
    ['before the commit', { at: 'commit', arrives: false }, unknown, 0],
    ['in the middle of the change', { at: 'insert into variable_payment', arrives: true }, /in a moment\.$/, 0],
  ])('that breaks %s is told, with what is known of the change', async (_, cut, detail, stored) => {
    const before = await payments();
    proxy.cutAt(cut);
    const answer = await service.send('POST', submit, { body: bonus });
    expect(answer).toMatchObject({ status: 503, body: { detail: expect.stringMatching(detail) as string } });
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await payments()).toBe(before + stored);
  });

  test.each([true, false])(
    'that breaks is no matter to a client with a key; the commit arrives: %s',
    async (arrives) => {
      const before = await payments();
      const hr = await newHrClient(service, { retry: { maxDelay: 10 }, fetch: fetchWithoutWaits });
      const payment = { ...bonus, billingPeriod: '2026-03', idempotencyKey: `arrives-${arrives}` };
      // What comes before is not to break.
      await hr.persons.list();
      proxy.cutAt({ at: 'commit', arrives });
      expect(await hr.payroll.submitVariablePayment('c-1', payment)).toMatchObject(bonus);
      expect(await payments()).toBe(before + 1);
    },
  );

  test('that is cut off', async () => {
    const client = await service.client();
    proxy.cut();
    await expectAllUnavailable(service, known);
    expectUnavailable({ path: '/api/oauth2/token', answer: await askToken(service, client) });
    await expectPublic(service, 503);
  });

  test('that says nothing any more', async () => {
    proxy.silence();
    const copied = service.database.copy({ table: 'rate_limit', columns: ['client_id'], rows: [['x']] });
    const fault = copied.catch((error: unknown) => error);
    await expectAllUnavailable(service, known);
    expect(await fault).toMatchObject({ code: 'database-unavailable' });
    await expectPublic(service, 503);
  });

  test('on which somebody else holds every table', async () => {
    const other = new Client({ connectionString: url });
    await other.connect();
    const tables = await other.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('api_client', 'access_token')`,
    );
    const names = tables.rows.map(({ name }) => name).join(', ');
    // What the service itself does now and then may have some of them, and want others.
    const lock = (): Promise<unknown> => other.query(`begin; lock table ${names} in access exclusive mode`);
    await vi.waitUntil(
      () =>
        lock().then(
          () => true,
          () => other.query('rollback').then(() => false),
        ),
      60_000,
    );
    await expectAllUnavailable(service, known);
    await expectPublic(service, 200);
    await other.query('rollback');
    await other.end();
    for (const route of apiRoutes) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect([route.id, (await ask(service, known, route)).answer.status]).toEqual([route.id, 200]);
    }
  });

  test('ends the statements of requests, and not of what takes long', async () => {
    const timeout = `select current_setting('statement_timeout') as timeout`;
    const ofTransaction = (long: boolean): Promise<object[]> =>
      service.database.transaction((transaction) => transaction.query(timeout), { long });
    const timeouts = [await ofTransaction(true), await ofTransaction(false), await service.database.query(timeout)];
    expect(timeouts.flat()).toEqual([{ timeout: '0' }, { timeout: '5s' }, { timeout: '5s' }]);
  });
});

test('connections to a silent server are closed once another is the primary', async () => {
  const { url, remove } = await emptyDatabase('postgres');
  const [first, second] = await Promise.all([databaseProxy(url), databaseProxy(url)]);
  second.silence();
  const { host } = new URL(second.url);
  const database = await openDatabase(first.url.replace(/(?=\/hr_)/, `,${host}`) as DatabaseUrl);
  second.mend();
  const hanging = database.transaction((transaction) => transaction.query('select pg_sleep(600)'), { long: true });
  const failing = database.transaction(async () => {
    first.silence();
    throw new DatabaseUnavailableError();
  });
  const ends = await Promise.allSettled([hanging, failing]);
  expect(ends).toMatchObject(ends.map(() => ({ status: 'rejected', reason: { code: 'database-unavailable' } })));
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  await Promise.all([database.close(), first.close(), second.close()]);
  await remove();
});

test('503: an embedded database that is closed', async () => {
  const service = await startService('pglite');
  const known = await loadKnown(service);
  await service.token('operator');
  // The service tries for long to write down what was read.
  const read = `select from audit_event where access = 'read'`;
  await vi.waitUntil(async () => (await service.database.query(read)).length > 0, 240_000);
  await service.database.close();
  vi.spyOn(service.database, 'close').mockResolvedValue();
  await expectAllUnavailable(service, known);
  await expectPublic(service, 503);
  await service.stop();
});
