import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deletedPerson, deletedTimeBookingDay, erasedPerson } from '@hr/schemas/rules';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authenticateClient } from '../src/clients/clients.ts';
import { secretHash } from '../src/clients/secrets.ts';
import { changesSince } from '../src/database/change-sets.ts';
import type { Database } from '../src/database/database.ts';
import { migrate, migrations as shipped } from '../src/database/migrate.ts';
import { exportPerson } from '../src/erasure/personal-data.ts';
import { importRuns } from '../src/feed/import-run.ts';
import { personList } from '../src/persons/person-list.ts';
import { timeBookings } from '../src/time/time-bookings.ts';
import { drivers, noTimeLimits } from './drivers.ts';
import { ownDatabase } from './own-database.ts';
import { listText } from './list-text.ts';

describe.each(drivers)('migrations on %s', (driver) => {
  let database: Database;
  let folder: string;
  const migrations = (): URL => pathToFileURL(`${folder}/`);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hr-migrations-'));
    await writeFile(join(folder, '0001-one.sql'), 'create table one (n int); insert into one values (1);');
    return () => rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    const own = await ownDatabase(driver, { bare: true });
    ({ database } = own);
    return own.remove;
  });

  test('are applied once each, in their order, and keep those before one that fails', async () => {
    expect(await migrate(database, migrations())).toEqual(['0001-one.sql']);
    await writeFile(join(folder, '0002-two.sql'), 'update one set n = n + 1;');
    await writeFile(join(folder, '0003-three.sql'), 'update one set n = 1 / 0;');
    await expect(migrate(database, migrations())).rejects.toThrow('division by zero');
    await writeFile(join(folder, '0003-three.sql'), 'update one set n = n * 10;');
    expect(await migrate(database, migrations())).toEqual(['0003-three.sql']);
    expect(await migrate(database, migrations())).toEqual([]);
    expect(await database.query('select n from one')).toEqual([{ n: 20 }]);
    await rm(join(folder, '0002-two.sql'));
    await rm(join(folder, '0003-three.sql'));
  });

  test('are refused if one was edited after it was applied', async () => {
    await migrate(database, migrations());
    const file = join(folder, '0001-one.sql');
    const sql = await readFile(file, 'utf8');
    await writeFile(file, `${sql} -- edited`);
    await expect(migrate(database, migrations())).rejects.toThrow(
      '0001-one.sql was edited after it was applied. Restore the file, and make the change in a new migration.',
    );
    await writeFile(file, sql);
    // Of an earlier version, which kept no hashes.
    await database.query('alter table migration drop column hash');
    expect(await migrate(database, migrations())).toEqual([]);
  });

  test('refuse tables of a newer version', async () => {
    await migrate(database, migrations());
    await database.query(`insert into migration values ('0002-later.sql')`);
    await expect(migrate(database, migrations())).rejects.toThrow(
      'A newer version has migrated the tables (0002-later.sql). Start that version, or restore a backup from before it.',
    );
  });

  test.runIf(driver === 'postgres')('wait for a lock for a limited time', async ({ skip }) => {
    skip(...noTimeLimits);
    await migrate(database, migrations());
    await writeFile(join(folder, '0002-two.sql'), 'alter table one add column m int;');
    const waiting = database.transaction(async (transaction) => {
      await transaction.query('select n from one');
      return migrate(database, migrations());
    });
    await expect(waiting).rejects.toThrow('A migration waited 10 s for a lock on a table.');
    expect(await migrate(database, migrations())).toEqual(['0002-two.sql']);
    await rm(join(folder, '0002-two.sql'));
  });
});

/** The last migration of the release before. */
const BEFORE = '0001-tables.sql';

const view = (id: string, change: number): string =>
  `insert into person_view (person_id, head, master, master_absent, master_change, payroll, payroll_absent, payroll_change,
    time, time_absent, time_change, custom_names, custom_json, custom_change, first_change)
  values ('${id}', '{"id":"${id}"', ',"lastName":"Ek"', '', ${change}, '', '', ${change}, '', '', ${change}, '{}', '{}', ${change}, ${change});`;

/** What the release before leaves behind: persons of each kind, and what belongs to them. */
const filled = `
  insert into change_set (id, changed_at) overriding system value
    values (1, '2026-03-01T12:00Z'), (2, '2026-03-09T22:00Z'), (3, '2026-03-10T12:00Z'), (4, '2026-03-11T12:00Z');
  ${view('old', 1)} ${view('new', 3)}
  insert into deleted_person values ('deleted', 3);
  insert into tombstone values ('erased', '{c-erased}', 4, '2026-03-11T12:00Z', 'operator');
  insert into time_account values ('old', 3), ('new', 1), ('deleted', 1);
  insert into time_day values ('old', '2026-03-02', '{"date":"2026-03-02"}', 2), ('old', '2026-03-03', null, 3),
    ('new', '2026-03-02', '{"date":"2026-03-02"}', 1), ('deleted', '2026-03-02', '{"date":"2026-03-02"}', 1);
  insert into source_document values ('old', 'person', '{"id":"old","lastName":"Ek"}');
  insert into mapping values ('c-old', 'old');
  insert into contract values ('c-old', '{"payrollContractId":"c-old"}'), ('c-none', '{"payrollContractId":"c-none"}');
  insert into salary_entry values ('c-old', '2026-01', '{"payrollContractId":"c-old","year":2026,"month":1}');
  insert into variable_payment (payroll_contract_id, billing_period, correction_period, compensation_component_id, amount, submitted_by)
    values ('c-old', '2026-01', '2026-01', 'x', 1, 'client'), ('c-none', '2026-01', '2026-01', 'x', 2, 'client');
  insert into api_client (client_id, name, scope) values ('client', 'A client', 'api:use');
  insert into import_run (id, sources, actor, request_id, outcomes, left_out)
    values ('01900000-0000-7000-8000-000000000000', '{feed}', 'client', 'r', '{}',
      '[{"source":"feed","line":1,"pointer":"/\\u0000","code":"unknown-name","detail":"x"}]')`;

describe.each(drivers)('an upgrade of a filled database on %s', (driver) => {
  let database: Database;

  beforeAll(async () => {
    const own = await ownDatabase(driver, { bare: true });
    ({ database } = own);
    const folder = await mkdtemp(join(tmpdir(), 'hr-upgrade-'));
    await copyFile(new URL(BEFORE, shipped), join(folder, BEFORE));
    await migrate(database, pathToFileURL(`${folder}/`));
    await rm(folder, { recursive: true });
    await database.query(filled);
    const hash = secretHash('hrs_of-before');
    await database.query(`insert into client_secret (client_id, secret_hash) values ('client', $1)`, [hash]);
    await migrate(database);
    return own.remove;
  });

  const list = async (query: Parameters<Database['list']>[0]): Promise<unknown> =>
    JSON.parse(await listText(database, query));

  test('keeps every list, and the changes since any day', async () => {
    expect(await list(personList({ customFields: [] }))).toMatchObject([{ id: 'new' }, { id: 'old' }]);
    const day = { date: '2026-03-02' };
    expect(await list(timeBookings({}))).toEqual([
      { personId: 'new', days: [day] },
      { personId: 'old', days: [day] },
    ]);
    const since = await changesSince(database, '2026-03-10', 'UTC');
    expect(await list(personList({ customFields: [] }, since))).toEqual([
      deletedPerson('deleted'),
      erasedPerson('erased'),
      expect.objectContaining({ id: 'new' }),
    ]);
    // Days of a person who has come or gone since then are among them from now on.
    expect(await list(timeBookings({}, since))).toEqual([
      { personId: 'deleted', days: [deletedTimeBookingDay('2026-03-02')] },
      { personId: 'new', days: [day] },
      { personId: 'old', days: [deletedTimeBookingDay('2026-03-03')] },
    ]);
    const later = await changesSince(database, '2026-03-12', 'UTC');
    expect(await list(personList({ customFields: [] }, later))).toEqual([]);
    expect(await list(importRuns)).toMatchObject([{ sources: ['feed'] }]);
  });

  test('keeps what belongs to a person, and the secrets of clients', async () => {
    const exported = await exportPerson(database, 'old');
    const text = (await exported?.json.toArray())?.join('') ?? '';
    expect(JSON.parse(text)).toMatchObject({
      salaries: [{ payrollContractId: 'c-old' }],
      variablePayments: [{ payrollContractId: 'c-old', amount: 1 }],
      mappings: [{ payrollContractId: 'c-old' }],
    });
    expect(await authenticateClient(database, 'client', 'hrs_of-before')).toEqual({ scope: 'api:use' });
  });
});
