import { afterAll, expect, test } from 'vitest';
import { expectAccessible, goTo, openPage } from './open-page.ts';
import { consoleOfFile } from './start-test-console.ts';

const server = await consoleOfFile();
/** Each test goes on in it. */
const opened = await openPage(server);
const { page } = opened;
afterAll(() => opened[Symbol.asyncDispose]());

/** Presses Enter on a control, as people do who use no pointer. */
async function press(role: 'button' | 'link', name: string | RegExp): Promise<void> {
  await page.getByRole(role, { name }).first().press('Enter');
}

/** Expects an element to have the focus, by its role and a pattern of the beginning of its name. */
async function expectFocus(kind: string, name: string): Promise<void> {
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
  await press('link', 'People');
  await expectFocus('heading', 'People');
  await page.locator('[role=grid] [role=row][tabindex="0"]').press('Enter');
  // It waits for the name of the person.
  await expectFocus('heading', '(?!People|Person")');
  await page.goBack();
  await expectFocus('heading', 'People');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search people, pages and actions' }).fill('Payments');
  await page.keyboard.press('Enter');
  await expectFocus('heading', 'Payments');
  await press('button', 'Submit payments');
  await expectFocus('heading', 'Submit payments');
});

test('the focus follows the steps of a submission, and goes to the first fault', async () => {
  await goTo(page, '/payments');
  await press('button', 'Submit payments');
  await press('button', 'Review');
  await expectFocus('combobox', 'Payroll contract');
  await page.keyboard.insertText('1000-20007');
  await page.getByRole('combobox', { name: 'Billing period' }).fill('2026-11');
  await page.getByRole('combobox', { name: 'Compensation component' }).fill('2400');
  await page.getByLabel('Amount').fill('1');
  await press('button', 'Review');
  await expectFocus('heading', 'Review before sending');
  await press('button', 'Edit');
  await expectFocus('heading', 'Submit payments');
});

test('in a pasted table, the first fault gets the focus however far it is, and the arrow keys move in a column', async () => {
  await goTo(page, '/payments?view=table');
  const rows = Array.from({ length: 400 }, (_, index) => `1000-20007;2026-11;;2400;${index === 300 ? 'x' : '1'}`);
  await page.getByLabel('Paste rows').fill(rows.join('\n'));
  await press('button', 'Read table');
  await page.getByRole('button', { name: '1 row with faults' }).waitFor();
  expect(await page.getByRole('row').count()).toBeLessThan(50);
  await press('button', 'Review');
  await expectFocus('textbox', 'Amount, row 301');
  await page.keyboard.press('ArrowDown');
  await expectFocus('textbox', 'Amount, row 302');
  await page.keyboard.press('Tab');
  await expectFocus('textbox', 'Hours, row 302');
  await page.getByRole('button', { name: 'Remove row 302' }).press('ArrowDown');
  await expectFocus('button', 'Remove row 303');
  await page.keyboard.press('Enter');
  await page.locator('[role=grid][aria-rowcount="400"]').waitFor();
  await expectFocus('button', 'Remove row 303');
  await press('button', 'Discard draft');
  await press('button', 'Discard for good?');
});

test('what closes gives the focus back', async () => {
  await goTo(page, '/payments?state=all');
  const payment = page.getByRole('grid').getByRole('row').nth(1);
  const name = await payment.getByRole('rowheader').innerText();
  await payment.press('Enter');
  await expectFocus('button', 'Close');
  await page.keyboard.press('Escape');
  // Its check box is before the name.
  await expectFocus('row', `[^"]*${name.split('\n')[0]}`);
  await goTo(page, '/system?tab=clients');
  await press('button', /^Change what/);
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await expectFocus('button', 'Change what');
});

test('a button keeps the focus while it works and when it has nothing more to do', async () => {
  await goTo(page, '/people/100007');
  await press('button', 'Show IBAN');
  await expectFocus('button', 'Hide IBAN');
  await goTo(page, '/system?tab=audit&access=change');
  await press('button', 'Reset filters');
  await expectFocus('button', 'Reset filters');
  expect(await page.getByRole('button', { name: 'Reset filters' }).isDisabled()).toBe(true);
  await goTo(page, '/contracts/1000-20007');
  await press('button', 'Complete history');
  await page.waitForURL(/from=/);
  await expectFocus('button', 'Complete history');
});

test('a menu begins at its first item, and says what is chosen', async () => {
  await goTo(page, '/');
  await press('button', 'Account and settings');
  await expectFocus('menuitemradio', 'English');
  expect(await page.getByRole('menuitemradio', { checked: true }).allInnerTexts()).toEqual(['English', 'System']);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expectFocus('button', 'Account and settings');
});

test('forced colours show what is chosen', async () => {
  await goTo(page, '/payments');
  await page.getByRole('button', { name: /^Approved/ }).waitFor();
  await page.emulateMedia({ forcedColors: 'active' });
  const colorOf = async (role: 'link' | 'button', name: string | RegExp): Promise<string> =>
    await page.getByRole(role, { name }).evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await colorOf('link', 'Payments')).not.toBe(await colorOf('link', 'People'));
  expect(await colorOf('button', /^Waiting for approval/)).not.toBe(await colorOf('button', /^Approved/));
  await page.emulateMedia({ forcedColors: null });
});
