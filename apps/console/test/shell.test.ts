import { expect, test } from 'vitest';
import { browser, expectAccessible, openPage, settled } from './open-page.ts';
import { consoleOfFile } from './start-test-console.ts';

/** What a browser may load of the pages for the first screen, in kB, as the backend sends it. */
const FIRST_SCREEN_KB = { min: 220, max: 288 };

const server = await consoleOfFile();

test('the first screen keeps its budget', async () => {
  await using opened = await openPage(server);
  const resources = await opened.page.evaluate(
    () => performance.getEntriesByType('resource') as PerformanceResourceTiming[],
  );
  // Names with letters of other languages load further files of the font.
  const loaded = resources.filter(({ name }) => /\/assets\/(?!inter-(?!latin-wght))/.test(name));
  const total = loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000;
  const files = loaded
    .toSorted((one, other) => other.encodedBodySize - one.encodedBodySize)
    .map(({ name, encodedBodySize }) => `  ${(encodedBodySize / 1000).toFixed(1)} kB ${name}\n`);
  expect(
    total,
    `Too heavy. If it is worth it, raise the budget. The first screen loads\n${files.join('')}`,
  ).toBeLessThan(FIRST_SCREEN_KB.max);
  expect(total, `Lower the budget to about ${total} kB`).toBeGreaterThan(FIRST_SCREEN_KB.min);
});

test('a link signs in once', async () => {
  const link = server.link();
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(link);
  await settled(page);
  expect(page.url()).toBe(`${server.origin()}/`);
  const other = await browser.newPage();
  await other.goto(link);
  await other.getByRole('heading', { name: /sign in|anmelden/i }).waitFor();
  await other.getByText(/This link was used already|Dieser Link wurde bereits verwendet/).waitFor();
  await context.close();
  await other.close();
});

test('after the sign-out, the Back button of the browser shows nothing of a person', async () => {
  await using opened = await openPage(server, { path: '/people?q=Roth' });
  const { page, requests } = opened;
  await page.getByRole('grid').getByText('Roth, Matthias').waitFor();
  await page.goto(`${server.origin()}/people/100001`);
  await page.getByRole('heading', { level: 1, name: 'Matthias Roth' }).waitFor();
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const signIn = page.getByRole('heading', { name: 'Sign in' });
  await signIn.waitFor();
  requests.length = 0;
  for (const path of ['/people/100001', '/people?q=Roth']) {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    await page.goBack();
    // oxlint-disable-next-line no-await-in-loop
    await page.waitForURL(`${server.origin()}${path}`);
    // oxlint-disable-next-line no-await-in-loop
    await signIn.waitFor();
    // oxlint-disable-next-line no-await-in-loop
    expect(await page.content()).not.toContain('Roth');
  }
  expect(new Set(requests)).toEqual(new Set(['GET /bff/session']));
});

test('the shell is accessible, with a screen that cannot be loaded too', async () => {
  await using opened = await openPage(server);
  const { page } = opened;
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByPlaceholder('Search people, pages and actions').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  // A screen that cannot be loaded leaves the navigation.
  await page.route('**/assets/time-screen-*.js', (route) => route.abort());
  await page.getByRole('link', { name: 'Time', exact: true }).click();
  await page.getByRole('heading', { name: 'This screen cannot be shown' }).waitFor();
  await expectAccessible(page);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Time' }).waitFor();
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
});

test('every address shows a screen, or says in the language of the person that there is none', async () => {
  await using opened = await openPage(server, { locale: 'de-DE' });
  const { page } = opened;
  const missing = 'Diese Seite gibt es nicht';
  const nonsense = ['month', 'day', 'from', 'to', 'since', 'tab', 'view', 'state', 'period', 'sort', 'desc', 'range']
    .map((name) => `${name}=bogus`)
    .join('&');
  for (const [path, title] of [
    [`/?${nonsense}`, 'Heute'],
    [`/people?${nonsense}`, 'Personen'],
    [`/people/100001?${nonsense}`, 'Matthias Roth'],
    [`/payments?${nonsense}`, 'Zahlungen'],
    [`/absences?${nonsense}`, 'Abwesenheiten'],
    [`/time?${nonsense}`, 'Zeiten'],
    [`/time?month=2026-13&day=2026-02-30`, 'Zeiten'],
    [`/contracts/1000-20001?${nonsense}`, 'Vertrag 1000-20001'],
    [`/system?${nonsense}`, 'System'],
    [`/api?${nonsense}`, 'Schnittstelle'],
    ['/nope', missing],
    ['/people/1/2/3', missing],
    ['/%ZZ', missing],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one page after the other
    await page.goto(`${server.origin()}${path}`);
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await settled(page);
    expect([path, await page.getByRole('alert').allInnerTexts()]).toEqual([path, []]);
    // oxlint-enable no-await-in-loop
  }
  await expectAccessible(page);
});
