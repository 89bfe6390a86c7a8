import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { migrate } from '../src/database/migrate.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { drivers, bareDatabase } from './drivers.ts';
import { feedDatabase } from './feed.ts';

const MIGRATION = '0005-custom-fields.sql';
const folder = new URL('../src/database/migrations/', import.meta.url);
const none = ',"customFields":[]';
const last = ',"payrollContractIds":';

const persons = [
  { id: 'p1', customFields: [{ name: 'A', textValue: 'x' }, { name: 'B "b\\' }, { name: 'A', numberValue: 1e-7 }] },
  { id: 'p2', customFields: [] },
  { id: 'p3' },
  // A text that has the member in it, and a field that has its name.
  { id: 'p4', jobTitle: `"${none}${none}`, customFields: [{ name: 'customFields', textValue: `${none}\n😀` }] },
  { id: 'p5', groups: [{ id: 'customFields' }], customFields: [{ name: "'{NULL}'", selection: ['a', 'b'] }] },
];
type Row = Readonly<Record<string, unknown>>;

describe.each(drivers)('the migration to custom fields on %s', (driver) => {
  test('makes of rows from before it what would be written now, and changes nobody', async () => {
    const now = await feedDatabase(driver);
    await now.load(...persons.map((person) => ({ kind: 'person', ...person })), {
      kind: 'mapping',
      personId: 'p1',
      payrollContractId: 'c',
    });
    await now.rest();
    const documents = await now.database.query<Row>('select person_id, kind, document from source_document');
    const written = await views(now.database);
    await now.remove();

    const empty = await bareDatabase(driver);
    const database = await openDatabase(empty.url);
    await database.query(
      'create table migration (name text primary key, applied_at timestamptz not null default now())',
    );
    for (const name of (await readdir(folder)).filter((each) => each < MIGRATION).toSorted()) {
      // oxlint-disable no-await-in-loop -- each builds on the one before
      await database.query(await readFile(new URL(name, folder), 'utf8'));
      await database.query('insert into migration (name) values ($1)', [name]);
      // oxlint-enable no-await-in-loop
    }
    await insert('source_document', documents);
    await insert(
      'person_view',
      written.map((row) => asBefore(row)),
    );

    expect(await migrate(database)).toContain(MIGRATION);
    expect(await views(database)).toEqual(written);
    await database.close();
    await empty.remove();

    async function insert(table: string, rows: readonly Row[]): Promise<void> {
      await database.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [
        JSON.stringify(rows),
      ]);
    }
  });
});

async function views(database: Database): Promise<Row[]> {
  const rows = await database.query<{ row: Row }>(
    'select to_jsonb(view) as row from person_view as view order by person_id',
  );
  return rows.map(({ row }) => row);
}

/** A row as it was before: the custom fields, of which there were none, stood in front of the contract ids. */
function asBefore({ master, custom_names: _names, custom_json: _json, ...row }: Row): Row {
  const text = String(master);
  const place = text.lastIndexOf(last);
  expect(place).toBeGreaterThan(0);
  return { ...row, master: text.slice(0, place) + none + text.slice(place) };
}
