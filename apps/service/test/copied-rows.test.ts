import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { anyCharacter } from 'tooling-vitest/any-character';
import { drivers } from './drivers.ts';
import { ownDatabase } from './own-database.ts';

const stored = fc.string({
  unit: fc.oneof(fc.constantFrom('\\', '\t', '\n', '\r', 'N', '.', '\u{2028}'), anyCharacter),
});

describe.each(drivers)('rows that are copied on %s', (driver) => {
  let database: Database;

  beforeAll(async () => {
    const own = await ownDatabase(driver);
    ({ database } = own);
    await database.query(
      'create table note (id int generated always as identity, one text, other text check (length(other) < 50))',
    );
    return own.remove;
  });

  const copy = (rows: readonly (readonly (string | undefined)[])[]): Promise<void> =>
    database.copy({ table: 'note', columns: ['one', 'other'], rows });
  const count = async (): Promise<number> => (await database.query('select from note')).length;

  test('hold what was given, whatever it is', async () => {
    const row = fc.tuple(fc.option(stored, { nil: undefined }), fc.option(stored, { nil: undefined }));
    const law = fc.asyncProperty(fc.array(row), async (rows) => {
      const before = await count();
      await copy(rows);
      const found = await database.query<{ one: string | null; other: string | null }>(
        'select one, other from note order by id offset $1',
        [before],
      );
      expect(found).toEqual(rows.map(([one = null, other = null]) => ({ one, other })));
    });
    await fc.assert(law, { numRuns: 100 });
  });

  test('are all there or none, and the connections are as good as before', async () => {
    const before = await count();
    const bad = ['fine', 'x'.repeat(50)];
    // More often than there are connections.
    const attempts = Array.from({ length: 12 }, async () => copy([['a', 'b'], bad, ['c', 'd']]));
    const results = await Promise.allSettled(attempts);
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']));
    await expect(database.copy({ table: 'nothing', columns: ['one'], rows: [['a']] })).rejects.toThrow('nothing');
    expect(await count()).toBe(before);
    await copy([['a', 'b']]);
    expect(await count()).toBe(before + 1);
  });
});
