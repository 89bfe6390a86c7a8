import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, openPage, settled } from './open-page.ts';
import { consoleOfFile } from './start-test-console.ts';

const server = await consoleOfFile();

/** Presses Enter on a control, as people do who use no pointer. */
async function press(page: Page, role: 'button' | 'link', name: string | RegExp): Promise<void> {
  await page.getByRole(role, { name }).first().press('Enter');
}

/** Expects an element to have the focus, by its role and a pattern of the beginning of its name. */
async function expectFocus(page: Page, kind: string, name: string): Promise<void> {
  await expect
    .poll(
      async () =>
        await page
          .locator(':focus')
          .ariaSnapshot({ timeout: 1000 })
          .catch(() => 'nothing'),
    )
    .toMatch(new RegExp(`^- ${kind} "${name}`));
}

test('a screen gives its title the focus, however the person came there', async () => {
  await using opened = await openPage(server);
  const { page } = opened;
  await press(page, 'link', 'People');
  await expectFocus(page, 'heading', 'People');
  await page.locator('[role=grid] [role=row][tabindex="0"]').press('Enter');
  // It waits for the name of the person.
  await expectFocus(page, 'heading', '(?!People|Person")');
  await page.goBack();
  await expectFocus(page, 'heading', 'People');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search people, pages and actions' }).fill('Payments');
  await page.keyboard.press('Enter');
  await expectFocus(page, 'heading', 'Payments');
  await press(page, 'button', 'Submit payments');
  await expectFocus(page, 'heading', 'Submit payments');
});

test('the focus follows the steps of a submission, and goes to the first fault', async () => {
  await using opened = await openPage(server, { path: '/payments' });
  const { page } = opened;
  await press(page, 'button', 'Submit payments');
  await press(page, 'button', 'Review');
  await expectFocus(page, 'combobox', 'Payroll contract');
  await page.keyboard.insertText('1000-20007');
  await page.getByLabel('Billing period').fill('2026-11');
  await page.getByLabel('Compensation component').fill('2400');
  await page.getByLabel('Amount').fill('1');
  await press(page, 'button', 'Review');
  await expectFocus(page, 'heading', 'Review before sending');
  await press(page, 'button', 'Edit');
  await expectFocus(page, 'heading', 'Submit payments');
});

test('what closes gives the focus back', async () => {
  await using opened = await openPage(server, { path: '/payments?state=all' });
  const { page } = opened;
  const payment = page.locator('tbody').getByRole('button').first();
  const name = await payment.innerText();
  await payment.press('Enter');
  await expectFocus(page, 'button', 'Close');
  await page.keyboard.press('Escape');
  await expectFocus(page, 'button', name);
  await page.goto(`${server.origin()}/system?tab=clients`);
  await settled(page);
  await press(page, 'button', /^Change what/);
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await expectFocus(page, 'button', 'Change what');
});

test('a button keeps the focus while it works and when it has nothing more to do', async () => {
  await using opened = await openPage(server, { path: '/people/100007' });
  const { page } = opened;
  await press(page, 'button', 'Show IBAN');
  await expectFocus(page, 'button', 'Hide IBAN');
  await page.goto(`${server.origin()}/system?tab=audit&access=change`);
  await settled(page);
  await press(page, 'button', 'Reset filters');
  await expectFocus(page, 'button', 'Reset filters');
  expect(await page.getByRole('button', { name: 'Reset filters' }).isDisabled()).toBe(true);
  await page.goto(`${server.origin()}/contracts/1000-20007`);
  await settled(page);
  await press(page, 'button', 'Complete history');
  await page.waitForURL(/from=/);
  await expectFocus(page, 'button', 'Complete history');
});

test('a menu begins at its first item, and says what is chosen', async () => {
  await using opened = await openPage(server);
  const { page } = opened;
  await press(page, 'button', 'Account and settings');
  await expectFocus(page, 'menuitemradio', 'English');
  expect(await page.getByRole('menuitemradio', { checked: true }).allInnerTexts()).toEqual(['English', 'System']);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expectFocus(page, 'button', 'Account and settings');
});

test('forced colours show what is chosen', async () => {
  await using opened = await openPage(server, { path: '/payments', forcedColors: 'active' });
  const { page } = opened;
  const colorOf = async (role: 'link' | 'button', name: string | RegExp): Promise<string> =>
    await page.getByRole(role, { name }).evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await colorOf('link', 'Payments')).not.toBe(await colorOf('link', 'People'));
  expect(await colorOf('button', /^Waiting for approval/)).not.toBe(await colorOf('button', /^Approved/));
});
