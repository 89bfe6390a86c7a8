import { cp, rename, rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import {
  changesAfter,
  comesAfter,
  currentPosition,
  isPassed,
  type Later,
  type Position,
} from '../src/changes/positions.ts';
import { createCursors } from '../src/changes/cursors.ts';
import { createCredentialKeys } from '../src/clients/credential-keys.ts';
import { dateChange, openChange } from '../src/database/change-sets.ts';
import type { Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { drivers, emptyDatabase, repetitions } from './drivers.ts';
import { feedDatabase, type FeedDatabase } from './feed.ts';
import { load } from './service.ts';

const PERSONS = 6;
const ids = Array.from({ length: PERSONS }, (_, index) => `p${index}`);

const addPerson = (id: string, lastName: string) => (database: Database) =>
  load(database, [{ kind: 'person', id, lastName }]);

describe.each(drivers)('cursors on %s', (driver) => {
  let db: FeedDatabase;

  beforeAll(async () => {
    db = await feedDatabase(driver);
    return db.remove;
  });
  beforeEach(async () => {
    await db.clear();
    await db.load(...ids.map((id) => ({ kind: 'person', id })));
  });

  async function later(position: Position): Promise<Later> {
    const found = await changesAfter(db.database, position);
    if (typeof found === 'string') throw new Error(found);
    return found;
  }

  /** The persons who changed after a position, and where to go on. */
  async function changes(after: Position) {
    const { since, position } = await later(after);
    return { changed: await db.changes(since), position };
  }

  test('a reader who goes on from the last cursor misses no change', async () => {
    const seen = new Map<string, string[]>(ids.map((id) => [id, []]));
    let isOver = false;
    const read = async (): Promise<void> => {
      let position = await currentPosition(db.database);
      for (let isLast = false; !isLast;) {
        isLast = isOver;
        // oxlint-disable-next-line no-await-in-loop -- each request goes on where the one before ended
        const found = await changes(position);
        for (const { id, address } of found.changed) seen.get(id)?.push(address?.city ?? '');
        ({ position } = found);
      }
      expect((await changes(position)).changed).toEqual([]);
    };
    const cities = new Map<string, string>();
    const write = async (id: string): Promise<void> => {
      for (let round = 0; round < repetitions(12, driver); round++) {
        // oxlint-disable-next-line no-await-in-loop
        await db.patchCity(id, `${id} ${round}`, () => setTimeout(Math.random() * 20));
        cities.set(id, `${id} ${round}`);
      }
    };
    const writing = Promise.all(ids.map(write)).finally(() => (isOver = true));
    await Promise.all([writing, read()]);
    expect(new Map([...seen].map(([id, all]) => [id, all.at(-1)]))).toEqual(cities);
  });

  test('a transaction that was open when the cursor was taken comes after it, whatever its number', async () => {
    const [opened, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const isSerial = driver === 'pglite';
    const long = db.database.transaction(async (transaction) => {
      const change = await openChange(transaction);
      opened.resolve();
      if (!isSerial) await ended.promise;
      await transaction.query(`update person_view set time_change = $1 where person_id = 'p2'`, [change]);
      await dateChange(transaction, change, ['keyNumber']);
    });
    await opened.promise;
    if (isSerial) await long;
    await db.patchCity('p1', 'Bonn');
    const position = await currentPosition(db.database);
    await db.patchCity('p3', 'Ulm');
    ended.resolve();
    await long;
    const { changed } = await changes(position);
    expect(changed.map(({ id }) => id)).toEqual(isSerial ? ['p3'] : ['p2', 'p3']);
  });

  test.runIf(driver === 'postgres')(
    'a transaction that a snapshot does not name comes after it, though its change set has a smaller number',
    async () => {
      const [begun, opened, ended] = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
      const earlier = db.database.transaction(async (transaction) => {
        await transaction.query('select pg_current_xact_id()');
        begun?.resolve();
        await opened?.promise;
        await dateChange(transaction, await openChange(transaction), ['address']);
      });
      const last = db.database.transaction(async (transaction) => {
        await begun?.promise;
        const change = await openChange(transaction);
        opened?.resolve();
        await ended?.promise;
        await transaction.query(`update person_view set time_change = $1 where person_id = 'p2'`, [change]);
        await dateChange(transaction, change, ['keyNumber']);
      });
      await earlier;
      // No transaction with a larger number has ended, so PostgreSQL counts the other one as not begun.
      const position = await currentPosition(db.database);
      ended?.resolve();
      await last;
      expect((await changes(position)).changed.map(({ id }) => id)).toEqual(['p2']);
      const found = (await later(position)).changes;
      expect(found.map(({ touched }) => touched)).toEqual([['keyNumber']]);
      expect(found.filter(comesAfter(position))).toEqual(found);
      const { snapshot, latest } = position;
      const endpoint = '(select $1::pg_snapshot as snapshot, $2::bigint as latest) as endpoint';
      const passed = `select ${isPassed('endpoint')} as "isPassed" from ${endpoint}`;
      expect(await db.database.query(passed, [snapshot, latest])).toEqual([{ isPassed: true }]);
    },
  );

  test('nothing moves a cursor but a change', async () => {
    const position = await currentPosition(db.database);
    await db.database.transaction((transaction) => transaction.query('select pg_current_xact_id()'));
    expect(await later(position)).toMatchObject({ position, changes: [] });
    await db.patchCity('p1', 'Bonn');
    expect(await later(position)).toMatchObject({ changes: [{ touched: ['address'] }] });
  });

  test('a cursor is refused when the database lacks what it had', async () => {
    await db.patchCity('p1', 'Bonn');
    const before = await currentPosition(db.database);
    const [row] = await db.database.query<{ sets: object[] }>('select json_agg(change_set) as sets from change_set');
    await db.patchCity('p2', 'Ulm');
    const after = await currentPosition(db.database);
    // A past that lacks the last change, with a change of the same numbers.
    await db.database.query(`delete from change_set where id = $1::bigint`, [after.latest]);
    expect(await changesAfter(db.database, after)).toBe('database');
    expect(await changesAfter(db.database, before)).toMatchObject({ changes: [] });
    expect(row?.sets.length).toBeGreaterThan(0);
    await db.database.query(
      `insert into change_set (id, changed_at) overriding system value values ($1::bigint, clock_timestamp())`,
      [after.latest],
    );
    expect(await changesAfter(db.database, after)).toBe('database');
    expect(await changesAfter(db.database, before)).toMatchObject({ changes: [{ touched: null }] });
  });

  test('a database that was dumped and restored elsewhere refuses all cursors, and goes on', async () => {
    const before = await currentPosition(db.database);
    await db.database.query(`update change_origin set server = 'another one'`);
    await db.database.query(`update change_set set xid = (xid::text::bigint + 1000000)::text::xid8`);
    await db.database.query('select adopt_changes()');
    expect(await changesAfter(db.database, before)).toBe('database');
    const after = await currentPosition(db.database);
    expect(await changesAfter(db.database, after)).toMatchObject({ changes: [] });
    await db.patchCity('p2', 'Ulm');
    expect((await changes(after)).changed.map(({ id }) => id)).toEqual(['p2']);
    await db.database.query('select adopt_changes()');
    expect(await changesAfter(db.database, after)).toMatchObject({ changes: [{ touched: ['address'] }] });
  });

  test('a cursor after very many changes tells that anything may have changed', async () => {
    const position = await currentPosition(db.database);
    await db.database.query(
      `insert into change_set (changed_at, touched) select clock_timestamp(), '{}' from generate_series(1, 1500)`,
    );
    const { changes: found, since } = await later(position);
    expect(found.length).toBeLessThan(1500);
    expect(found.at(-1)?.touched).toBeNull();
    expect(BigInt(since.first)).toBe(BigInt(position.latest) + 1n);
  });

  test.runIf(driver === 'pglite')('a folder that was restored from a copy knows its own cursors alone', async () => {
    const { url, remove } = await emptyDatabase(driver);
    const folder = url.slice('pglite:'.length);
    onTestFinished(async () => {
      await remove();
      await rm(`${folder}-copy`, { recursive: true, force: true });
    });
    const inDatabase = async <Result>(work: (database: Database) => Promise<Result>): Promise<Result> => {
      const database = await openDatabase(url);
      try {
        return await work(database);
      } finally {
        await database.close();
      }
    };
    await inDatabase(addPerson('p1', 'Before'));
    const kept = await inDatabase(currentPosition);
    await cp(folder, `${folder}-copy`, { recursive: true });
    await inDatabase(addPerson('p1', 'Lost'));
    const lost = await inDatabase(currentPosition);
    await rm(folder, { recursive: true });
    await rename(`${folder}-copy`, folder);
    expect(await inDatabase((database) => changesAfter(database, lost))).toBe('database');
    expect(await inDatabase((database) => changesAfter(database, kept))).toMatchObject({ changes: [] });
    await inDatabase(addPerson('p1', 'After'));
    expect(await inDatabase((database) => changesAfter(database, lost))).toBe('database');
    expect(await inDatabase((database) => changesAfter(database, kept))).toMatchObject({ changes: [{}] });
  });

  test.runIf(driver === 'postgres')(
    'a cursor beside very many open transactions is short, and misses none',
    async () => {
      const [row] = await db.database.query<{ name: string }>('select current_database() as name');
      const connectionString = `${inject('postgresUrl')}/${row?.name}`;
      const clients = Array.from({ length: 40 }, () => new Client({ connectionString }));
      await Promise.all(clients.map((client) => client.connect()));
      for (const client of clients) {
        // oxlint-disable-next-line no-await-in-loop -- so that the numbers are in this order
        await client.query(
          `begin; insert into change_set (changed_at, touched) values (clock_timestamp(), array['keyNumber'])`,
        );
      }
      await db.patchCity('p1', 'Bonn');
      const cursors = createCursors(createCredentialKeys(db.database));
      const grant = { clientId: 'c', scope: 'api:use', expiresAt: 0, customFields: [] } as const;
      const cursor = await cursors.cursorAt(await currentPosition(db.database), grant);
      expect(cursor).toMatch(/^[\w.-]{1,500}$/);
      await Promise.all(clients.map((client) => client.query('commit')));
      await Promise.all(clients.map((client) => client.end()));
      const found = await later(await cursors.positionOf(cursor, grant));
      expect(found.changes.filter(({ touched }) => touched?.includes('keyNumber'))).toHaveLength(40);
    },
  );
});
