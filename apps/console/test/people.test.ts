import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { listedPerson, mergePeople, type ListedPerson, type PeopleScreen } from '../src/people/directory.ts';
import { DirectoryVersions } from '../src/people/people-routes.ts';
import { intercept } from './intercept.ts';
import { announceUntil, expectAccessible, openPage, screenWidths, settled } from './open-page.ts';
import { consoleOfFile } from './start-test-console.ts';

const server = await consoleOfFile();

const TEN_THOUSAND = 10_000;
const names = ['Müller', 'Roth', "O'Neill", 'Østergaard', 'Weiß', 'Łukasz', 'Schmidt', 'Lo Presti', 'Yıldız', 'Nguyễn'];

/** The response for a company of 10,000, made by the code of the backend, with other last names for some ids. */
function manyPeople(lastNames: Readonly<Record<string, string>> = {}): { readonly rows: ListedPerson[] } {
  const rows = Array.from({ length: TEN_THOUSAND }, (_, index) =>
    listedPerson({
      id: String(index),
      lastName: lastNames[index] ?? names[index % names.length],
      firstName: `Anna${index}`,
      employeeNumber: String(index).padStart(6, '0'),
      jobTitle: 'Engineer',
      usualPlaceOfWork: index % 2 === 0 ? 'Köln' : 'Hamburg',
      status: index % 4 === 0 ? 'INACTIVE' : 'ACTIVE',
      groups: [{ id: index % 3 === 0 ? 'sales' : 'works' }],
    }),
  );
  return { rows };
}

test('the directory of 10,000 people works by keyboard, and has few rows in the page', async () => {
  await using opened = await openPage(server);
  const { page, requests } = opened;
  await intercept(page, '/bff/people', (request) => request.respond(manyPeople()));
  requests.length = 0;
  await page.getByRole('link', { name: 'People' }).click();
  await settled(page);
  const grid = page.getByRole('grid');
  const rows = grid.getByRole('row');
  const focused = (index: number): Locator => grid.locator(`[role=row][aria-rowindex="${index}"]:focus`);
  expect(await grid.getAttribute('aria-rowcount')).toBe('10001');
  expect(await rows.count()).toBeLessThan(50);
  // Today, the screen before, may still read a change.
  expect(requests.filter((request) => !request.includes('today'))).toEqual(['GET /bff/people']);

  await page.keyboard.press('/');
  for (const query of ['muel 000000', 'Muller anna0', 'mül anna0']) {
    // oxlint-disable-next-line no-await-in-loop -- one search after the other
    await page.getByPlaceholder('Search people').fill(query);
    // oxlint-disable-next-line no-await-in-loop
    await page.getByText('1 of 10,000', { exact: true }).waitFor();
  }
  expect(await grid.locator('mark').allTextContents()).toEqual(['Mül', 'Anna0']);
  await page.waitForURL(/q=m%C3%BCl/);
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await page.waitForURL(({ searchParams }) => !searchParams.has('q'));
  // The list follows the search later than the address does.
  await page.getByText('10,000 of 10,000').waitFor();

  await page.getByPlaceholder('Search people').press('ArrowDown');
  await page.keyboard.press('End');
  await focused(10001).waitFor();
  await page.keyboard.press('ArrowUp');
  await focused(10000).waitFor();
  expect(await rows.count()).toBeLessThan(50);
  await page.keyboard.press('Home');
  await focused(2).waitFor();
  await page.keyboard.press('PageDown');
  await focused(18).waitFor();

  await page.getByLabel('Group', { exact: true }).selectOption('sales');
  await page.getByRole('columnheader', { name: 'Number' }).getByRole('button').click();
  await page.getByText('3,334 of 10,000').waitFor();
  await page.reload();
  await settled(page);
  await page.getByText('3,334 of 10,000').waitFor();
  expect(await page.getByRole('columnheader', { name: 'Number' }).getAttribute('aria-sort')).toBe('ascending');

  await page.getByPlaceholder('Search people').fill('nobody');
  await page.getByText('Nobody matches').waitFor();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await page.getByText('10,000 of 10,000').waitFor();
});

test('the focus stays with its person when the list changes, and goes to the next one when the person is gone', async () => {
  let response = manyPeople();
  await using opened = await openPage(server, {
    path: '/people',
    prepare: (page) => intercept(page, '/bff/people', (request) => request.respond(response)),
  });
  const { page } = opened;
  const focused = page.locator('[role=row]:focus');
  await page.getByRole('row', { name: /Lo Presti, Anna17 0/ }).focus();
  await page.keyboard.press('ArrowDown');
  expect(await focused.innerText()).toContain('Lo Presti, Anna27');

  // It is the last of all now, far out of sight.
  response = manyPeople({ 27: 'Zz', 7: 'Aa' });
  await announceUntil(server, page.getByText('Aa, Anna7', { exact: true }));
  expect(await focused.innerText()).toContain('Zz, Anna27');
  expect(await focused.getAttribute('aria-rowindex')).toBe('10001');

  response = { rows: response.rows.filter(({ id }) => id !== '27') };
  await announceUntil(server, page.getByText('9,999 of 9,999'));
  await expect.poll(() => focused.innerText()).toContain('Yıldız, Anna9998');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => focused.getAttribute('aria-rowindex')).toBe('9999');
});

test('a name leaves out what would turn the text beside it', () => {
  const { name, fullName } = listedPerson({ id: '1', lastName: 'Roth\u202E', firstName: '\u2067Jana' });
  expect([name, fullName]).toEqual(['Roth, Jana', 'Jana Roth']);
});

test('after any changes, a page that reads only them has the same people as a new one', () => {
  const ids = fc.constantFrom('1', '2', '10', 'ä', '😀');
  const change = fc.record({ id: ids, lastName: fc.option(fc.constantFrom('Roth', 'Weiß'), { nil: undefined }) });
  /** Changes between two reads; without any, another backend has taken over. */
  const steps = fc.array(fc.option(fc.array(change, { maxLength: 4 }), { nil: undefined }), { maxLength: 12 });
  fc.assert(
    fc.property(steps, fc.array(fc.boolean()), (all, reads) => {
      let versions = new DirectoryVersions();
      const persons = new Map<string, ListedPerson>();
      let page: PeopleScreen | undefined;
      for (const [step, changes] of all.entries()) {
        if (changes === undefined) versions = new DirectoryVersions();
        for (const { id, lastName } of changes ?? []) {
          if (lastName === undefined) persons.delete(id);
          else persons.set(id, listedPerson({ id, lastName }));
        }
        versions.update(persons.values());
        if (reads[step] === false) continue;
        page = mergePeople(page, versions.since(page?.version));
        expect(page).toEqual(versions.since(undefined));
      }
    }),
  );
});

test('after a change that the directory does not show, a page reads nothing of it', async () => {
  await using opened = await openPage(server, { path: '/people' });
  const { page } = opened;
  const read: PeopleScreen[] = [];
  await intercept(page, '/bff/people', (request) =>
    request.forward((body) => {
      read.push(JSON.parse(body) as PeopleScreen);
      return body;
    }),
  );
  // The page may not listen to changes yet.
  const announced = async (): Promise<number> => {
    server.live.announce('persons');
    return read.length;
  };
  await expect.poll(announced).toBeGreaterThan(0);
  expect(read[0]).toEqual({ version: expect.any(String), rows: [], deleted: [] });
});

test('the side panel has an address, and Enter opens the person', async () => {
  await using opened = await openPage(server, { path: '/people?q=Roth%20Matthias' });
  const { page, requests } = opened;
  const row = page.getByRole('grid').getByRole('row', { name: /Roth, Matthias/ });
  await row.focus();
  requests.length = 0;
  await page.keyboard.press(' ');
  const panel = page.getByRole('complementary', { name: 'Side panel: Matthias Roth' });
  await panel.getByText('20001', { exact: true }).waitFor();
  await page.reload();
  await panel.getByRole('link', { name: 'matthias.roth@example.com' }).waitFor();
  expect(await row.getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  requests.length = 0;
  await row.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Matthias Roth' }).waitFor();
  await page.goBack();
  await row.waitFor();
  // The panel has read the person before.
  expect(requests).toEqual([]);
});

test('the export has the people in view, in the form of a German spreadsheet', async () => {
  await using opened = await openPage(server, { path: '/people?q=Roth%20Matthias', locale: 'de-DE' });
  const { page } = opened;
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV-Export (1)' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^personen-\d{4}-\d{2}-\d{2}\.csv$/);
  const [head, row] = (await readFile(await download.path(), 'utf8')).split('\r\n');
  expect(head).toMatch(/^\uFEFFPersonen-ID;Nachname;Vorname;Personalnummer;/);
  expect(row).toContain('"=""100001""";Roth;Matthias;"=""20001""";Geschäftsführer;');
  expect(row).toContain(';Aktiv;2022-02-01;;');
  expect(server.records.events()[0]).toMatchObject({ action: 'export', user: 'Mara Demo' });
});

test('the directory is accessible in every state, both themes and on a phone', async () => {
  await using opened = await openPage(server, { path: '/people?person=100001' });
  const { page } = opened;
  await page.getByRole('complementary').getByText('20001', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.keyboard.press('Escape');
  await expectAccessible(page);
  expect(await screenWidths(page)).toEqual([360, 360]);
  // Rows grow with the text.
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  const overlaps = async (): Promise<number[]> =>
    await page.locator('[role=row][data-index]').evaluateAll((rows) => {
      const lines = rows.map((row) => row.getBoundingClientRect());
      return lines.map(({ bottom }, index) => bottom - (lines[index + 1]?.top ?? bottom)).filter((room) => room > 1);
    });
  await expect.poll(overlaps).toEqual([]);
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  await page.getByPlaceholder('Search people').fill('xyz');
  await page.getByText('Nobody matches').waitFor();
  await expectAccessible(page);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await intercept(page, '/bff/people', async (request) => {
    await held;
    await request.respond({ code: 'service-unavailable', detail: '' }, 503);
  });
  await page.goto(`${server.origin()}/people`);
  await page.locator('[aria-busy=true]').waitFor();
  await expectAccessible(page);
  release();
  await page.getByText('The service does not answer').waitFor();
  await expectAccessible(page);
  await intercept(page, '/bff/people', (request) => request.respond({ currentAt: '2026-11-02T08:00:00Z', rows: [] }));
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('There are no people yet').waitFor();
  await expectAccessible(page);
});

test('the palette finds people and actions by keyboard, and says how many', async () => {
  await using opened = await openPage(server);
  const { page, requests } = opened;
  requests.length = 0;
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const field = page.getByRole('combobox', { name: 'Search people, pages and actions' });
  await field.fill('ostergaard as');
  await page.getByRole('option', { name: /Åse Østergaard/ }).waitFor();
  await page
    .getByRole('status')
    .getByText(/^1 person, 0 pages and actions$/)
    .waitFor();
  expect(requests).toContain('GET /bff/people');
  await expectAccessible(page);
  await field.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Åse Østergaard' }).waitFor();

  await page.keyboard.press('Control+k');
  await field.fill('new sea');
  await field.press('Enter');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('placeholder')))
    .toBe('Search people');
  await page.keyboard.press('Control+k');
  await field.fill('deutsch');
  await field.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Personen' }).waitFor();
});
