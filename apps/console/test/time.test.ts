import { clientCredentials } from '@hr/auth';
import { createHrClient } from '@hr/client';
import { fromMinutes } from '@hr/schemas';
import { startFakeHrCloud } from '@hr/testing/fake';
import fc from 'fast-check';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import { daysOf } from '../src/absences/absences-search.ts';
import { weeksOf } from '../src/model/calendar.ts';
import { timeAccount } from '../src/time/time-routes.ts';
import { intercept } from './intercept.ts';
import { expectAccessible, goTo, openPage, screenWidths, settled } from './open-page.ts';
import { consoleOfFile, startTestConsole } from './start-test-console.ts';

/** The first person of the demo with bookings. */
const PERSON = '100010';

const server = await consoleOfFile();

beforeAll(async () => {
  await vi.waitUntil(() => server.live.health.state === 'current', { timeout: 120_000 });
});

/** `1:30` to 90. */
function minutesOf(text: string): number {
  const [, sign, hours, minutes] = /^([+−]?)(\d+):(\d\d)$/.exec(text) ?? [];
  return (sign === '−' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

// Hours and minutes, as the text of the number has them.
const stated = (value: number | null | undefined): number => {
  const [hours = '0', minutes = ''] = String(value ?? 0).split('.');
  return Number(hours) * 60 + Number(minutes.padEnd(2, '0'));
};

const day = (date: string, minutes: number) => ({
  date,
  targetTime: fromMinutes(462),
  bookedTime: fromMinutes(minutes),
});

test('days and sums are those of the service, the arrow keys choose a day, and a name a person', async () => {
  const baseUrl = inject('demoUrl');
  const auth = clientCredentials({ baseUrl, clientId: 'demo', clientSecret: 'demo-secret' });
  const all = await createHrClient({ baseUrl, auth }).time.bookings({ from: '2026-10-01', to: '2026-10-31' });
  const days = all.find(({ personId }) => personId === PERSON)?.days ?? [];
  const expected = days.map(({ date, targetTime, bookedTime, chargeableTime, bookings }) => ({
    date,
    bookings: (bookings ?? []).map(({ time, key }) => `${time.slice(11, 16)} (${key})`).join(', '),
    times: [
      stated(targetTime),
      stated(bookedTime),
      stated(chargeableTime),
      stated(chargeableTime ?? bookedTime) - stated(targetTime),
    ],
  }));

  await using opened = await openPage(server, { path: '/time' });
  const { page, requests } = opened;
  expect([...new Set(requests.filter((request) => request.includes('/bff/time')))]).toEqual(['GET /bff/time']);
  const table = page.getByRole('region', { name: /^Days of/ });
  const shown = await table.locator('[data-date]').evaluateAll((rows) =>
    rows.map((row) => ({
      date: row.getAttribute('data-date'),
      bookings: [...row.querySelectorAll<HTMLElement>('td:nth-child(3) > span > span:not([data-absent])')]
        .map(({ innerText }) => innerText)
        .join(', '),
      times: [...row.querySelectorAll<HTMLElement>('[data-time]')].map((cell) => cell.innerText),
    })),
  );
  expect(shown).toHaveLength(31);
  // What counts of an absence is its target.
  const absent = [...server.cloud.mirror.absences({ personId: PERSON, from: '2026-10-01', to: '2026-10-31' })];
  const isAbsent = (date: string): boolean =>
    absent.some(({ startDate, endDate }) => startDate <= date && date <= (endDate ?? date));
  const markers = page.locator('[data-day]:has([data-absent])');
  const marked = await markers.evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-day') ?? ''));
  expect(marked).toEqual(shown.map(({ date }) => date ?? '').filter(isAbsent));
  expect(marked).not.toEqual([]);
  const ofAbsences = expected.filter(({ date, times: [target] }) => isAbsent(date) && target !== 0);
  expect(ofAbsences.map(({ times: [, , , difference] }) => difference)).toEqual(ofAbsences.map(() => 0));
  const withTimes = shown.filter(({ times }) => times.some((text) => text !== ''));
  expect(withTimes.map((row) => ({ ...row, times: row.times.map(minutesOf) }))).toEqual(expected);

  const sums = await table.locator('[data-sum]:last-child [data-time]').allInnerTexts();
  expect(sums.map(minutesOf)).toEqual(
    [0, 1, 2, 3].map((column) => expected.reduce((sum, { times }) => sum + (times[column] ?? 0), 0)),
  );
  expect(await page.getByLabel('Sums of the month').locator('dd').allInnerTexts()).toEqual(sums);

  await page.locator('[data-day="2026-10-30"]').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(/day=2026-10-22/);
  await page.getByRole('heading', { name: 'Thu 22 Oct' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-day'))).toBe('2026-10-22');
  const marks = expected.find(({ date }) => date === '2026-10-22')?.bookings.split(', ') ?? [];
  const strip = page.getByRole('img', { name: /^Bookings on 22 Oct 2026/ });
  expect(await strip.locator('[class*=mark]').count()).toBe(marks.length);
  await page.keyboard.press('End');
  await page.getByRole('region', { name: 'Day' }).getByText('No data for this day').first().waitFor();
  expect([...new Set(requests.filter((request) => request.includes('/bff/time')))]).toEqual(['GET /bff/time']);

  // A name without accents finds a person.
  const field = page.getByRole('combobox', { name: 'Person' });
  await field.fill('matthias ROTH');
  await page.getByRole('option', { name: /^Matthias Roth/ }).waitFor();
  await field.fill('schroeder hannah');
  await page.getByRole('option', { name: /^Hannah Schröder/ }).waitFor();
  await field.fill('20001');
  await page.getByRole('option', { name: /^Matthias Roth/ }).waitFor();
  await expect.poll(async () => await page.getByRole('option').count()).toBe(1);
  // Options that are drawn after the key are not selected.
  await expect
    .poll(async () => {
      await page.keyboard.press('ArrowDown');
      return page.getByRole('option').getAttribute('data-combobox-selected');
    })
    .toBe('true');
  await page.keyboard.press('Enter');
  await page.waitForURL(/person=100001/);
});

test('each state is accessible in both themes, in German too', async () => {
  await using opened = await openPage(server, { path: `/time?person=${PERSON}`, locale: 'de-DE' });
  const { page } = opened;
  const check = async (): Promise<void> => {
    await expectAccessible(page);
  };
  const show = async (path: string, title: string): Promise<void> => {
    await goTo(page, path);
    await page.getByText(title).first().waitFor();
    await settled(page);
    await check();
  };
  await page.getByRole('heading', { name: 'Monatskalender' }).waitFor();
  await check();
  await page.getByRole('radio', { name: 'Differenz' }).focus();
  await page.keyboard.press('Space');
  await check();
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(() => screenWidths(page)).toEqual([360, 360]);
  await show(`/time?person=${PERSON}&month=2020-01`, 'Keine Zeitdaten in diesem Monat');
  await page.getByText(/^Die ersten Daten liegen im /).waitFor();
  await show(`/time?person=${PERSON}&month=2099-01`, 'Keine Zeitdaten in diesem Monat');
  await page.getByRole('button', { name: /^Oktober 2026 anzeigen$/ }).click();
  await page.waitForURL(/month=2026-10/);
  await page.getByRole('heading', { name: 'Monatskalender' }).waitFor();
  await show('/time?person=100001', 'Keine Zeitbuchungen für diese Person');
  await show('/time?person=nobody', 'Nicht gefunden.');
  await intercept(page, '/bff/time*', () => undefined);
  await goTo(page, `/time?person=${PERSON}&month=2020-02`);
  await page.locator('#content [aria-busy=true]').waitFor();
  await check();
});

test('each month has its days and absences, whatever its length', async () => {
  const ask = server.signIn();
  const month = fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((instant) => instant.toISOString().slice(0, 7));
  const shownMonth = async (asked: string): Promise<unknown> =>
    ((await (await ask(`/bff/time?person=${PERSON}&month=${asked}`)).json()) as { month?: string }).month;
  await fc.assert(
    fc.asyncProperty(month, async (asked) => {
      expect(await shownMonth(asked)).toBe(asked);
    }),
    { examples: [['2026-11'], ['2024-02'], ['9999-12']], numRuns: 30 },
  );
  for (const range of [undefined, 'quarter'] as const) {
    fc.assert(
      fc.property(month, (asked) => {
        const { from, to } = daysOf(asked, range);
        for (const date of [from, to]) expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
        expect(from.slice(0, 7) <= asked && asked <= to.slice(0, 7)).toBe(true);
      }),
      { examples: [['9999-12']] },
    );
  }
});

test('a time recording that is too old is named with both versions', async () => {
  await using fake = await startFakeHrCloud();
  fake.state('an outdated time component', { version: '63.11.9' });
  const settings = { HR_BASE_URL: fake.url, HR_CLIENT_ID: fake.clientId, HR_CLIENT_SECRET: fake.clientSecret };
  await using old = await startTestConsole(settings);
  await expect(old.cloud.sync('bookings')).rejects.toMatchObject({ status: 409 });
  await using opened = await openPage(old, { path: '/time' });
  const { page } = opened;
  await page.getByText('The time recording of this environment is too old').waitFor();
  await page.getByText('Its version is 63.11.9. Time bookings need version 63.11.20 or newer.').waitFor();
  await expectAccessible(page);
});

test('minutes add up, what is missing stays missing, and bad times are named', () => {
  const { days, sums, weeks } = timeAccount('2026-02', [
    day('2026-02-01', 45),
    day('2026-02-02', 50),
    { date: '2026-02-03', targetTime: 1.75, bookings: [{ time: '2026-02-04T00:10:30', key: 'x' }] },
    // A day without booked time: the sums count its target, and so does their difference.
    { date: '2026-02-04', targetTime: 1, bookings: [] },
  ]);
  expect(sums).toEqual({ target: 984, booked: 95, chargeable: undefined, difference: 95 - 984 });
  expect(weeks.map((week) => [week.number, week.sums.booked])).toEqual([
    [5, 45],
    [6, 50],
    [7, undefined],
    [8, undefined],
    [9, undefined],
  ]);
  expect(days[2]).toEqual({
    date: '2026-02-03',
    invalid: [1.75],
    bookings: [{ time: '00:10:30', minute: 10, key: 'x', date: '2026-02-04' }],
    isLacking: false,
  });
  const [absence] = timeAccount('2026-02', [
    { date: '2026-02-05', targetTime: 7.42, bookedTime: 0, chargeableTime: 7.42 },
  ]).days;
  expect(absence).toMatchObject({ target: 462, booked: 0, difference: 0 });
  expect(weeksOf('2027-01').map((week) => week.number)).toEqual([53, 1, 2, 3, 4]);
});
