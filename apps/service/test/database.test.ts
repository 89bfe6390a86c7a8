import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { anyCharacter } from 'tooling-vitest/any-character';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { sql } from '../src/database/sql.ts';
import type { List } from '../src/database/list.ts';
import { drivers } from './drivers.ts';
import { listText } from './list-text.ts';
import { ownDatabase } from './own-database.ts';

function numbers(last: number): List {
  return [sql`select n as key, n::text as element from generate_series(1::bigint, ${String(last)}::bigint) as n`];
}

const stored = fc.string({
  unit: fc.oneof(fc.constantFrom('\\', '\t', '\n', '\r', "'", '"', ',', 'N', '.', '\u0001', '\u{2028}'), anyCharacter),
});

describe.each(drivers)('a database on %s', (driver) => {
  let database: Database;

  beforeAll(async () => {
    const own = await ownDatabase(driver, { bare: true });
    ({ database } = own);
    const columns = 'id int generated always as identity, one text, other text check (length(other) < 50)';
    await database.query(`create table note (${columns})`);
    return own.remove;
  });

  test.each([0, 1, 2000, 2001, 5001])('a list of %i elements is a JSON array of as many', async (length) => {
    const list = JSON.parse(await listText(database, numbers(length))) as number[];
    expect(list).toEqual(Array.from({ length }, (_, index) => index + 1));
  });

  test('any text comes through a list unchanged, as a value of the query, as a key and as an element', async () => {
    // More than the first page of either database has.
    const rows = 2010;
    const law = fc.asyncProperty(stored, async (value) => {
      const list = [
        sql`select key, to_json(key)::text as element
        from (select (${value} || lpad(n::text, 4, '0')) collate "C" as key from generate_series(1, ${String(rows)}::int) as n) as keys`,
      ];
      const expected = Array.from({ length: rows }, (_, index) => value + String(index + 1).padStart(4, '0'));
      expect(JSON.parse(await listText(database, list))).toEqual(expected);
    });
    await fc.assert(law, { numRuns: 20 });
  });

  test('the members of a failed statement’s error do not show its values', async () => {
    const failed: unknown = await database.query('select $1::int', ['Lindqvist']).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Error);
    expect(inspect(Object.entries(failed as Error), { depth: null })).not.toContain('Lindqvist');
  });

  test('what exists throughout is in a list exactly once, whatever comes, goes and changes meanwhile', async () => {
    await database.query('create table moving (key text collate "C" primary key, element text)');
    await database.query(
      `insert into moving select lpad(n::text, 5, '0'), lpad(n::text, 500) from generate_series(2, 9000, 2) as n`,
    );
    const { json } = await database.list([sql`select key, element from moving`]);
    const chunks: Buffer[] = [];
    for await (const chunk of json) {
      chunks.push(chunk as Buffer);
      await database.query(`
        with deleted as (delete from moving where element::int % 2 = 1)
        insert into moving select lpad(n::text, 5, '0'), lpad(n::text, 500) from generate_series(1 + (random() * 1000)::int * 2, 9001, 34) as n
        on conflict do nothing`);
      await database.query(`update moving set element = element where key like '%' || (random() * 9)::int`);
    }
    const list = JSON.parse(Buffer.concat(chunks).toString()) as number[];
    expect(chunks.length).toBeGreaterThan(4);
    expect(list.filter((n) => n % 2 === 0)).toEqual(Array.from({ length: 4500 }, (_, index) => 2 * (index + 1)));
    expect(list).toEqual([...new Set(list)].toSorted((a, b) => a - b));
  });

  test('a stalled reader holds no connection, and goes on behind the last element', async () => {
    await database.query('create table aging (key int primary key, element text)');
    await database.query(
      `insert into aging select n, '"old' || repeat(' ', 1000) || '"' from generate_series(1, 9000) as n`,
    );
    const list = await database.list([sql`select key, element from aging`]);
    list.json.once('data', () => list.json.pause());
    await once(list.json, 'data');
    await expect.poll(() => database.pools().lists?.connections ?? 0, { timeout: 240_000 }).toBe(0);
    await database.query(`update aging set element = '"new"'`);
    const rest = (await text(list.json)).split(/\s*,\s*/);
    // One kilobyte each.
    expect(rest.filter((element) => element.includes('old')).length).toBeLessThanOrEqual(500);
    expect(rest.length).toBeGreaterThan(8000);
    expect(list.elements).toBe(9000);
  });

  test.runIf(driver === 'postgres')('pages wait for their turn, as long as it takes', async () => {
    const slow = [sql`select 'k' as key, '1' || left(pg_sleep(5.5)::text, 0) as element`];
    const lists = Array.from({ length: 9 }, (_, index) => listText(database, index < 8 ? slow : numbers(1)));
    expect(await Promise.all(lists)).toEqual(lists.map(() => '[1\n]'));
  });

  test.runIf(driver === 'postgres')('a connection that breaks inside a page fails that list alone', async () => {
    const slow = [sql`select 'k' as key, '1' || left(pg_sleep(20)::text, 0) as element`];
    const terminate = `select pg_terminate_backend(pid) as done from pg_stat_activity where query like 'copy%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()`;
    await Promise.all([
      expect(listText(database, slow)).rejects.toMatchObject({ code: 'database-stopping' }),
      vi.waitUntil(async () => (await database.query(terminate)).length > 0, 240_000),
    ]);
    expect(JSON.parse(await listText(database, numbers(3)))).toEqual([1, 2, 3]);
  });

  const copy = (rows: readonly (readonly (string | undefined)[])[]): Promise<void> =>
    database.copy({ table: 'note', columns: ['one', 'other'], rows });
  const notes = async (): Promise<number> => (await database.query('select from note')).length;

  test('rows that are copied hold what was given, whatever it is', async () => {
    const row = fc.tuple(fc.option(stored, { nil: undefined }), fc.option(stored, { nil: undefined }));
    const law = fc.asyncProperty(fc.array(row), async (rows) => {
      const before = await notes();
      await copy(rows);
      const found = await database.query<{ one: string | null; other: string | null }>(
        'select one, other from note order by id offset $1',
        [before],
      );
      expect(found).toEqual(rows.map(([one = null, other = null]) => ({ one, other })));
    });
    await fc.assert(law, { numRuns: 100 });
  });

  test('rows that are copied are all there or none, and the connections are as good as before', async () => {
    const before = await notes();
    const bad = ['fine', 'x'.repeat(50)];
    // More often than there are connections.
    const attempts = Array.from({ length: 12 }, async () => copy([['a', 'b'], bad, ['c', 'd']]));
    const results = await Promise.allSettled(attempts);
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']));
    await expect(database.copy({ table: 'nothing', columns: ['one'], rows: [['a']] })).rejects.toThrow('nothing');
    expect(await notes()).toBe(before);
    await copy([['a', 'b']]);
    expect(await notes()).toBe(before + 1);
  });
});
