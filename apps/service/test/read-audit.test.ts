import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { oneRecord } from '../src/database/json-answer.ts';
import { sql } from '../src/database/sql.ts';
import { createReadAudit, type ReadAudit } from '../src/audit/read-audit.ts';
import { anyDriver } from './drivers.ts';
import { ownDatabase } from './own-database.ts';

const MAX_WAITING = 10_000;
const event = { actor: 'hr-1', operation: 'listAbsences', requestId: 'r-1', personId: 'secret-id' };

describe.each(anyDriver)('reads on %s', (driver) => {
  let database: Database;
  let log: string[];
  let readAudit: ReadAudit;

  beforeEach(async () => {
    const own = await ownDatabase(driver);
    ({ database } = own);
    log = [];
    readAudit = createReadAudit(database, pino({ base: null }, { write: (line) => void log.push(line) }));
    return own.remove;
  });

  const note = (times = 1): void => {
    for (let time = 0; time < times; time++) readAudit.noteRead(oneRecord('{}'), event);
  };
  const written = async (): Promise<number> =>
    (await database.query<{ count: number }>('select count(*)::int as count from audit_event'))[0]?.count ?? 0;
  const breakTable = (): Promise<unknown> => database.query('alter table audit_event rename to away');
  const mendTable = (): Promise<unknown> => database.query('alter table away rename to audit_event');

  test('are written within a second or so, and many of them at once', async () => {
    note();
    expect(readAudit.state().waiting).toBe(1);
    await expect.poll(written).toBe(1);
    note(500);
    await readAudit.flush();
    expect([await written(), readAudit.state()]).toEqual([501, { waiting: 0, failedWrites: 0 }]);
  });

  test('that could not be written are later, in their order', async () => {
    await breakTable();
    note(3);
    await readAudit.flush();
    expect(readAudit.state()).toEqual({ waiting: 3, failedWrites: 1 });
    expect(JSON.parse(log[0] ?? '')).toMatchObject({ level: 50, waiting: 3, error: { code: '42P01' } });
    expect(log.join('')).not.toContain('secret-id');
    note();
    await mendTable();
    await expect.poll(written).toBe(4);
    expect(readAudit.state().waiting).toBe(0);
  });

  test('that were refused are one event for each actor, operation and status', async () => {
    const refusals = [{}, { actor: 'unknown' }, { operation: 'x' }, { status: 403 }].map((other) => ({
      actor: 'hr-1',
      operation: 'listPersons',
      requestId: 'r-1',
      status: 401,
      ...other,
    }));
    const noteAll = (times: number): void => {
      for (let time = 0; time < times; time++) for (const refusal of refusals) readAudit.noteRefusal(refusal);
    };
    await breakTable();
    noteAll(1);
    await readAudit.flush();
    // Those of the failed attempt keep their ids and counts, as they may have been stored. Room for reads stays.
    noteAll(MAX_WAITING);
    await readAudit.flush();
    readAudit.checkRoom();
    expect(readAudit.state()).toEqual({ waiting: 2 * refusals.length, failedWrites: 2 });
    await mendTable();
    await readAudit.flush();
    const events = await database.query(
      `select actor, operation, access, status, elements, request_id as "requestId" from audit_event order by elements, id`,
    );
    const eventsOf = (elements: number) => refusals.map((refusal) => ({ ...refusal, access: 'refused', elements }));
    expect(events).toEqual([...eventsOf(1), ...eventsOf(MAX_WAITING)]);
  });

  test('are refused when too many cannot be written', async () => {
    await breakTable();
    note(MAX_WAITING - 1);
    readAudit.checkRoom();
    note();
    expect(() => readAudit.checkRoom()).toThrow(expect.objectContaining({ code: 'unavailable' }) as Error);
    await mendTable();
    await readAudit.flush();
    expect(await written()).toBe(MAX_WAITING);
    readAudit.checkRoom();
  });

  test('are written when the service stops, as soon as that is possible again', async () => {
    await breakTable();
    note(2);
    const closed = readAudit.close();
    await setTimeout(1500);
    await mendTable();
    await closed;
    expect(await written()).toBe(2);
  });

  test('that nobody can write keep no service from stopping, and it says how many are lost', async () => {
    await breakTable();
    note(2);
    await readAudit.close();
    expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({ level: 50, lost: 2 });
    await mendTable();
  });

  test('of a list that is open when the service stops tell what it has given', async () => {
    const numbers = [
      sql`select lpad(n::text, 6, '0') as key, repeat('1', 1000) as element from generate_series(1, 20000) as n`,
    ];
    const list = await database.list(numbers);
    const unread = await database.list(numbers);
    readAudit.noteRead(list, event);
    readAudit.noteRead(unread, event);
    await once(list.json, 'readable');
    list.json.read();
    await readAudit.close();
    const [given] = await database.query<{ elements: number }>('select elements from audit_event');
    expect(given?.elements).toBe(list.elements);
    expect(given?.elements).toBeGreaterThan(0);
    const closed = [list, unread].map(({ json }) => once(json, 'close'));
    for (const { json } of [list, unread]) json.destroy();
    await Promise.all(closed);
    await readAudit.flush();
    expect(await written()).toBe(1);
  });
});
