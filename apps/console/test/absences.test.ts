import { beforeAll, expect, test } from 'vitest';
import type { AbsentPerson } from '../src/absences/absence-days.ts';
import { absencesCsv, type AbsencesScreen } from '../src/absences/absences-routes.ts';
import { barsOf } from '../src/components/bars.ts';
import { dictionaryOf } from '../src/model/labels.ts';
import { intercept } from './intercept.ts';
import { expectAccessible, goTo, openPage, screenWidths, settled, type TestPage } from './open-page.ts';
import { consoleOfFile, type BffCaller } from './start-test-console.ts';

const NOW = '2026-11-23T09:00:00+01:00';
const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' };

const server = await consoleOfFile();
let bff: BffCaller;

beforeAll(async () => {
  bff = server.signIn();
  await server.cloud.sync('persons');
});

async function read(query: string): Promise<AbsencesScreen> {
  const response = await bff(`/bff/absences?${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as AbsencesScreen;
}

/** Opens the screen on 23 November 2026. With data, the backend is not asked. */
async function open(path: string, data?: Partial<AbsencesScreen>): Promise<TestPage> {
  const opened = await openPage(server, {
    path,
    now: NOW,
    prepare: async (page) => {
      if (data) await intercept(page, '/bff/absences', (request) => request.respond({ ...empty, ...data }));
    },
  });
  opened.requests.length = 0;
  return opened;
}

type ScreenResponse = AbsencesScreen | 'fail';

const empty: AbsencesScreen = {
  ...NOVEMBER,
  syncedAt: NOW,
  choices: { manager: [], group: [], entity: [], place: [], status: [] },
  people: [],
  nearest: undefined,
};
const people: AbsentPerson[] = [
  { id: '1', name: 'Ada Ende', absences: [{ id: 'a', startDate: '2026-11-10', key: '51' }] },
  {
    id: '2',
    name: 'Bo Rand',
    absences: [
      { id: 'a', startDate: '2026-10-20', endDate: '2026-11-03', amount: 7.5, key: '40' },
      { id: 'b', startDate: '2026-11-02', endDate: '2026-11-04', amount: 3 },
      { id: 'c', startDate: '2026-11-28', endDate: '2026-12-24', amount: 18, key: '40' },
    ],
  },
  { id: '3', name: 'Cem Da', absences: [] },
];

test('a time range has the absences that the service lists for it, and everybody', async () => {
  const { people: all, choices } = await read('from=2026-11-01&to=2026-11-30');
  expect(all).toHaveLength(server.cloud.mirror.countPersons());
  expect(choices.group.map(({ value }) => value)).toContain('logistik');
  const absences = all.flatMap((person) => person.absences);
  // Absences that reach over either end, and some without an end.
  expect(absences.some(({ startDate }) => startDate < NOVEMBER.from)).toBe(true);
  expect(absences.some(({ endDate = '' }) => endDate > NOVEMBER.to)).toBe(true);
  expect(absences.some(({ endDate }) => endDate === undefined)).toBe(true);
  for (const { id, absences: shown } of all.filter((_, index) => index % 10 === 0)) {
    // oxlint-disable-next-line no-await-in-loop -- the service is not the subject of the test
    const listed = await server.cloud.hr.time.absencesOverlapping(id, NOVEMBER);
    expect(shown.map((absence) => ({ ...absence, personId: id }))).toEqual(listed);
  }
});

test('filters find names without accents, groups and states', async () => {
  const one = [...server.cloud.mirror.persons({ status: 'ACTIVE' })].find(({ lastName }) => lastName?.includes('ü'));
  const [name, group] = [one?.lastName ?? '', one?.groups?.[0]?.id ?? ''];
  const plain = name.replaceAll('ü', 'u');
  const { people: found } = await read(`from=2026-11-01&to=2026-11-30&name=${plain}&status=ACTIVE&group=${group}`);
  const expected = [...server.cloud.mirror.persons({ name, status: 'ACTIVE', group })];
  expect(expected.length).toBeGreaterThan(0);
  expect(found.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id));
});

test.for([
  ['from=2026-11-30&to=2026-11-01', '/to'],
  ['from=2026-01-01&to=2027-01-02', '/to'],
  ['from=2026-02-30&to=2026-03-01', '/from'],
  ['to=2026-03-01', '/from'],
])('%s is invalid', async ([query, pointer]) => {
  const response = await bff(`/bff/absences?${query}`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'invalid-input', errors: [{ pointer }] });
});

test('the CSV has the people of the filters, and is recorded', async () => {
  const response = await bff('/bff/absences/csv?from=2026-11-01&to=2026-11-30&day=2026-11-23&locale=de&group=it');
  expect(response.headers.get('content-disposition')).toContain('absences-2026-11-01-2026-11-30.csv');
  const [header, ...lines] = Buffer.from(await response.arrayBuffer())
    .toString()
    .trimEnd()
    .split('\r\n');
  expect(header).toBe(
    '\uFEFFPersonen-ID;Personalnummer;Name;Abwesenheits-ID;Von;Bis;Menge;Buchungsschlüssel;Bezeichnung des Buchungsschlüssels',
  );
  const { people: group } = await read('from=2026-11-01&to=2026-11-30&group=it');
  const away = group.filter(({ absences }) =>
    absences.some(({ startDate, endDate = '9' }) => startDate <= '2026-11-23' && endDate >= '2026-11-23'),
  );
  expect(lines).toHaveLength(away.flatMap(({ absences }) => absences).length);
  expect(server.records.events()[0]).toMatchObject({ user: 'Mara Demo', action: 'export' });
});

test('a spreadsheet runs no formula of the CSV, and gets its decimal sign', () => {
  const rows = [
    { id: '=1+1', name: '＝cmd', absences: [{ id: '-2', startDate: '2026-11-02', amount: -7.5, key: '@x' }] },
    { id: 'b', name: 'Al-Ahmad', absences: [] },
  ];
  const names = dictionaryOf([{ kind: 'bookingKey', key: '@x', en: '=A1', de: '', color: '' }], 'de');
  expect(absencesCsv(rows, 'de', names).trimEnd().split('\r\n').slice(1)).toEqual([
    `'=1+1;;'＝cmd;'-2;2026-11-02;;"-7,5";'@x;'=A1`,
    'b;;Al-Ahmad;;;;;;',
  ]);
  expect(absencesCsv(rows, 'en', names)).toContain("'=1+1,,'＝cmd,'-2,2026-11-02,,-7.5,'@x,'=A1");
});

test('absences that overlap are below each other', () => {
  const bars = barsOf(people[1]?.absences ?? [], NOVEMBER.from, NOVEMBER.to);
  expect(bars).toMatchObject([
    { lane: 0, start: 0, end: 3, next: 27, startsBefore: true, endsAfter: false },
    { lane: 1, start: 1, end: 4, next: 30, startsBefore: false, endsAfter: false },
    { lane: 0, start: 27, end: 30, next: 30, startsBefore: false, endsAfter: true },
  ]);
});

test('the address keeps range, filters and day, and each costs one request at most', async () => {
  await using opened = await open('/absences');
  const { page, requests } = opened;
  await page.getByRole('heading', { name: 'Nov 2026' }).waitFor();
  const day = page.getByRole('button', { name: /^Wed,? 25 Nov, \d+ away$/ });
  const [count] = /\d+(?= away)/.exec((await day.textContent()) ?? '') ?? [];
  await day.click();
  await page.getByText(new RegExp(`^${count} away on Wed,? 25 Nov$`)).waitFor();
  await page.getByRole('link', { name: `Export CSV (${count})` }).waitFor();
  expect(requests).toEqual([]);

  await page.reload();
  await settled(page);
  await page.getByRole('link', { name: `Export CSV (${count})` }).waitFor();
  requests.splice(0, requests.length);
  await page.getByRole('button', { name: 'Next month' }).click();
  await page.getByRole('heading', { name: 'Dec 2026' }).waitFor();
  await page.getByText('Quarter', { exact: true }).click();
  await page.getByRole('heading', { name: 'Q4 2026' }).waitFor();
  await page.getByLabel('Person').fill('mueller');
  await page.getByText(/^\d people, \d with absences$/).waitFor();
  await page.getByLabel('Group').selectOption('produktion');
  await settled(page);
  expect(requests).toEqual([
    'GET /bff/absences?from=2026-12-01&to=2026-12-31',
    'GET /bff/absences?from=2026-10-01&to=2026-12-31',
    'GET /bff/absences?from=2026-10-01&to=2026-12-31&name=mueller',
    'GET /bff/absences?from=2026-10-01&to=2026-12-31&name=mueller&group=produktion',
  ]);
  expect(page.url()).toContain('/absences?month=2026-12&range=quarter&name=mueller&group=produktion');
});

test('a time range without absences leads to the nearest one that has some', async () => {
  await using opened = await open('/absences?month=2099-01&name=roth');
  const { page } = opened;
  const { people: roths } = await read('from=2020-01-01&to=2020-12-31&name=roth');
  const ends = roths.flatMap(({ id }) =>
    Array.from(server.cloud.mirror.absences({ personId: id }), ({ startDate, endDate }) => endDate ?? startDate),
  );
  const { nearest = '' } = await read('from=2099-01-01&to=2099-01-31&name=roth');
  expect(nearest).toBe(ends.toSorted().at(-1)?.slice(0, 7));
  await page.getByRole('button', { name: /^Go to / }).click();
  await page.waitForURL(new RegExp(`month=${nearest}|/absences\\?name=roth`));
  await page.getByRole('grid').getByRole('button', { name: /^Key / }).first().waitFor();
  expect(await page.getByRole('button', { name: /^Go to / }).count()).toBe(0);
});

test('the keyboard moves between people and absences, opens details, and reaches the last of 10,000 people', async () => {
  await using opened = await open('/absences', { people });
  const { page } = opened;
  await page.getByRole('link', { name: 'Ada Ende' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  const last = page.getByRole('button', { name: 'Key 40, 28 Nov 2026 to 24 Dec 2026' });
  await expect.poll(() => last.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  const details = page.getByRole('dialog', { name: 'Details of the absence' });
  expect(await details.innerText()).toMatch(/Bo Rand[^]+28 Nov 2026 to 24 Dec 2026[^]+40[^]+18 \(without a unit\)/);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await details.waitFor({ state: 'detached' });
  await expect.poll(() => last.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('ArrowUp');
  const open51 = page.getByRole('button', { name: 'Key 51, from 10 Nov 2026, open end' });
  await expect.poll(() => open51.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await open51.innerText()).toMatch(/51\s*open/);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/people/1');

  // Few of 10,000 people are in the page.
  const many = Array.from({ length: 10_000 }, (_, index) => ({ ...people[index % 3], id: `${index}` }) as AbsentPerson);
  await intercept(page, '/bff/absences', (request) => request.respond({ ...empty, people: many }));
  await goTo(page, '/absences?name=x');
  await page.getByText('10,000 people').waitFor();
  expect(await page.getByRole('row').count()).toBeLessThan(50);
  await page.getByRole('link', { name: 'Ada Ende' }).first().focus();
  await page.keyboard.press('Control+End');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[data-index]')?.getAttribute('data-index')))
    .toBe('9999');
  expect(await page.getByRole('row').count()).toBeLessThan(50);
  await page.getByText('Table', { exact: true }).click();
  expect(await page.getByRole('row').count()).toBeLessThan(50);
});

test('each state is accessible in both themes, and German', async () => {
  await using opened = await openPage(server, {
    locale: 'de-DE',
    now: NOW,
    path: '/absences?month=2026-12',
    viewport: { width: 360, height: 740 },
  });
  const { page } = opened;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let respond = { ...empty, people } as ScreenResponse;
  await intercept(page, '/bff/absences', async (request) => {
    await held;
    if (respond === 'fail') await request.respond({ code: 'service-unavailable', detail: '' }, 503);
    else await request.respond(respond);
  });
  const states: readonly (readonly [string, ScreenResponse, string])[] = [
    ['/absences', { ...empty, people }, '3 Personen, 2 mit Abwesenheiten'],
    ['/absences?range=quarter', { ...empty, to: '2027-01-31', people }, 'Ada Ende'],
    ['/absences?day=2026-11-23', { ...empty, people }, '1 abwesend am Mo., 23.11.'],
    ['/absences?view=table', { ...empty, people }, 'Keine Abwesenheiten'],
    ['/absences?name=x', empty, 'Keine Person gefunden'],
    ['/absences?name=x&day=2026-11-24', empty, 'Niemand ist am Di., 24.11. abwesend'],
    ['/absences?name=y', { ...empty, syncedAt: undefined, people }, 'Den Grund nennt die Seite System.'],
    ['/absences?name=z', 'fail', 'Der Dienst antwortet nicht'],
  ];
  const check = async (): Promise<void> => {
    await expectAccessible(page);
    expect(await screenWidths(page)).toEqual([360, 360]);
  };
  await page.reload();
  await page.locator('#content [aria-busy=true]').waitFor();
  await check();
  release();
  // oxlint-disable no-await-in-loop -- one page shows one state after the other
  for (const [path, response, text] of states) {
    respond = response;
    await goTo(page, path);
    await page.locator('#content').getByText(text).first().waitFor();
    // The state before shows paler until then, and may have the same text.
    await settled(page);
    await check();
  }
  // oxlint-enable no-await-in-loop
});
