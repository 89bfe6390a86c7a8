import { deletedPerson } from '@hr/schemas/rules';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { listAbsences } from '../src/time/absences.ts';
import { listSalaryHistory } from '../src/payroll/salary-history.ts';
import { importFeed } from '../src/feed/import-feed.ts';
import { recordKinds } from '../src/feed/record-kinds.ts';
import { anyDriver } from './drivers.ts';
import { feed, feedDatabase, inWords } from './feed.ts';
import type { FeedDatabase } from './feed.ts';

const person = { kind: 'person', id: '1', firstName: 'Ada', lastName: 'Berg' };
const mapping = { kind: 'mapping', personId: '1', payrollContractId: 'c' };
const employment = { kind: 'employment', payrollContractId: 'c', start: '2020-01-01', masterCostCenter: 'K1' };
const bankDetails = { kind: 'bankDetails', personId: '1', iban: 'DE02120300000000202051' };
const salary = { kind: 'salary', payrollContractId: 'c', year: 2026, month: 1, totalSalary: 3000.5 };
const keyNumber = { kind: 'keyNumber', personId: '1', keyNumber: '77' };
const timeDay = { kind: 'timeDay', personId: '1', date: '2026-01-02', targetTime: 7.3 };
const absence = { kind: 'absence', id: 'a', personId: '1', startDate: '2026-01-05' };
const everything = [person, mapping, employment, bankDetails, salary, keyNumber, timeDay, absence];

const deletions = [
  { kind: 'deletePerson', id: '1' },
  { kind: 'deleteMapping', payrollContractId: 'c' },
  { kind: 'deleteEmployment', payrollContractId: 'c' },
  { kind: 'deleteBankDetails', personId: '1' },
  { kind: 'deleteSalary', payrollContractId: 'c', year: 2026, month: 1 },
  { kind: 'deleteKeyNumber', personId: '1' },
  { kind: 'deleteTimeDay', personId: '1', date: '2026-01-02' },
  { kind: 'deleteAbsence', id: 'a' },
];

const whole = {
  id: '1',
  firstName: 'Ada',
  middleName: '',
  lastName: 'Berg',
  groups: [],
  customFields: [],
  payrollContractIds: ['c'],
  bankDetails: { iban: 'DE02120300000000202051' },
  employments: [{ payrollContractId: 'c', start: '2020-01-01' }],
  keyNumber: '77',
};

function each(outcome: string): Record<string, string> {
  return Object.fromEntries(Object.keys(recordKinds).map((kind) => [kind, outcome]));
}

describe.each(anyDriver)('a feed on %s', (driver) => {
  let db: FeedDatabase;

  beforeAll(async () => {
    db = await feedDatabase(driver);
  });
  beforeEach(() => db.clear());
  afterAll(() => db.remove());

  async function stored(table: string): Promise<number> {
    return (await db.database.query(`select from ${table}`)).length;
  }

  test('every kind is stored, and loading it again is no change', async () => {
    expect(await db.load(...everything)).toEqual({ lines: 8, outcomes: each('created 1'), badLines: [] });
    expect(await db.persons()).toEqual({ 1: whole });
    expect((await listSalaryHistory(db.database, 'c', {}))?.json).toBe(
      '[{"payrollContractId":"c","year":2026,"month":1,"totalSalary":3000.5}]',
    );
    expect((await listAbsences(db.database, '1', {}))?.json).toBe(
      '[{"id":"a","personId":"1","startDate":"2026-01-05"}]',
    );
    expect(await db.database.query('select * from contract')).toMatchObject([
      { start_date: '2020-01-01', master_cost_center: 'K1' },
    ]);

    await db.rest();
    const reordered = everything.map((record) => Object.fromEntries(Object.entries(record).toReversed()));
    const spaced = reordered.map((record) => JSON.stringify(record, null, ' ').replaceAll('\n', ''));
    expect(await db.load(...spaced)).toEqual({ lines: 8, outcomes: each('unchanged 1'), badLines: [] });
    expect(await db.changes()).toEqual([]);
    expect(await db.database.query(`select from change_set where changed_at > '2002-01-01'`)).toEqual([]);
  });

  test('every kind can be changed', async () => {
    await db.load(...everything);
    const changed = [
      { ...person, lastName: 'Tal' },
      { ...mapping, personId: '2' },
      { ...employment, masterCostCenter: 'K2' },
      { ...bankDetails, payee: 'Tal' },
      { ...salary, totalSalary: 1 },
      { ...keyNumber, keyNumber: '78' },
      { ...timeDay, targetTime: 0 },
      { ...absence, endDate: '2026-01-06' },
    ];
    expect(await db.load(...changed)).toMatchObject({ outcomes: each('changed 1') });
  });

  test('every kind can be deleted, and what is not there can be too', async () => {
    await db.load(...everything);
    expect(await db.load(...deletions)).toEqual({ lines: 8, outcomes: each('deleted 1'), badLines: [] });
    const rows = await db.rows();
    expect(await db.load(...deletions)).toEqual({ lines: 8, outcomes: each('unchanged 1'), badLines: [] });
    expect(await db.rows()).toEqual(rows);
    await db.clear();
    // Lists of changes have them.
    expect(rows).toEqual({
      ...(await db.rows()),
      time_account: [{ row: { person_id: '1' } }],
      time_day: [{ row: { person_id: '1', date: '2026-01-02', day: null } }],
      absence: [{ row: { id: 'a', person_id: '1', start_date: null, end_date: null, absence: null } }],
    });
    expect(await db.load(...everything)).toMatchObject({ outcomes: each('created 1') });
  });

  test('a person who is deleted leaves the rest dangling, and shows all of it on coming back', async () => {
    await db.load(...everything);
    await db.load({ kind: 'deletePerson', id: '1' });
    expect(await db.persons()).toEqual({});
    expect(await listSalaryHistory(db.database, 'c', {})).toMatchObject({
      json: expect.stringContaining('3000.5') as string,
    });
    await db.load(person);
    expect(await db.persons()).toEqual({ 1: whole });
  });

  test('what dangles appears with what it dangles from', async () => {
    await db.load(employment, bankDetails, keyNumber);
    expect(await db.persons()).toEqual({});
    await db.load(person);
    expect((await db.persons())['1']).toEqual({ ...whole, payrollContractIds: [], employments: [] });
    await db.load(mapping, { ...mapping, payrollContractId: 'unknown' });
    expect((await db.persons())['1']).toEqual({ ...whole, payrollContractIds: ['c', 'unknown'] });
    await db.load({ kind: 'deleteEmployment', payrollContractId: 'c' });
    expect((await db.persons())['1']).toEqual({ ...whole, payrollContractIds: ['c', 'unknown'], employments: [] });
  });

  test('changes tell only of the systems that changed', async () => {
    await db.load(...everything, { ...person, id: '2' });
    const systemsAfter = async (...records: object[]): Promise<Record<string, string>> => {
      await db.rest();
      await db.load(...records);
      const fields = { lastName: 'master', bankDetails: 'payroll', keyNumber: 'time' };
      return Object.fromEntries(
        (await db.changes()).map((element) => [
          element['id'],
          Object.entries(fields)
            .filter(([field]) => field in element)
            .map(([, system]) => system)
            .join(' '),
        ]),
      );
    };
    expect(await systemsAfter({ ...person, lastName: 'Tal' })).toEqual({ 1: 'master' });
    expect(await systemsAfter({ ...bankDetails, payee: 'Tal' })).toEqual({ 1: 'payroll' });
    expect(await systemsAfter({ ...employment, end: '2026-12-31' })).toEqual({ 1: 'payroll' });
    expect(await systemsAfter({ ...employment, end: '2026-12-31', masterCostCenter: 'K2' })).toEqual({});
    expect(await systemsAfter({ ...keyNumber, keyNumber: '78' })).toEqual({ 1: 'time' });
    expect(await systemsAfter({ ...salary, totalSalary: 1 }, { ...timeDay, targetTime: 0 })).toEqual({});
    expect(await systemsAfter({ ...absence, endDate: '2026-01-06' })).toEqual({});
    expect(await systemsAfter({ ...mapping, payrollContractId: 'unknown' })).toEqual({ 1: 'master payroll' });
    expect(await systemsAfter({ kind: 'deleteMapping', payrollContractId: 'unknown' })).toEqual({
      1: 'master payroll',
    });
    expect(await systemsAfter({ ...mapping, personId: '2' })).toEqual({ 1: 'master payroll', 2: 'master payroll' });
    expect(await systemsAfter({ kind: 'deleteBankDetails', personId: '1' })).toEqual({ 1: 'payroll' });
    expect(await systemsAfter({ kind: 'deleteKeyNumber', personId: '1' })).toEqual({ 1: 'time' });
    expect(await systemsAfter({ kind: 'deletePerson', id: '1' })).toEqual({ 1: 'master payroll time' });
    expect(await db.changes()).toEqual([deletedPerson('1')]);
    expect(await systemsAfter({ kind: 'deletePerson', id: '1' })).toEqual({});
    expect(await systemsAfter(person)).toEqual({ 1: 'master payroll time' });
  });

  test('days and absences that changed are of today, the others are not', async () => {
    await db.load(timeDay, absence, { ...timeDay, date: '2026-01-03' }, { ...absence, id: 'b' });
    await db.rest();
    await db.load({ ...timeDay, targetTime: 0 }, { ...absence, endDate: '2026-01-06' }, { ...absence, id: 'b' });
    expect(
      await db.database.query(`with today as (
          select id from change_set where changed_at > now() - interval '1 hour' and changed_at <= now()
        )
        select date as key from time_day where change in (select id from today)
        union all select id from absence where change in (select id from today)`),
    ).toEqual([{ key: '2026-01-02' }, { key: 'a' }]);
  });

  test('a mapping moves its contract', async () => {
    await db.load(...everything, { ...person, id: '2' }, { ...mapping, personId: '2' });
    const persons = await db.persons();
    expect(persons['1']).toMatchObject({ payrollContractIds: [], employments: [] });
    expect(persons['2']).toMatchObject({ payrollContractIds: ['c'], employments: whole.employments });
  });

  test('the last line of a key wins', async () => {
    const lines = ['A', 'B', 'C'].map((lastName) => ({ ...person, lastName }));
    expect(await db.load(...lines)).toMatchObject({ outcomes: { person: 'created 1, changed 2' } });
    expect((await db.persons())['1']).toMatchObject({ lastName: 'C' });
  });

  test('of master data the middle name goes into the first name, and the house number out of the street', async () => {
    const address = { city: 'Berlin', street: 'Hauptstr. 5a' };
    await db.load({ ...person, middleName: 'Maria', address });
    expect((await db.persons())['1']).toMatchObject({
      firstName: 'Ada Maria',
      middleName: '',
      address: { street: 'Hauptstr.', houseNumber: '5a', city: 'Berlin' },
    });
    const folded = {
      ...person,
      firstName: 'Ada Maria',
      address: { ...address, street: 'Hauptstr.', houseNumber: '5a' },
    };
    expect(await db.load(folded)).toMatchObject({ outcomes: { person: 'unchanged 1' } });
    await db.load({ ...person, middleName: '', address: { street: 'Hauptstr. 5a', houseNumber: '' } });
    expect((await db.persons())['1']).toMatchObject({
      firstName: 'Ada',
      address: { street: 'Hauptstr. 5a', houseNumber: '' },
    });
    await db.load({ kind: 'person', id: '2', middleName: 'Maria' }, { kind: 'person', id: '3', middleName: '' });
    const persons = await db.persons();
    expect(persons['2']).toHaveProperty('firstName', 'Maria');
    expect(persons['3']).not.toHaveProperty('firstName');
  });

  test('bad lines are told by place and left out, and nothing else is', async () => {
    const overlong = JSON.stringify({ ...person, id: '4', lastName: 'x'.repeat(2 ** 20) });
    const { lines, outcomes, badLines } = await db.load(
      person,
      '',
      '{"kind":"person","id":"2"',
      { kind: 'person', id: '3', shoeSize: 43, address: { postalCode: '10115' } },
      overlong,
      '[]',
      ' \t\r',
      { ...person, id: '5' },
    );
    expect({ lines, outcomes }).toEqual({ lines: 6, outcomes: { person: 'created 2' } });
    expect(
      badLines.map((bad) => [bad.source, bad.line, ...bad.issues.map(({ pointer, code }) => pointer + code)]),
    ).toEqual([
      ['feed', 3, 'wrong-format'],
      ['feed', 4, '/address/postalCodeformer-name', '/shoeSizeunknown-name'],
      ['feed', 5, 'too-long'],
      ['feed', 6, 'wrong-type'],
    ]);
    expect(JSON.stringify(badLines)).not.toMatch(/10115|43|xxx/);
  });

  test('sources come one after the other, each with lines of its own', async () => {
    const places: string[] = [];
    const sources = ['A', 'B'].map((lastName) => ({ ...feed({ ...person, lastName }, '{}'), name: lastName }));
    const summary = await importFeed(db.database, sources, {
      onBadLine: ({ source, line }) => places.push(`${source}:${line}`),
    });
    expect(places).toEqual(['A:2', 'B:2']);
    expect(inWords(summary)).toEqual({ person: 'created 1, changed 1' });
    expect((await db.persons())['1']).toMatchObject({ lastName: 'B' });
  });

  test('a strict import checks all lines before it stores anything', async () => {
    await db.load(person);
    const before = await db.rows();
    // More lines than a batch has.
    const salaries = Array.from({ length: 12 * 500 }, (_, month) => ({
      ...salary,
      year: Math.floor(month / 12),
      month: (month % 12) + 1,
    }));
    const progress: number[] = [];
    const badLines: number[] = [];
    const options = {
      strict: true,
      onProgress: ({ lines }: { lines: number }) => progress.push(lines),
      onBadLine: ({ line }: { line: number }) => badLines.push(line),
    };
    const lines = [{ ...person, lastName: 'Tal' }, ...salaries, '{}', '{}'];
    const transactions = vi.spyOn(db.database, 'transaction');
    const summary = await importFeed(db.database, [feed(person), feed(...lines)], options);
    expect(summary).toMatchObject({ badLines: 1, outcomes: { person: { changed: 0 }, salary: { created: 0 } } });
    expect(badLines).toEqual([6002]);
    expect(progress).toEqual([]);
    expect(transactions).not.toHaveBeenCalled();
    expect(await db.rows()).toEqual(before);

    const sources = [feed(person), feed(...lines.slice(0, -2))];
    expect(await importFeed(db.database, sources, options)).toMatchObject({ lines: 6002, badLines: 0 });
    expect(await stored('salary_entry')).toBe(6000);
    expect((await db.changes()).map(({ lastName }) => lastName)).toEqual(['Tal']);
  });

  test('a strict import stops at a line that has changed since the check', async () => {
    let readings = 0;
    async function* read(): AsyncGenerator<Uint8Array> {
      readings++;
      yield Buffer.from(`${JSON.stringify(person)}\n${readings > 1 ? '{}' : ''}`);
    }
    const changing = { name: 'feed', isRepeatable: true, bytes: { [Symbol.asyncIterator]: read } };
    await expect(importFeed(db.database, [changing], { strict: true })).rejects.toThrow(
      'The feed feed cannot be read: it changed after it was checked.',
    );
    expect(await db.persons()).toEqual({});
  });

  test('without strict, what was stored stays when a source breaks', async () => {
    const salaries = Array.from({ length: 10_000 }, (_, year) => JSON.stringify({ ...salary, year, month: 1 }));
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(salaries.join('\n'));
      throw new Error('broken');
    }
    const broken = { name: 'feed', bytes: breaking() };
    await expect(importFeed(db.database, [broken])).rejects.toThrow('broken');
    expect(await stored('salary_entry')).toBeGreaterThan(1000);
    expect(await stored('salary_entry')).toBeLessThan(10_000);
  });

  test('a fault of the database does not wait for a source that waits for input', async () => {
    const input = Promise.withResolvers<void>();
    async function* waiting(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${JSON.stringify(person)}\n`.repeat(6000));
      await input.promise;
    }
    vi.spyOn(db.database, 'transaction').mockRejectedValueOnce(new Error('lost'));
    await expect(importFeed(db.database, [{ name: 'feed', bytes: waiting() }])).rejects.toThrow('lost');
    input.resolve();
  });

  test('imports at the same time take turns', async () => {
    const lines = Array.from({ length: 40 }, (_, id) => [
      { ...person, id: String(id) },
      { ...mapping, personId: String(id) },
      { ...bankDetails, personId: String(id) },
    ]).flat();
    await Promise.all([db.load(...lines), db.load(...lines.toReversed()), db.load(...lines)]);
    expect(Object.keys(await db.persons())).toHaveLength(40);
    expect(await stored('mapping')).toBe(1);
    const mapped = Object.values(await db.persons()).filter(
      ({ payrollContractIds }) => (payrollContractIds as string[]).length > 0,
    );
    expect(mapped).toHaveLength(1);
  });
});
