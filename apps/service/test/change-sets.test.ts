import { setTimeout } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { pruneChanges } from '../src/database/change-history.ts';
import { changesSince, dateChange, openChange } from '../src/database/change-sets.ts';
import { listAbsences } from '../src/time/absences.ts';
import type { ChangesExpiredError } from '../src/database/database-errors.ts';
import { drivers, repetitions } from './drivers.ts';
import { dateAllChanges, dateChanges, feedDatabase, type FeedDatabase } from './feed.ts';

const PERSONS = 6;
const ids = Array.from({ length: PERSONS }, (_, index) => `p${index}`);
const timeZone = 'UTC';

const moment = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString();

describe.each(drivers)('change sets on %s', (driver) => {
  let db: FeedDatabase;

  beforeAll(async () => {
    db = await feedDatabase(driver);
    return db.remove;
  });
  beforeEach(async () => {
    await db.clear();
    await db.load(...ids.map((id) => ({ kind: 'person', id })));
  });

  /** The persons who changed since a moment; also one within a day. */
  const changes = async (start: string) => db.changes(await changesSince(db.database, start, timeZone));

  async function now(): Promise<string> {
    const [row] = await db.database.query<{ now: string }>(
      `select to_char(clock_timestamp() at time zone '${timeZone}', 'YYYY-MM-DD"T"HH24:MI:SS.US') as now`,
    );
    return row?.now ?? '';
  }

  test('a transaction counts from its end, and not those that it has outlasted', async () => {
    await dateAllChanges(db.database, '2026-03-01T12:00:00Z');
    const long = await db.database.transaction(openChange);
    await db.patchCity('p1', 'Bonn');
    await dateChanges(db.database, '2026-03-09T22:00:00Z', `changed_at > '2026-03-02T00:00:00Z'`);
    await db.database.transaction(async (transaction) => {
      await dateChange(transaction, long, []);
      await transaction.query(`update person_view set time_change = $1 where person_id = 'p2'`, [long]);
    });
    await dateChanges(db.database, '2026-03-10T01:00:00Z', `id = ${long}`);
    expect(await changes('2026-03-10')).toEqual([{ id: 'p2', keyNumber: null }]);
    expect((await changes('2026-03-09')).map(({ id }) => id)).toEqual(['p1', 'p2']);
  });

  test('a reader who goes on from the last request misses no change', async () => {
    const seen = new Map<string, string>();
    let isOver = false;
    const read = async (): Promise<void> => {
      let since = await now();
      for (let isLast = false; !isLast;) {
        isLast = isOver;
        // oxlint-disable no-await-in-loop -- each request begins where the one before began
        const begun = await now();
        for (const { id, address } of await changes(since)) seen.set(id, address?.city ?? '');
        since = begun;
        // oxlint-enable no-await-in-loop
      }
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
    expect(seen).toEqual(cities);
  });

  test.runIf(driver === 'postgres')('a change that is dated and not visible yet is waited for', async () => {
    await dateAllChanges(db.database, '2001-01-01');
    const [patched, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const patching = db.patchCity('p1', 'Bonn', async () => {
      patched.resolve();
      await committed.promise;
    });
    await patched.promise;
    const found = vi.fn<(changed: readonly object[]) => void>();
    const reading = changes('2002-01-01').then(found);
    await setTimeout(200);
    const before = found.mock.calls.length;
    committed.resolve();
    await Promise.all([patching, reading]);
    expect(before).toBe(0);
    expect(found).toHaveBeenCalledWith([expect.objectContaining({ id: 'p1', address: { city: 'Bonn' } })]);
  });

  test('a list of changes says of an absence that moved to another person that it was deleted', async () => {
    const absence = { kind: 'absence', id: 'a', personId: 'p1', startDate: '2026-01-02' };
    const changed = async (personId: string): Promise<unknown> => {
      const since = await changesSince(db.database, '2002-01-01', timeZone);
      return JSON.parse((await listAbsences(db.database, personId, {}, since))?.json as string);
    };
    const deleted = expect.objectContaining({ id: 'a', personId: 'p1', deleted: true }) as unknown;
    const stays = expect.objectContaining({ id: 'a', startDate: '2026-01-02' }) as unknown;
    await db.load(absence);
    await db.rest();
    await db.load({ ...absence, personId: 'p2' });
    expect([await changed('p1'), await changed('p2')]).toEqual([[deleted], [stays]]);
    await db.load({ kind: 'deleteAbsence', id: 'a' }, { ...absence, personId: 'p3' });
    expect([await changed('p1'), await changed('p3')]).toEqual([[deleted], [stays]]);
    await db.load(absence);
    expect(await changed('p1')).toEqual([stays]);
  });

  test('changes are kept for some days, and nothing else is dropped with them', async () => {
    const left = async (): Promise<unknown> => {
      const [row] = await db.database.query<{ counts: number[] }>(`select array[
        (select count(*)::int from gone_person), (select count(*)::int from time_day), (select count(*)::int from absence),
        (select count(*)::int from moved_absence), (select count(*)::int from change_set where changed_at < now() - interval '1 day')
      ] as counts`);
      return row?.counts;
    };
    const keptSince = async (): Promise<string> => {
      const expired = changesSince(db.database, '2001-01-01', timeZone).catch((error: unknown) => error);
      return ((await expired) as ChangesExpiredError).keptSince;
    };
    await db.database.query('delete from change_history');
    await db.load(
      ...['02', '03'].map((day) => ({ kind: 'timeDay', personId: 'p1', date: `2026-01-${day}` })),
      ...['a', 'b', 'c'].map((id) => ({ kind: 'absence', id, personId: 'p1', startDate: '2026-01-02' })),
    );
    await db.load(
      { kind: 'deleteTimeDay', personId: 'p1', date: '2026-01-02' },
      { kind: 'deleteAbsence', id: 'a' },
      { kind: 'absence', id: 'b', personId: 'p2', startDate: '2026-01-02' },
      { kind: 'deletePerson', id: 'p3' },
    );
    await dateAllChanges(db.database, moment(8));
    await pruneChanges(db.database, 10, timeZone);
    expect(await keptSince()).toBeUndefined();
    expect(await left()).toEqual([1, 2, 3, 1, expect.any(Number)]);
    await dateAllChanges(db.database, moment(20));
    await db.load({ kind: 'person', id: 'p4', lastName: 'New' });
    await pruneChanges(db.database, 10, timeZone);
    expect(await left()).toEqual([0, 1, 2, 0, 0]);
    expect((await changes(await keptSince())).map(({ id }) => id)).toEqual(['p4']);
    await db.database.query('delete from change_history');
  });
});
