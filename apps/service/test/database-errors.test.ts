import { AssertionError } from 'node:assert';
import fs, { chmodSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { problems } from '@hr/schemas/provider';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { lockFolder } from '../src/database/folder-lock.ts';
import { openDatabase, type DatabaseUrl } from '../src/database/open-database.ts';
import { PostgresServers } from '../src/database/postgres-servers.ts';
import { run } from './command-line.ts';
import { noTimeLimits } from './drivers.ts';
import { memoryFolder } from './memory-folder.ts';
import { ownDatabase } from './own-database.ts';
import { contractRecords, load, startService } from './service.ts';

describe('PostgreSQL', () => {
  let url: DatabaseUrl;
  let database: Database;

  beforeAll(async () => {
    const own = await ownDatabase('postgres', { bare: true });
    ({ database, url } = own);
    await database.query(`create table item (id int primary key, text text); insert into item values (1), (2)`);
    return own.remove;
  });

  test('says that it is read-only, and gets a new connection', async () => {
    const backend = async (): Promise<unknown> => (await database.query('select pg_backend_pid() as id'))[0];
    const before = await backend();
    const write = database.transaction(async (transaction) => {
      await transaction.query('set transaction read only');
      await transaction.query('delete from item');
    });
    await expect(write).rejects.toMatchObject({ code: 'database-read-only', mayBeStored: false });
    expect(await backend()).not.toEqual(before);
  });

  test.each([
    ['53100', 'database-full', false],
    ['53200', 'database-no-resources', false],
    ['55P03', 'database-lock-timeout', true],
    ['57014', 'database-statement-timeout', false],
    ['57P01', 'database-stopping', true],
    ['08006', 'database-unavailable', true],
  ])('reports the condition %s as %s', async (state, code, mayPass) => {
    const failing = database.query(`do $$ begin raise exception 'geheim' using errcode = '${state}'; end $$`);
    await expect(failing).rejects.toMatchObject({ code, mayPass, message: expect.not.stringContaining('geheim') });
  });

  test('is ready again after a full disk, as a write shows', async () => {
    const full = database.query(`do $$ begin raise exception 'full' using errcode = '53100'; end $$`);
    await expect(full).rejects.toThrow('The disk of the database is full.');
    const statements = vi.spyOn(database, 'transaction');
    await database.check();
    await database.check();
    expect(statements).toHaveBeenCalledTimes(1);
    expect(await database.query(`select from pg_class where relname = 'disk_check'`)).toEqual([]);
  });

  test('has no free connection, of its own or of the pool', async () => {
    const role = `limited_${Date.now()}`;
    await database.query(`create role ${role} login password 'secret' connection limit 1`);
    const limited = url.replace('postgres:postgres@', `${role}:secret@`) as DatabaseUrl;
    const one = await openDatabase(limited, { requests: 1, lists: 1 });
    onTestFinished(async () => {
      await one.close();
      await database.query(`drop role ${role}`);
    });
    const { code, stderr } = await run(['migrate'], { HR_DATABASE: limited });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'All connections to the database are in use. Increase max_connections of PostgreSQL, or reduce HR_DATABASE_POOL and HR_DATABASE_LIST_POOL.\n',
    });
    const waiting = one.transaction(() => one.query('select 1'));
    await expect(waiting).rejects.toMatchObject({ code: 'database-wait-timeout', mayPass: true });
  });

  const message = 'own';
  const thrown = [new Error(message), new RangeError(message), new AssertionError({ message }), problems.keyInFlight()];
  test.each(thrown)('does not take what our own code throws for a failure of the connection: %o', async (own) => {
    const doubt = vi.spyOn(PostgresServers.prototype, 'doubt');
    const one = await openDatabase(url, { requests: 1, lists: 1 });
    onTestFinished(() => one.close());
    const backend = (): Promise<unknown> => one.query('select pg_backend_pid() as id, $1::text', ['']);
    const before = await backend();
    const fail = (): never => {
      throw own;
    };
    const rows = Object.assign([], { map: fail });
    const inWork = one.transaction(async (transaction) => {
      await transaction.query('insert into item values (9)');
      throw own;
    });
    await expect(inWork).rejects.toBe(own);
    await expect(one.query('select pg_backend_pid() as id, $1::text', [{ toJSON: fail }])).rejects.toBe(own);
    await expect(one.copy({ table: 'item', columns: ['id'], rows })).rejects.toBe(own);
    expect(await backend()).toEqual(before);
    expect(await one.query('select from item where id = 9')).toEqual([]);
    expect(doubt).not.toHaveBeenCalled();
  });

  test('repeats a transaction that is in conflict with another', async ({ skip }) => {
    skip(...noTimeLimits);
    let attempts = 0;
    const bothHaveOne = Promise.withResolvers<void>();
    const update = (first: number, second: number): Promise<void> =>
      database.transaction(async (transaction) => {
        attempts++;
        await transaction.query('update item set text = $2 where id = $1', [first, `${first} first`]);
        if (attempts === 2) bothHaveOne.resolve();
        await bothHaveOne.promise;
        await transaction.query('update item set text = $2 where id = $1', [second, `${first} first`]);
      });
    await Promise.all([update(1, 2), update(2, 1)]);
    expect(attempts).toBe(3);
    expect(await database.query('select distinct text from item')).toHaveLength(1);
  });

  test('does not repeat a long transaction', async () => {
    let attempts = 0;
    const conflicting = database.transaction(
      async (transaction) => {
        attempts++;
        await transaction.query(`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`);
      },
      { long: true },
    );
    await expect(conflicting).rejects.toMatchObject({ code: 'database-conflict' });
    expect(attempts).toBe(1);
  });

  test('that a commit does not wait for the standby to its end is told', async () => {
    // A trigger that warns as PostgreSQL does when somebody cancels the wait.
    await database.query(`
      create function warn() returns trigger language plpgsql as $$ begin raise warning 'canceling wait'; return null; end $$;
      create constraint trigger warn after insert on item deferrable initially deferred for each row execute function warn()`);
    const insert = database.transaction((transaction) => transaction.query('insert into item values (3)'));
    await expect(insert).rejects.toMatchObject({ code: 'database-not-replicated', mayBeStored: true });
    expect(await database.query('select id from item where id = 3')).toEqual([{ id: 3 }]);
  });
});

/** Makes every write of this process, which the embedded database is in, fail until the returned function is called. */
function fillDisk(): () => void {
  const { writeSync } = fs;
  fs.writeSync = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 });
  };
  syncBuiltinESMExports();
  return () => {
    fs.writeSync = writeSync;
    syncBuiltinESMExports();
  };
}

test('an embedded database on a full disk answers 503 until there is room, and is not ready', async () => {
  const service = await startService('pglite');
  let free: (() => void) | undefined;
  onTestFinished(async () => {
    free?.();
    await service.stop();
  });
  await load(service.database, contractRecords());
  await service.token();
  const pay = (): ReturnType<typeof service.send> =>
    service.send('POST', '/api/v1/payrollContract/c-1/variable-payments?billingPeriod=2026-01', {
      body: { compensationComponentId: 'BONUS', amount: 1 },
    });
  const payments = (): Promise<object[]> => service.database.query('select from variable_payment');
  expect(await pay()).toMatchObject({ status: 200 });
  const fill = `create table filling as select repeat('x', 1000) from generate_series(1, 1000)`;

  free = fillDisk();
  await expect(service.database.query(fill)).rejects.toMatchObject({ code: 'database-full' });
  const full = { status: 503, body: { type: expect.stringMatching(/unavailable$/) as string } };
  const ready = await service.send('GET', '/readyz');
  expect(ready).toMatchObject({ ...full, body: { detail: 'The disk of the database is full.' } });
  expect(ready.headers.get('retry-after')).toBeNull();
  expect(service.log.join('')).toMatch(/"level":50[^\n]*"code":"database-full"/);
  free();
  expect(await service.send('GET', '/readyz')).toMatchObject({ status: 200 });

  // PostgreSQL ends its process when it cannot write a checkpoint.
  free = fillDisk();
  await expect(service.database.query('checkpoint')).rejects.toMatchObject({ code: 'database-full' });
  expect(await Promise.all([pay(), pay()])).toMatchObject([full, full]);
  expect(await service.send('GET', '/readyz')).toMatchObject(full);
  free();
  await vi.waitUntil(async () => (await service.send('GET', '/readyz')).status === 200, 240_000);
  expect(await payments()).toHaveLength(1);
  expect(await pay()).toMatchObject({ status: 200 });
  expect(await payments()).toHaveLength(2);
});

test.each(['', 'inside'])('the error names a folder that is read-only, or inside one that is: %s', async (inside) => {
  const folder = await memoryFolder('hr-read-only-');
  onTestFinished(() => rm(folder, { recursive: true }));
  chmodSync(folder, 0o555);
  const isRoot = process.getuid?.() === 0;
  // Root may write everywhere.
  if (isRoot) process.seteuid?.(65_534);
  try {
    expect(() => lockFolder(join(folder, inside))).toThrow(`${join(folder, inside)} cannot be written to`);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});
