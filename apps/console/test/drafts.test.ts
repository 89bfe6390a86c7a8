// oxlint-disable no-await-in-loop -- a person does one thing after the other
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { Drafts } from '../src/backend/drafts.ts';
import type { Session } from '../src/backend/sessions.ts';
import { patchOf } from '../src/shell/merge-patch.ts';
import { startConsoleProcess, type ConsoleProcess } from './console-process.ts';
import { freePort } from './free-port.ts';
import { intercept } from './intercept.ts';
import { browser, expectAccessible, goTo, openPage, settled } from './open-page.ts';
import { consoleOfFile, startTestConsole, type TestConsole } from './start-test-console.ts';

const server = await consoleOfFile();
/** Nothing is there, which drafts do not need. */
const NO_SERVICE = { HR_BASE_URL: 'http://127.0.0.1:9' };
const FORM = '/payments?view=submit';
const TABLE = '/payments?view=table';

beforeAll(async () => {
  await server.cloud.sync('persons');
});

async function saved(page: Page): Promise<void> {
  await page.getByText(/^Draft saved \d/).waitFor();
}

/** A folder for a console that is started again. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hr-console-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Continues the test in a session of a person, as after the sign-in. */
async function signInAs(page: Page, console: Pick<TestConsole, 'link'>, name: string): Promise<void> {
  await page.goto(console.link({ name }));
  await settled(page);
}

/** Pastes a table of payments with some contracts. */
async function paste(page: Page, contracts: readonly string[], component: string): Promise<void> {
  const rows = contracts.map((contract, index) => `${contract};2026-11;;${component};${index + 1}`);
  await page.getByLabel('Paste rows').fill(rows.join('\n'));
  await page.getByRole('button', { name: 'Read table' }).click();
}

async function draftsOf(console: TestConsole, name: string): Promise<Session['drafts']['drafts']> {
  const response = await console.signIn({ name })('/bff/session');
  return ((await response.json()) as Session).drafts.drafts;
}

test('a table and forms survive a reload, a new tab and a sign-out, and nobody else sees them', async () => {
  const name = 'Anna Draft';
  const id = [...server.cloud.mirror.persons()].at(-9)?.id ?? '';
  await using opened = await openPage(server, { path: TABLE, user: { name } });
  const { page } = opened;
  await paste(
    page,
    Array.from({ length: 200 }, () => '1000-20001'),
    'DRAFT',
  );
  await page.getByText('200 rows, all complete').waitFor();
  await page.getByLabel('Amount, row 2', { exact: true }).fill('two');
  await page.keyboard.press('Tab');
  await saved(page);
  await page.reload();
  await page.getByRole('button', { name: '1 row with faults' }).waitFor();
  expect(await page.getByLabel('Amount, row 2', { exact: true }).inputValue()).toBe('two');

  await goTo(page, `/people/${id}/bank-details`);
  await page.getByRole('button', { name: 'Enter another IBAN' }).click();
  await page.getByLabel('IBAN', { exact: true }).fill('DE02120300000000202051');
  await saved(page);
  await goTo(page, FORM);
  await page.getByRole('combobox', { name: 'Compensation component' }).fill('KEPT');
  await saved(page);

  const tab = await page.context().newPage();
  await tab.goto(`${server.origin()}/`);
  await settled(tab);
  await expectAccessible(tab);
  expect(await tab.getByText(/^You have a draft from \d/).allInnerTexts()).toEqual([
    expect.stringContaining('One payment'),
    expect.stringContaining('Bank details of'),
    expect.stringContaining('Table of payments'),
  ]);
  await tab.getByRole('button', { name: 'Continue' }).first().click();
  await tab.getByRole('combobox', { name: 'Compensation component' }).and(tab.locator('[value=KEPT]')).waitFor();

  // What is typed last is saved before the page, the tab or the session ends.
  await page.getByLabel('Hours').fill('7');
  await page.reload();
  await page.locator('[name=hours][value="7"]').waitFor();
  await tab.locator('[name=hours][value="7"]').waitFor();
  await tab.getByLabel('Days').fill('3');
  await tab.close({ runBeforeUnload: true });
  await page.locator('[name=days][value="3"]').waitFor();
  await page.getByRole('combobox', { name: 'Compensation component' }).fill('KEPT TOO');
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();

  await signInAs(page, server, 'Ben Draft');
  expect(await page.getByText(/You have a draft/).count()).toBe(0);
  for (const path of [FORM, TABLE, `/people/${id}/bank-details`]) {
    await page.goto(server.origin() + path);
    await settled(page);
    expect(await page.content()).not.toMatch(/KEPT|DRAFT|DE02120300000000202051/);
  }
  const ben = server.signIn({ name: 'Ben Draft' });
  for (const user of [name, 'Ben Draft']) {
    const response = await ben(`/bff/drafts?${new URLSearchParams({ user, name: 'payment' }).toString()}`);
    expect([response.status, await response.text()]).not.toEqual([200, expect.stringContaining('KEPT')]);
  }

  await signInAs(page, server, name);
  await page
    .getByText(/You have a draft/)
    .first()
    .waitFor();
  await page.goto(server.origin() + FORM);
  await page
    .getByRole('combobox', { name: 'Compensation component' })
    .and(page.locator('[value="KEPT TOO"]'))
    .waitFor();
  await page.goto(`${server.origin()}/people/${id}`);
  await page.getByText(/^You have a draft from .*Bank details/).waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  expect(await page.getByLabel('IBAN', { exact: true }).inputValue()).toBe('DE02120300000000202051');

  await page.getByRole('button', { name: 'Discard draft' }).click();
  await page.getByRole('button', { name: 'Discard for good?' }).click();
  await page.getByRole('button', { name: 'Enter another IBAN' }).waitFor();
  await expect
    .poll(async () => (await draftsOf(server, name)).map((draft) => draft.name))
    .toEqual(['payment', 'table']);
});

test('a killed console has what was saved, and sends nothing when it starts again', async () => {
  const folder = await newFolder();
  const port = await freePort();
  const start = (): Promise<ConsoleProcess> => startConsoleProcess({ folder, port, baseUrl: NO_SERVICE.HR_BASE_URL });
  let running = await start();
  let output = '';
  const kill = async (): Promise<void> => {
    await running[Symbol.asyncDispose]();
    output += running.output();
  };
  onTestFinished(kill);
  const { origin } = running;
  const session = (): string => running.session({ roles: ['editor'] });
  await using opened = await openPage({ origin, session }, { path: FORM });
  const { page } = opened;
  await page.getByLabel('Amount').fill('4711');
  await saved(page);
  await kill();
  await page.getByLabel('Amount').fill('47112');
  await page.getByText('Not saved yet. The console tries again.').waitFor();
  await expectAccessible(page);
  running = await start();
  await saved(page);
  await kill();
  running = await start();
  await page.reload();
  await page.getByLabel('Amount').and(page.locator('[value="47112"]')).waitFor();

  const written = output + running.output();
  expect(written).toContain('The console listens');
  expect(written).not.toContain('4711');
  using outbox = new DatabaseSync(join(folder, 'outbox.db'));
  expect(outbox.prepare('select * from entry').all()).toEqual([]);
  for (const file of ['console.db', 'console.db-wal'])
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
});

test('a tab follows what another one types, and of two that typed without a connection none destroys the other', async () => {
  const user = { name: 'Tabs Demo' };
  await using opened = await openPage(server, { path: FORM, user });
  const { page } = opened;
  const other = await page.context().newPage();
  await other.goto(server.origin() + FORM);
  const [mine, theirs] = [page, other].map((tab) => tab.getByLabel('Amount')) as [
    ReturnType<Page['getByLabel']>,
    ReturnType<Page['getByLabel']>,
  ];
  await mine.fill('1');
  await other.getByLabel('Amount').and(other.locator('[value="1"]')).waitFor();
  await other.getByLabel('Hours').fill('2');
  await page.getByLabel('Hours').and(page.locator('[value="2"]')).waitFor();
  expect(await mine.inputValue()).toBe('1');

  await intercept(other, '/bff/drafts', (request) => request.fail());
  await theirs.fill('theirs');
  await other.getByText('Not saved yet. The console tries again.').waitFor();
  await mine.fill('mine');
  await saved(page);
  await intercept(other, '/bff/drafts');
  const alert = other.getByRole('alert').filter({ hasText: 'This draft was changed in another tab' });
  await alert.waitFor();
  await expectAccessible(other);
  expect(await theirs.inputValue()).toBe('theirs');
  await alert.getByRole('button', { name: 'Show the other version' }).click();
  expect(await theirs.inputValue()).toBe('mine');
  await alert.getByRole('button', { name: 'Show my version' }).click();
  await alert.getByRole('button', { name: 'Keep the version shown' }).click();
  await page.locator('[name=amount][value=theirs]').waitFor();

  // The same when one tab discards what the other one goes on with.
  await intercept(other, '/bff/drafts', (request) => request.fail());
  await theirs.fill('later');
  await other.getByText('Not saved yet. The console tries again.').waitFor();
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await page.getByRole('button', { name: 'Discard for good?' }).click();
  await page.locator('[name=amount][value=""]').waitFor();
  await intercept(other, '/bff/drafts');
  await other.getByText('This draft was sent or discarded in another tab').waitFor();
  await other.getByRole('button', { name: 'Keep the version shown' }).click();
  await page.locator('[name=amount][value=later]').waitFor();
});

test('what was saved is there after any sequence of reloads, closed tabs, restarts and sign-outs', async () => {
  const folder = await newFolder();
  const settings = { ...NO_SERVICE, HR_CONSOLE_DATA: folder, HR_CONSOLE_PORT: await freePort() };
  const steps = ['reload', 'close', 'restart', 'sign out'] as const;
  const fields = ['Compensation component', 'Amount', 'Hours'] as const;
  const text = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((typed) => typed.trim() === typed);
  const step = fc.oneof(fc.constantFrom(...steps), fc.record({ field: fc.constantFrom(...fields), text }));
  const context = await browser.newContext({ locale: 'en-GB' });
  onTestFinished(() => context.close());
  let own = await startTestConsole(settings);
  onTestFinished(() => own[Symbol.asyncDispose]());
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 6 }), async (sequence) => {
      const name = `Person ${run++}`;
      const typed = new Map<string, string>();
      let page = await context.newPage();
      const open = async (): Promise<void> => {
        await page.goto(own.origin() + FORM);
        await settled(page);
      };
      await signInAs(page, own, name);
      await open();
      for (const next of sequence) {
        if (typeof next === 'object') {
          await page.locator('input').and(page.getByLabel(next.field)).fill(next.text);
          typed.set(next.field, next.text);
          await saved(page);
          continue;
        }
        if (next === 'reload') await page.reload();
        if (next === 'close') {
          await page.close();
          page = await context.newPage();
          await open();
        }
        if (next === 'restart') {
          await own[Symbol.asyncDispose]();
          own = await startTestConsole(settings);
          await open();
        }
        if (next === 'sign out') {
          await page.evaluate(async () => await fetch('/bff/session', { method: 'DELETE' }));
          await signInAs(page, own, name);
          await open();
        }
        await settled(page);
        for (const field of fields) {
          const shown = async (): Promise<string> =>
            await page.locator('input').and(page.getByLabel(field)).inputValue();
          await expect.poll(shown).toBe(typed.get(field) ?? '');
        }
      }
      await page.close();
    }),
    { numRuns: 3 },
  );
});

test('faults are a list to work through by keyboard, and payments that the service refused come back as a table', async () => {
  const name = 'Cora Draft';
  await using opened = await openPage(server, { path: TABLE, user: { name } });
  const { page } = opened;
  const cell = (column: string, row: number): Locator => page.getByLabel(`${column}, row ${row}`, { exact: true });
  await paste(page, ['1000-20001', 'gone-1', '1000-20001', 'gone-2', '1000-20001'], 'REFUSED');
  await page.getByText('5 rows, 2 of them for an unknown contract').waitFor();
  await cell('Amount', 2).fill('two');
  await cell('Hours', 5).fill('five');
  await cell('Billing period', 5).fill('2026-13');
  await page.getByRole('button', { name: '2 rows with faults' }).click();
  expect(await page.getByRole('button', { name: /^Remove row/ }).count()).toBe(2);
  await expectAccessible(page);
  for (const [key, column, row] of [
    ['F8', 'Amount', 2],
    ['F8', 'Billing period', 5],
    ['F8', 'Hours', 5],
    ['F8', 'Amount', 2],
    ['Shift+F8', 'Hours', 5],
  ] as const) {
    await page.keyboard.press(key);
    await page.locator(`[aria-label="${column}, row ${row}"]:focus`).waitFor();
  }
  await cell('Hours', 5).fill('');
  await cell('Billing period', 5).fill('11.2026');
  await cell('Amount', 2).fill('1,234.5');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: '0 rows with faults' }).click();
  expect(await page.getByRole('button', { name: /^Remove row/ }).count()).toBe(5);

  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByLabel('I have checked these 5 payments').check();
  await page.getByRole('button', { name: 'Submit 5 payments' }).click();
  await page.getByRole('button', { name: 'Correct 2 payments and submit them' }).waitFor();
  expect(await draftsOf(server, name)).toEqual([]);
  await page.getByRole('button', { name: 'Correct 2 payments and submit them' }).click();
  await page.getByText('The service does not know the contract.').nth(1).waitFor();
  await expectAccessible(page);
  expect([await cell('Amount', 1).inputValue(), await cell('Amount', 2).inputValue()]).toEqual(['1234.5', '4']);
  await saved(page);
  await page.reload();
  await cell('Payroll contract', 1).fill('1000-20001');
  await expect.poll(() => page.getByText('The service does not know the contract.').count()).toBe(1);
  await page.getByRole('button', { name: 'Remove row 2' }).click();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByLabel('I have checked this payment').check();
  await page.getByRole('button', { name: 'Submit 1 payment' }).click();
  await page.getByRole('button', { name: 'Submit more payments' }).waitFor();
  expect(await page.getByRole('button', { name: /not accepted/ }).count()).toBe(0);
  expect(await draftsOf(server, name)).toEqual([]);
});

test('a draft is of its person, of an editor, and about somebody who is not deleted', async () => {
  const call = server.signIn({ name: 'Dora Draft' });
  const [known] = server.cloud.mirror.persons();
  const save = async (name: string, changes: object = {}): Promise<number> => {
    const body = { user: 'local#dora.draft', name, patch: { input: 'DE02120300000000202051' }, ...changes };
    return (await call('/bff/drafts', body)).status;
  };
  expect(await save(`address/${known?.id}`)).toBe(200);
  expect(await save('address/deleted')).toBe(404);
  // Before the person was deleted.
  server.records.drafts.save('local#dora.draft', 'address/deleted', undefined, {});
  expect(await save('payment', { user: 'local#anna.draft' })).toBe(401);
  expect(await save('payment', { savedAt: '2026-11-23T09:00:00.000Z' })).toBe(409);
  expect(await save('other')).toBe(400);
  expect(await draftsOf(server, 'Dora Draft')).toMatchObject([{ name: `address/${known?.id}` }]);
  expect(server.records.drafts.get('local#dora.draft', 'address/deleted')).toBeUndefined();
  const viewer = server.signIn({ name: 'Dora Draft', roles: ['viewer'] });
  expect((await viewer('/bff/drafts?user=Dora+Draft&name=payment')).status).toBe(403);
  expect((await viewer('/bff/drafts', { user: 'local#dora.draft', name: 'payment', patch: {} })).status).toBe(403);
});

test('merge patches of any edits make of a stored draft what the page shows', () => {
  using database = new DatabaseSync(':memory:');
  let now = Date.parse('2026-11-23T09:00:00Z');
  const drafts = new Drafts(database, () => now);
  const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.boolean(), fc.array(fc.string(), { maxLength: 2 }));
  const key = fc.oneof(fc.constantFrom('rows', 'text', '1', '2', '10', 'a"b'), fc.string({ maxLength: 3 }));
  const { content } = fc.letrec((tie) => ({
    value: fc.oneof(leaf, tie('content')),
    content: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  }));
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.array(content as fc.Arbitrary<object>, { minLength: 1, maxLength: 5 }),
      (name, versions) => {
        let before: { savedAt: string; content: object } | undefined;
        for (const version of versions) {
          const savedAt = drafts.save('a', name, before?.savedAt, patchOf(before?.content, version) as object) ?? '';
          expect(drafts.get('a', name)).toEqual({ name, savedAt, content: version });
          // Another tab has the version before.
          expect(drafts.save('a', name, before?.savedAt, {})).toBeUndefined();
          expect(savedAt > (before?.savedAt ?? '')).toBe(true);
          before = { savedAt, content: version };
        }
        expect(drafts.save('b', name, before?.savedAt, null)).toBeUndefined();
        expect(drafts.save('a', name, before?.savedAt, null)).toBeTruthy();
      },
    ),
  );
  drafts.save('a', 'old', undefined, {});
  now += 20 * 86_400_000;
  drafts.save('a', 'new', undefined, {});
  drafts.save('b', 'address/1', undefined, {});
  drafts.save('b', 'address/2', undefined, {});
  now += 11 * 86_400_000;
  drafts.clean((name) => name === 'address/1');
  expect(drafts.list('a').map(({ name }) => name)).toEqual(['new']);
  expect(drafts.list('b').map(({ name }) => name)).toEqual(['address/2']);
});
