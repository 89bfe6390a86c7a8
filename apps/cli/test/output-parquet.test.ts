import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toMinutes } from '@hr/schemas';
import { fixtures } from '@hr/testing/fixtures';
import { tableFromIPC, type Table } from 'apache-arrow';
import fc from 'fast-check';
import { readParquet } from 'parquet-wasm';
import { testScale } from 'tooling-vitest/test-scale';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ColumnType, RecordKind } from '../src/output/record-kind.ts';
import { absenceKind, bookingKind, paymentKind, personKind, salaryKind } from '../src/output/record-kinds.ts';
import { written } from './written.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hr-parquet-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes a file, and reads it by another library than the one that writes. */
async function readBack<T>(kind: RecordKind<T>, elements: Iterable<T>): Promise<Table> {
  const out = join(folder, 'records.parquet');
  await written({ out }, kind, elements);
  return tableFromIPC(readParquet(await readFile(out)).intoIPCStream());
}

function rowsOf(table: Table): Record<string, unknown>[] {
  return table.toArray().map((row: { toJSON(): Record<string, unknown> }) => row.toJSON());
}

/** A row as a reader sees it, by the names of its fields. */
function expectedRow(kind: RecordKind<never>, row: object): Record<string, unknown> {
  const cells = kind.columns.map(({ name, type }) => {
    const field = name.replace(/Minutes$/, 'Time');
    const value =
      field.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown>)?.[key], row) ?? null;
    if (value === null) return [name, null];
    if (field !== name) return [name, toMinutes(value as number)];
    if (type === 'json') return [name, JSON.stringify(value)];
    return [name, type === 'date' ? Date.parse(value as string) : value];
  });
  return Object.fromEntries(cells) as Record<string, unknown>;
}

const { person, salaryHistoryEntry, timeBookingPerson, absence, variablePayment } = fixtures();
const kinds = [
  { kind: personKind, elements: person.arbitrary(fc) },
  { kind: salaryKind, elements: salaryHistoryEntry.arbitrary(fc) },
  { kind: bookingKind, elements: timeBookingPerson.arbitrary(fc) },
  { kind: absenceKind, elements: absence.arbitrary(fc) },
  { kind: paymentKind, elements: variablePayment.arbitrary(fc) },
] as { kind: RecordKind<object>; elements: fc.Arbitrary<object> }[];

test.each(kinds)('Another reader finds all values of $kind.name', async ({ kind, elements }) => {
  // 32 bits are enough for minutes, but not for those of any valid time.
  const inRange = elements.filter((element) => !/Time":-?\d{7}/.test(JSON.stringify(element)));
  await fc.assert(
    fc.asyncProperty(fc.array(inRange, { maxLength: 5 }), async (list) => {
      const rows = list.flatMap((element) => [...(kind.rows?.(element) ?? [element])]);
      expect(rowsOf(await readBack(kind, list))).toEqual(rows.map((row) => expectedRow(kind, row)));
    }),
    { numRuns: 15 * testScale },
  );
});

const types: readonly ColumnType[] = ['string', 'date', 'datetime', 'number', 'integer', 'boolean', 'json'];
const everyType: RecordKind<Partial<Record<ColumnType, unknown>>> = {
  name: 'values',
  table: [],
  columns: types.map((type) => ({ name: type, type, value: (row) => (row as Record<string, unknown>)[type] })),
};

test('Columns have types, and each may lack values, in every group of rows', async () => {
  // More than one group.
  const count = 5100;
  const values = Array.from({ length: count }, (_, n) =>
    n % 2 === 0
      ? { string: `text ${n}`, number: n / 8, integer: n, boolean: n % 4 === 0, json: { n: [n, null, 'ö'] } }
      : { date: '0001-01-01', datetime: `2026-01-31T08:15${n % 4 === 1 ? ':00.123456789' : ''}`, number: null },
  );
  const table = await readBack(everyType, values);
  expect(table.schema.fields.map((field) => `${field.name}: ${String(field.type)}`)).toMatchInlineSnapshot(`
    [
      "string: Utf8",
      "date: Date32<DAY>",
      "datetime: Timestamp<MICROSECOND>",
      "number: Float64",
      "integer: Int32",
      "boolean: Bool",
      "json: Utf8",
    ]
  `);
  expect(table.schema.fields.every((field) => field.nullable)).toBe(true);
  const missing = Object.fromEntries(types.map((type) => [type, null]));
  const [rows, minute] = [rowsOf(table), Date.parse('2026-01-31T08:15Z')];
  expect(rows).toEqual(
    values.map((value, n) => ({
      ...missing,
      ...value,
      ...('json' in value && { json: JSON.stringify(value.json) }),
      ...('date' in value && { date: Date.parse('0001-01-01'), datetime: n % 4 === 1 ? minute + 123.456 : minute }),
    })),
  );
});

test('A list without records is a file without rows', async () => {
  const table = await readBack(absenceKind, []);
  expect(table.numRows).toBe(0);
  expect(table.schema.fields.map(({ name }) => name)).toEqual(absenceKind.columns.map(({ name }) => name));
});

test.each<[ColumnType, unknown]>([
  ['date', '2026-02-30'],
  ['date', 20_260_131],
  ['datetime', '2026-02-30T08:15'],
  ['datetime', '2026-01-31T25:00'],
  ['datetime', '2026-01-31'],
  ['integer', 2 ** 31],
  ['integer', 1.5],
  ['number', '1'],
  ['boolean', 'true'],
])('A %s that its type cannot hold, %j, fails with its place, and leaves no file', async (type, value) => {
  const out = join(folder, 'wrong.parquet');
  const writing = written({ out }, everyType, [{}, { [type]: value }]);
  await expect(writing).rejects.toThrow(`Row 2, ${type}: not a valid ${type}, so Parquet cannot hold it.`);
  await expect(readFile(out)).rejects.toMatchObject({ code: 'ENOENT' });
});
