import { matchesAbsenceFilter } from '@hr/schemas/rules';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMirror, type Mirror, type PersonQuery } from '../src/mirror/index.ts';
import { mirrorCloud } from './mirror-cloud.ts';

const { fake, hr } = mirrorCloud();
const names: Record<string, [string, string]> = {
  'P-1': ['Jürgen', 'Müller'],
  p2: ['Anna-Lena', 'Mueller'],
  p3: ['Anna', 'Muller'],
  p4: ["Sinéad O'Neill", 'Strauß'],
  p5: ['Łukasz', 'Søndergård'],
  p6: ['Þóra', 'Æsir'],
  p7: ['Işıl', 'ÇELİK'],
  p8: ['Νίκος', 'Παπαδόπουλος'],
  p9: ['Юлия', 'Фёдорова'],
  'p\u{1F600}': ['Zoe\u0308', 'Bach'],
  'p\uFFFD': ['Zoë', 'Bach'],
};
const employment = { employments: [{ payrollContractId: '1000-1' }, { payrollContractId: '1000-22' }] };
let mirror: Mirror;

beforeAll(async () => {
  for (const [id, [firstName, lastName]] of Object.entries(names)) fake.persons.add({ id, firstName, lastName });
  fake.persons.add({
    id: 'whole',
    academicTitle: 'Dr.',
    titleOfNobility: 'Graf',
    prefixToLastName: 'von der',
    lastName: 'Aue',
    birthName: 'Lüders',
    suffixToLastName: 'jun.',
    employeeNumber: 'E-4711',
    status: 'INACTIVE',
    groups: [{ id: 'sales' }, { id: 'berlin' }],
    ...employment,
  });
  fake.persons.add({ id: 'other', status: 'ACTIVE', groups: [{ id: 'sales-2' }] });
  for (const personId of ['p2', 'P-1']) {
    for (const date of ['2026-02-28', '2026-02-01', '2026-03-01']) fake.timeDays.add({ personId, date, targetTime: 8 });
  }
  mirror = openMirror({ file: ':memory:', source: 'x' });
  await mirror.sync(hr, 'persons');
  await mirror.sync(hr, 'bookings');
});
afterAll(() => mirror.close());

const ofDates = (...dates: string[]) => dates.map((date) => ({ date, targetTime: 8 }));

const idsOf = (query?: PersonQuery): string[] => Array.from(mirror.persons(query), ({ id }) => id);

describe('persons', () => {
  test.each<[string, string[]]>([
    ['Müller', ['P-1', 'p2', 'p3']],
    ['MULLER', ['P-1', 'p3']],
    ['mueller', ['P-1', 'p2']],
    ['Mu\u0308l', ['P-1', 'p2', 'p3']],
    ['jur mül', ['P-1']],
    ['anna', ['p2', 'p3']],
    ['lena anna', ['p2']],
    ['annalena', ['p2']],
    ['Anna-Lena', ['p2']],
    ['nna', []],
    ["o'neill", ['p4']],
    ['neill', ['p4']],
    ['ONeill', ['p4']],
    ['STRAUSS', ['p4']],
    ['lukasz', ['p5']],
    ['sondergard', ['p5']],
    ['Soendergaard', ['p5']],
    ['thora aesir', ['p6']],
    ['isil celik', ['p7']],
    ['νικοσ παπα', ['p8']],
    ['ΝΊΚΟΣ', ['p8']],
    ['Федор', ['p9']],
    ['zoe', ['p\uFFFD', 'p\u{1F600}']],
    ['p-1', ['P-1']],
    ['4711', ['whole']],
    ['e-47', ['whole']],
    ['dr. graf von der aue, jun.', ['whole']],
    // The birth name is not searched: it is private.
    ['lueders', []],
    ["%' OR _", []],
    ['%', []],
    ['aue %', ['whole']],
    ['\u{1F600}', []],
  ])('are found by the beginnings of words, however they are written: %s', (name, ids) => {
    expect(idsOf({ name })).toEqual(ids);
    expect(mirror.countPersons({ name })).toBe(ids.length);
  });

  test.each<[PersonQuery, string[]]>([
    [{ group: 'sales' }, ['whole']],
    [{ group: 'sal' }, []],
    [{ contract: '1000-22' }, ['whole']],
    [{ contract: '1000-2' }, []],
    [{ status: 'ACTIVE' }, ['other']],
    [{ name: 'aue', group: 'berlin', contract: '1000-1', status: 'INACTIVE' }, ['whole']],
    [{ name: 'aue', group: 'sales-2' }, []],
  ])('are found by group, contract and status: %j', (query, ids) => {
    expect(idsOf(query)).toEqual(ids);
  });

  test('come in the order of code points, in pages', async () => {
    const all = (await hr.persons.list()).map(({ id }) => id);
    expect(idsOf()).toEqual(all);
    expect(idsOf({ name: ' ' })).toEqual(all);
    expect(all.slice(-3)).toEqual(['p\uFFFD', 'p\u{1F600}', 'whole']);
    const pages: string[] = [];
    for (let page = idsOf({ limit: 4 }); page.length > 0; page = idsOf({ limit: 4, after: page.at(-1) })) {
      expect(page.length).toBeLessThanOrEqual(4);
      pages.push(...page);
    }
    expect(pages).toEqual(all);
    expect(mirror.countPersons({ limit: 4, after: 'p5' })).toBe(all.length);
  });

  test('change with their names', async () => {
    using own = openMirror({ file: ':memory:', source: 'x' });
    await own.sync(hr, 'persons');
    fake.persons.add({ id: 'P-1', lastName: 'Schmidt', groups: [{ id: 'new' }] });
    await own.sync(hr, 'persons');
    expect(Array.from(own.persons({ name: 'müller' }), ({ id }) => id)).toEqual(['p2', 'p3']);
    expect(Array.from(own.persons({ name: 'schmidt', group: 'new' }), ({ id }) => id)).toEqual(['P-1']);
  });

  test('can be read several times at once, and left', () => {
    const [one, other] = [mirror.persons(), mirror.persons()];
    expect(one.next().value).toEqual(other.next().value);
    for (const { id } of one) if (id === 'p5') break;
    expect([...other]).toHaveLength(mirror.countPersons() - 1);
  });
});

test('time bookings are found by person and days', () => {
  const all = ofDates('2026-02-01', '2026-02-28', '2026-03-01');
  expect([...mirror.bookings()]).toEqual([
    { personId: 'P-1', days: all },
    { personId: 'p2', days: all },
  ]);
  expect([...mirror.bookings({ personId: 'p2', from: '2026-02-02', to: '2026-02-28' })]).toEqual([
    { personId: 'p2', days: ofDates('2026-02-28') },
  ]);
  expect([...mirror.bookings({ from: '2026-03-02' })]).toEqual([]);
});

test('absences match as by the rule of the API', async () => {
  const day = fc.integer({ min: 1, max: 9 }).map((number) => `2026-03-0${number}`);
  const optionalDay = fc.option(day, { nil: undefined });
  const absence = fc.record({ startDate: day, endDate: optionalDay });
  const window = fc.record({ from: optionalDay, to: optionalDay, personId: fc.constantFrom(undefined, 'p2') });
  await fc.assert(
    fc.asyncProperty(
      fc.array(absence, { maxLength: 12 }),
      fc.array(window, { minLength: 5 }),
      async (drawn, windows) => {
        const cloud = mirrorCloud();
        for (const id of ['p1', 'p2']) cloud.fake.persons.add({ id });
        drawn.forEach(({ startDate, endDate }, index) => {
          const personId = index % 3 === 0 ? 'p1' : 'p2';
          cloud.fake.absences.add({ personId, id: `${index}`, startDate, ...(endDate && { endDate }) });
        });
        using own = openMirror({ file: ':memory:', source: 'x' });
        await own.sync(cloud.hr, 'persons');
        await own.sync(cloud.hr, 'absences');
        const all = [...(await cloud.hr.time.absences('p1')), ...(await cloud.hr.time.absences('p2'))];
        for (const { personId, ...days } of windows) {
          const matching = all.filter(
            (each) => matchesAbsenceFilter(each, days) && each.personId === (personId ?? each.personId),
          );
          expect([...own.absences({ personId, ...days })]).toEqual(matching);
        }
      },
    ),
    { numRuns: 30 },
  );
});

test.each<[string, () => unknown]>([
  ['persons: name must have at most 400 characters', () => mirror.persons({ name: 'a '.repeat(2000) })],
  ['persons: limit must be a whole number', () => mirror.persons({ limit: -1 })],
  ['countPersons: unknown condition nme', () => mirror.countPersons({ nme: 'x' } as never)],
  ['bookings: from must be a date YYYY-MM-DD', () => mirror.bookings({ from: '2026-02-30' })],
  ['absences: to must be a date', () => mirror.absences({ to: '1.3.2026' })],
  ['absences: unknown condition person', () => mirror.absences({ person: 'p1' } as never)],
])('a wrong query is refused before it is read: %s', (message, query) => {
  expect(query).toThrow(
    expect.objectContaining({ code: 'invalid-option', message: expect.stringContaining(message) as string }),
  );
});
