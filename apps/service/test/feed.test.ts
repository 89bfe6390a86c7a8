import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { listAbsences } from '../src/time/absences.ts';
import { listSalaryHistory } from '../src/payroll/salary-history.ts';
import type { BadLine } from '../src/feed/feed-batches.ts';
import { importFeed } from '../src/feed/import-feed.ts';
import { recordKinds } from '../src/feed/record-kinds.ts';
import { anyDriver } from './drivers.ts';
import { feed, feedDatabase, storePatch, type FeedDatabase } from './feed.ts';

const person = { kind: 'person', id: '1', firstName: 'Ada', lastName: 'Berg' };
const mapping = { kind: 'mapping', personId: '1', payrollContractId: 'c' };
const employment = { kind: 'employment', payrollContractId: 'c', start: '2020-01-01', masterCostCenter: 'K1' };
const bankDetails = { kind: 'bankDetails', personId: '1', iban: 'DE02120300000000202051' };
const salary = { kind: 'salary', payrollContractId: 'c', year: 2026, month: 1, totalSalary: 3000.5 };
const keyNumber = { kind: 'keyNumber', personId: '1', keyNumber: '77' };
const timeDay = { kind: 'timeDay', personId: '1', date: '2026-01-02', targetTime: 7.3 };
const absence = { kind: 'absence', id: 'a', personId: '1', startDate: '2026-01-05' };
const everything = [person, mapping, employment, bankDetails, salary, keyNumber, timeDay, absence];

const deletePerson = { kind: 'deletePerson', id: '1' };
const deletions = [
  deletePerson,
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

const RUNS = 8 * testScale;

interface Keyed {
  /** The same for a record and for its deletion. */
  readonly key: string;
  readonly record: object;
}

// Few keys and few values, so that records meet often.
const personIds = fc.constantFrom('1', '2');
const contracts = fc.constantFrom('c', 'd');
const values = fc.constantFrom('A', 'B');

/** Records and deletions of a kind, whose key is one field. */
function recordsOf(
  name: string,
  keyField: string,
  keys: fc.Arbitrary<string>,
  fields: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<Keyed> {
  return fc.tuple(keys, fc.option(fc.record(fields))).map(([id, content]) => ({
    key: `${name} ${id}`,
    record: content
      ? { kind: name, [keyField]: id, ...content }
      : { kind: `delete${name.charAt(0).toUpperCase()}${name.slice(1)}`, [keyField]: id },
  }));
}

const anyRecord = fc.oneof(
  recordsOf('person', 'id', personIds, { lastName: values }),
  recordsOf('person', 'id', personIds, { address: fc.record({ street: values }) }),
  recordsOf('mapping', 'payrollContractId', contracts, { personId: personIds }),
  recordsOf('employment', 'payrollContractId', contracts, { personGroupCode: values }),
  recordsOf('bankDetails', 'personId', personIds, { payee: values }),
  recordsOf('keyNumber', 'personId', personIds, { keyNumber: values }),
  recordsOf('absence', 'id', values, { personId: personIds, startDate: fc.constant('2026-01-01') }),
);

function each(outcome: string): Record<string, string> {
  return Object.fromEntries(Object.keys(recordKinds).map((kind) => [kind, outcome]));
}

describe.each(anyDriver)('a feed on %s', (driver) => {
  let db: FeedDatabase;

  beforeAll(async () => {
    db = await feedDatabase(driver);
    return db.remove;
  });
  beforeEach(() => db.clear());

  test('every kind is stored, loading it again is no change, and it can be changed', async () => {
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

  const second = { ...person, id: '2' };
  const unknown = { ...mapping, payrollContractId: 'unknown' };
  const deleteEmployment = { kind: 'deleteEmployment', payrollContractId: 'c' };
  const dangling = [employment, bankDetails, keyNumber];
  const unmapped = { ...whole, payrollContractIds: [], employments: [] };
  const mapped = expect.objectContaining({ payrollContractIds: ['c'], employments: whole.employments }) as object;
  const others = { ...whole, payrollContractIds: ['c', 'unknown'] };
  test.each<[what: string, feeds: object[][], persons: object]>([
    ['a person who is deleted is not shown', [everything, [deletePerson]], {}],
    ['a person who comes back has all that was left', [everything, [deletePerson], [person]], { 1: whole }],
    ['what dangles shows nobody', [dangling], {}],
    ['a person has what dangled', [dangling, [person]], { 1: unmapped }],
    ['a mapping brings what dangled', [dangling, [person], [mapping, unknown]], { 1: others }],
    ['an employment goes without its mapping', [everything, [deleteEmployment]], { 1: { ...whole, employments: [] } }],
    ['a mapping moves its contract', [everything, [second, { ...mapping, personId: '2' }]], { 1: unmapped, 2: mapped }],
  ])('%s', async (_, feeds, persons) => {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const records of feeds) await db.load(...records);
    expect(await db.persons()).toEqual(persons);
  });

  test('changes tell only of the systems that changed', async () => {
    const fields = { lastName: 'master', bankDetails: 'payroll', keyNumber: 'time' };
    await db.load(...everything, second);
    const changes: [records: object[], systems: Record<string, string>][] = [
      [[{ ...person, lastName: 'Tal' }], { 1: 'master' }],
      [[{ ...bankDetails, payee: 'Tal' }], { 1: 'payroll' }],
      [[{ ...employment, end: '2026-12-31' }], { 1: 'payroll' }],
      [[{ ...employment, end: '2026-12-31', masterCostCenter: 'K2' }], {}],
      [[{ ...keyNumber, keyNumber: '78' }], { 1: 'time' }],
      [[{ ...salary, totalSalary: 1 }], {}],
      [[{ ...timeDay, targetTime: 0 }], {}],
      [[{ ...absence, endDate: '2026-01-06' }], {}],
      [[unknown], { 1: 'master payroll' }],
      [[{ kind: 'deleteMapping', payrollContractId: 'unknown' }], { 1: 'master payroll' }],
      [[{ ...mapping, personId: '2' }], { 1: 'master payroll', 2: 'master payroll' }],
      [[{ kind: 'deleteBankDetails', personId: '1' }], { 1: 'payroll' }],
      [[{ kind: 'deleteKeyNumber', personId: '1' }], { 1: 'time' }],
      [[deletePerson], { 1: 'master payroll time' }],
      [[deletePerson], {}],
      [[person], { 1: 'master payroll time' }],
    ];
    for (const [records, systems] of changes) {
      // oxlint-disable no-await-in-loop -- one after the other
      await db.rest();
      await db.load(...records);
      const told = (await db.changes()).map((element) => {
        const names = Object.entries(fields).filter(([field]) => field in element);
        return [element.id, names.map(([, system]) => system).join(' ')];
      });
      // oxlint-enable no-await-in-loop
      expect([records, Object.fromEntries(told)]).toEqual([records, systems]);
    }
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

  test('equal lines of a key that follow each other take the statements of one', async () => {
    await db.load(person);
    const statements = async (lines: readonly object[]) => {
      const transaction = vi.spyOn(db.database, 'transaction');
      const query = vi.fn<() => void>();
      transaction.mockImplementation(async (work, options) => {
        transaction.mockRestore();
        return db.database.transaction(async (queries) => {
          const counted = {
            query: (...statement: Parameters<typeof queries.query>) => (query(), queries.query(...statement)),
          };
          return work(counted as typeof queries);
        }, options);
      });
      const { outcomes } = await db.load(...lines);
      return [outcomes, query.mock.calls.length];
    };
    const deletion = { kind: 'deleteTimeDay', personId: '1', date: '2026-01-02' };
    const [, one] = await statements([timeDay]);
    expect(await statements(Array.from({ length: 3000 }, () => deletion))).toEqual([
      { timeDay: 'unchanged 2999, deleted 1' },
      one,
    ]);
    expect(await statements(Array.from({ length: 3000 }, () => timeDay))).toEqual([
      { timeDay: 'created 1, unchanged 2999' },
      one,
    ]);
    const { outcomes } = await db.load(timeDay, deletion, deletion, timeDay, timeDay, { ...timeDay, targetTime: 1 });
    expect(outcomes).toEqual({ timeDay: 'created 1, changed 1, unchanged 3, deleted 1' });
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

  test('a strict import checks all lines before it stores anything', async () => {
    await db.load(person);
    const before = await db.rows();
    const progress: number[] = [];
    const badLines: BadLine[] = [];
    const options = {
      strict: true,
      onProgress: ({ lines }: { lines: number }) => progress.push(lines),
      onBadLine: (badLine: BadLine) => badLines.push(badLine),
    };
    const changed = { ...person, lastName: 'Tal' };
    const transactions = vi.spyOn(db.database, 'transaction');
    const bad = { ...feed(salary, '{}', '{}'), name: 'bad' };
    const summary = await importFeed(db.database, [feed(changed), bad], options);
    expect(summary).toMatchObject({ badLines: 1, outcomes: { person: { changed: 0 }, salary: { created: 0 } } });
    // Each source has lines of its own.
    expect(badLines).toMatchObject([{ source: 'bad', line: 2 }]);
    expect(progress).toEqual([]);
    expect(transactions).not.toHaveBeenCalled();
    expect(await db.rows()).toEqual(before);

    const sources = [feed(changed), feed(salary)];
    expect(await importFeed(db.database, sources, options)).toMatchObject({ lines: 2, badLines: 0 });
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

  /** All that is stored after these feeds, loaded into what two patched persons have. */
  async function rowsAfter(feeds: readonly (readonly Keyed[])[]): Promise<unknown> {
    await db.clear();
    await db.load(
      { kind: 'person', id: '1', address: { street: 'A' } },
      { kind: 'person', id: '2', lastName: 'A' },
      { kind: 'bankDetails', personId: '2', payee: 'A' },
      { kind: 'mapping', personId: '1', payrollContractId: 'c' },
    );
    await storePatch(db.database, '1', { addresses: [{ street: 'patched' }], bankDetails: {} });
    await storePatch(db.database, '2', { addresses: [], bankDetails: { payee: 'patched' } });
    for (const records of feeds) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await db.load(...records.map(({ record }) => record));
    }
    return db.rows();
  }

  test('records in one batch do what they do one by one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRecord, { maxLength: 12 }), async (records) => {
        expect(await rowsAfter([records])).toEqual(await rowsAfter(records.map((record) => [record])));
      }),
      { numRuns: RUNS },
    );
  });

  test('records of different keys do the same in any order', async () => {
    const orders = fc
      .uniqueArray(anyRecord, { selector: ({ key }) => key, maxLength: 12 })
      .chain((records) => fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })));
    await fc.assert(
      fc.asyncProperty(orders, async ([one, other]) => {
        expect(await rowsAfter([one])).toEqual(await rowsAfter([other]));
      }),
      { numRuns: RUNS },
    );
  });
});
