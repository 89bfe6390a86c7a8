import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyEvents, recordEvents } from '../src/audit/audit-events.ts';
import { pruneAudit } from '../src/audit/audit-months.ts';
import type { Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { uuidV7 } from '../src/audit/uuid-v7.ts';
import { startHousekeeping } from '../src/housekeeping.ts';
import { drivers, noTimeLimits } from './drivers.ts';
import { ownDatabase } from './own-database.ts';

const settings = { historyDays: 400, timeZone: 'Europe/Berlin' };

/** The first month of the database. A later one begins while tests run. */
let first: Date;

async function readFirstMonth(database: Database): Promise<void> {
  const [row] = await database.query<{ month: string }>('select min(month)::text as month from audit_month');
  first = new Date(row?.month ?? '');
}

/** The first day of the month so many months after the first one, in UTC. */
const monthAfter = (months: number): Date => new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + months));
const iso = (moment: number): string => new Date(moment).toISOString();
/** A read by a request. */
const read = (requestId: string, moment?: number) =>
  ({ id: uuidV7(moment), actor: 'a', operation: 'o', requestId, access: 'read', elements: 1 }) as const;
const nameOf = (month: Date): string => month.toISOString().slice(0, 7).replace('-', '_');
// As text: of a `Date`, the driver would send the day in the zone of this process.
const dayOf = (month: Date): string => month.toISOString().slice(0, 10);

describe.each(drivers)('the months of the audit on %s', (driver) => {
  let remove: () => Promise<void>;
  let database: Database;

  beforeEach(async () => {
    ({ database, remove } = await ownDatabase(driver));
    await readFirstMonth(database);
  });
  afterEach(() => remove());

  const record = (...moments: number[]): Promise<number> =>
    recordEvents(
      database,
      moments.map((moment) => read(iso(moment), moment)),
    );
  /** The moments of the events of each partition that has any. */
  async function stored(): Promise<Record<string, string[]>> {
    const rows = await database.query<{ partition: string; moments: string[] }>(`
      select tableoid::regclass::text as partition, array_agg(request_id order by id) as moments from audit_event group by 1`);
    return Object.fromEntries(rows.map(({ partition, moments }) => [partition.replace('audit_event_', ''), moments]));
  }
  async function partitions(): Promise<string[]> {
    const rows = await database.query<{ name: string }>(`
      select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'audit_event'::regclass order by 1`);
    return rows.map(({ name }) => name.replace('audit_event_', ''));
  }
  test('are there for this month and the next three', async () => {
    const months = [0, 1, 2, 3].map((distance) => nameOf(monthAfter(distance)));
    expect(await partitions()).toEqual([...months, 'earlier', 'later']);
    const thisMonth = nameOf(new Date());
    await database.query('select add_coming_audit_months()');
    const coming = await partitions();
    expect(coming.indexOf('earlier') - coming.indexOf(thisMonth)).toBe(4);
    await database.query('select add_coming_audit_months()');
    expect(await partitions()).toEqual(coming);
  });

  test('begin and end in UTC, and events of any other moment are stored, too', async () => {
    await database.query(`set time zone 'America/New_York'`);
    const [start, end] = [monthAfter(1).getTime(), monthAfter(2).getTime()];
    const far = Date.UTC(9999, 0);
    await record(0, start - 1, start, end - 1, end, far);
    expect(await stored()).toEqual({
      earlier: [iso(0)],
      [nameOf(monthAfter(0))]: [iso(start - 1)],
      [nameOf(monthAfter(1))]: [iso(start), iso(end - 1)],
      [nameOf(monthAfter(2))]: [iso(end)],
      later: [iso(far)],
    });
  });

  test('take over their events where they were added too late', async () => {
    const [start, end] = [monthAfter(5).getTime(), monthAfter(6).getTime()];
    await record(start, end - 1, end);
    expect(await stored()).toEqual({ later: [iso(start), iso(end - 1), iso(end)] });
    await database.query('select add_audit_months($1)', [dayOf(monthAfter(5))]);
    expect(await stored()).toEqual({ [nameOf(monthAfter(5))]: [iso(start), iso(end - 1)], later: [iso(end)] });
    const added = `audit_event_${nameOf(monthAfter(5))}`;
    await expect(database.query(`delete from ${added}`)).rejects.toThrow('only takes new events');
    await expect(database.query('delete from audit_event_later')).rejects.toThrow('only takes new events');
    const indexes = `select from pg_index where indrelid = 'audit_event_later'::regclass and indisvalid`;
    expect(await database.query(indexes)).toHaveLength(10);
  });

  test('are pruned as a whole, with what is before them, and the audit says so', async () => {
    const [before, current, next] = [monthAfter(-1), monthAfter(0), monthAfter(1)];
    const add = (name: string, from: Date | undefined, to: Date): Promise<unknown> =>
      database.query('select create_audit_partition($1, $2, $3)', [
        `audit_event_${name}`,
        from && dayOf(from),
        dayOf(to),
      ]);
    // As an audit that began two months ago.
    await database.query('drop table audit_event_earlier');
    await add('earlier', undefined, monthAfter(-2));
    await add(nameOf(monthAfter(-2)), monthAfter(-2), before);
    await add(nameOf(before), before, current);
    const moments = [0, before.getTime() - 1, before.getTime(), current.getTime(), next.getTime()];
    await record(...moments);

    expect(await pruneAudit(database, iso(monthAfter(2).getTime()).slice(0, 7))).toBe(0);
    expect(await pruneAudit(database, '1990-01')).toBe(0);
    expect(await pruneAudit(database, iso(before.getTime()).slice(0, 7))).toBe(2);
    expect(await partitions()).toEqual(
      [-1, 0, 1, 2, 3].map((distance) => nameOf(monthAfter(distance))).concat('earlier', 'later'),
    );
    const left = await database.query('select actor, operation, access, elements from audit_event');
    expect(left).toHaveLength(4);
    expect(left).toContainEqual({ actor: 'command line', operation: 'pruneAudit', access: 'change', elements: 2 });
    await record(0);
    expect((await stored())['earlier']).toEqual([iso(0)]);
  });

  test('reads that are written twice are stored once', async () => {
    const [one, two] = [read('1'), read('2')];
    await copyEvents(database, [one]);
    await copyEvents(database, [one, two]);
    expect(await database.query('select access, request_id as "requestId" from audit_event order by id')).toEqual([
      { access: 'read', requestId: '1' },
      { access: 'read', requestId: '2' },
    ]);
  });
});

describe('the months of the audit with several processes', () => {
  let remove: () => Promise<void>;
  let databases: [Database, Database];

  beforeEach(async () => {
    const empty = await ownDatabase('postgres');
    ({ remove } = empty);
    databases = [empty.database, await openDatabase(empty.url)];
    log = [];
    await readFirstMonth(databases[0]);
    // The next call adds it again.
    await databases[0].query(`drop table audit_event_${nameOf(monthAfter(3))}`);
  });
  afterEach(async () => {
    await databases[1].close();
    await remove();
  });

  let log: string[] = [];
  const logger = pino({ base: null }, { write: (line) => void log.push(line) });
  const isThere = async (): Promise<boolean> =>
    (await databases[0].query('select from audit_month where month = $1', [dayOf(monthAfter(3))])).length === 1;

  test('are added by one of them', async () => {
    const ends = await Promise.all(databases.map((database) => startHousekeeping(database, settings, logger)));
    await Promise.all(ends.map((end) => end()));
    expect([await isThere(), log]).toEqual([true, []]);
  });

  test('are added while other months are vacuumed', async () => {
    const [vacuum, service] = databases;
    await vacuum.transaction(async (transaction) => {
      // As autovacuum does.
      await transaction.query(`lock table audit_event_${nameOf(monthAfter(0))} in share update exclusive mode`);
      await service.query('select add_coming_audit_months()');
    });
    expect(await isThere()).toBe(true);
  });

  test('wait for long statements for a moment only, and are added later', async ({ skip }) => {
    skip(...noTimeLimits);
    const [reader, service] = databases;
    let end: (() => Promise<void>) | undefined;
    await reader.transaction(async (transaction) => {
      await transaction.query('select from audit_event');
      end = await startHousekeeping(service, settings, logger);
      await copyEvents(service, [read('1')]);
    });
    await end?.();
    expect(log.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        level: 40,
        task: 'add the partitions of coming months of the audit',
        error: expect.objectContaining({ cause: { name: 'error', code: '55P03' } }) as object,
      }),
    ]);
    expect(await isThere()).toBe(false);
    end = await startHousekeeping(service, settings, logger);
    await end();
    expect(await isThere()).toBe(true);
  });
});
