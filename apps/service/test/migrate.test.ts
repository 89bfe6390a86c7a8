import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { migrate } from '../src/database/migrate.ts';
import { bareDatabase, drivers, noTimeLimits, opened } from './drivers.ts';

describe.each(drivers)('migrations on %s', (driver) => {
  let database: Database;
  let remove: () => Promise<void>;
  let folder: string;
  const migrations = (): URL => pathToFileURL(`${folder}/`);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hr-migrations-'));
    await writeFile(join(folder, '0001-one.sql'), 'create table one (n int); insert into one values (1);');
  });
  beforeEach(async () => {
    ({ database, remove } = await opened(bareDatabase(driver)));
  });
  afterEach(() => remove());
  afterAll(() => rm(folder, { recursive: true }));

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
