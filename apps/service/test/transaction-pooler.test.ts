import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from 'pg';
import { apiRoutes, operatorRoutes } from '../src/routes.ts';
import { emptyDatabase } from './drivers.ts';
import { load, startService, type TestService } from './service.ts';
import { transactionPooler, type TransactionPooler } from './transaction-pooler.ts';
import { loadKnown, validRequest } from './valid-request.ts';

const SERVER_CONNECTIONS = 3;

describe('a service behind a pooler in transaction mode', () => {
  let pooler: TransactionPooler;
  let service: TestService;

  beforeAll(async () => {
    const empty = await emptyDatabase('postgres');
    pooler = await transactionPooler(empty.url, SERVER_CONNECTIONS);
    const pools = { HR_DATABASE_POOL: '2', HR_DATABASE_LIST_POOL: '1' };
    service = await startService('postgres', { HR_DATABASE: pooler.url, ...pools });
    return async () => {
      await service.stop();
      await pooler.close();
      await empty.remove();
    };
  });

  test('does everything, more than once on each connection', async () => {
    const fine = new Set([200, 404, 409]);
    for (const route of [...apiRoutes, ...operatorRoutes, ...apiRoutes]) {
      // oxlint-disable no-await-in-loop -- one after the other
      const known = await loadKnown(service);
      const { method, path, query, body, headers } = validRequest(route, known);
      const answers = [1, 2, 3, 4].map(() =>
        service.send(method, path + query, { scope: route.scopes.at(-1) ?? 'operator', body, headers }),
      );
      for (const { status } of await Promise.all(answers))
        expect([route.id, fine.has(status) || status]).toEqual([route.id, true]);
      // Both connections in each round: one that is idle for ten seconds is closed.
      await Promise.all([service.database.query('select 1'), service.database.query('select 1')]);
      // oxlint-enable no-await-in-loop
    }
    expect(service.database.pools().requests).toMatchObject({ connections: 2 });
    const persons = Array.from({ length: 5000 }, (_, index) => ({ kind: 'person', id: `many-${index}` }));
    await load(service.database, persons);
    const { body } = await service.send('GET', '/api/v1/persons');
    expect((body as object[]).length).toBeGreaterThanOrEqual(persons.length);
    expect(service.database.pools().lists).toMatchObject({ connections: 1 });
  });

  test('leaves no setting behind on a connection that others use, and warns that statements have no time limit', async () => {
    const other = new Client({ connectionString: pooler.url });
    await other.connect();
    for (let count = 0; count < SERVER_CONNECTIONS * 2; count++) {
      const settings = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock, current_setting('jit') as jit`;
      // oxlint-disable-next-line no-await-in-loop -- on one connection after the other
      expect((await other.query(settings)).rows).toEqual([{ statement: '0', lock: '0', jit: 'on' }]);
    }
    await other.end();
    expect(service.log.join('')).toContain('HR_DATABASE leads to a pooler that keeps no settings');
    const inTransaction = `select current_setting('statement_timeout') as timeout`;
    expect(await service.database.transaction((transaction) => transaction.query(inTransaction))).toEqual([
      { timeout: '5s' },
    ]);
  });
});
