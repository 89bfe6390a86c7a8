import { expect, test } from 'vitest';
import { consoleInBrowser } from './console-in-browser.ts';
import { expectAccessible, openPage, settled } from './open-page.ts';

const { server, browser } = await consoleInBrowser();

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

test('the shell is accessible', async () => {
  await using opened = await openPage(browser, server);
  const { page } = opened;
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByPlaceholder('Search people, pages and actions').waitFor();
  await expectAccessible(page);
});
