import { readFile } from 'node:fs/promises';
import { labelKinds, type Label } from '@hr/text/labels';
import fc from 'fast-check';
import { anyCharacter } from 'tooling-vitest/any-character';
import { beforeEach, expect, test } from 'vitest';
import { expectAccessible, goTo, openPage, settled } from './open-page.ts';
import { consoleOfFile } from './start-test-console.ts';
import { dictionaryOf, type LabelChange } from '../src/model/labels.ts';

const server = await consoleOfFile();
const { records } = server;
const sick: Label = { kind: 'bookingKey', key: '51', en: 'Sick leave', de: 'Krankheit', color: '#e8590c' };

/** Makes the dictionary consist of these entries. */
function keep(...entries: readonly Label[]): void {
  records.replaceLabels(entries);
  server.live.announce('labels');
}

beforeEach(() => keep());

test('an administrator names keys for everybody, and the record says who named which', async () => {
  const administrator = server.signIn({ name: 'Ada Admin', roles: ['viewer', 'administrator'] });
  const change: LabelChange = { before: null, after: sick };
  const operator = server.signIn({ name: 'Otto Demo', roles: ['viewer', 'operator'] });
  expect((await operator('/bff/labels', { changes: [change] })).status).toBe(403);

  expect((await administrator('/bff/labels', { changes: [change] })).status).toBe(204);
  const viewer = server.signIn({ name: 'Vera Demo', roles: ['viewer'] });
  expect(await (await viewer('/bff/labels')).json()).toEqual([sick]);
  const record = records.events().filter(({ action }) => action === 'change-labels');
  expect(record).toMatchObject([{ user: 'Ada Admin', subject: JSON.stringify([change]) }]);

  // They saw the dictionary before.
  const other = { before: null, after: { ...sick, key: '52' } };
  const before = { ...sick, en: '' };
  for (const stale of [change, { before, after: sick }, { before, after: null }]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const response = await administrator('/bff/labels', { changes: [other, stale] });
    // oxlint-disable-next-line no-await-in-loop
    expect(await response.json()).toMatchObject({ code: 'conflict' });
  }
  // An entry that is wrong, and one that makes the others wrong.
  const euro: Label = { kind: 'currency', key: 'EUR', en: '', de: '', color: '' };
  for (const [code, ...after] of [
    ['wrong-color', { ...sick, key: '53', color: 'red' }],
    ['wrong-currency', { ...euro, key: 'Euro' }],
    ['wrong-character', { ...sick, key: '53', en: 'Sick\u202E' }],
    ['repeated-key', { ...sick, key: '53' }, { ...sick, key: ' 53' }],
    ['second-currency', euro, { ...euro, key: 'USD' }],
  ] as const) {
    const changes = after.map((label) => ({ before: null, after: label }));
    // oxlint-disable-next-line no-await-in-loop
    const response = await administrator('/bff/labels', { changes: [other, ...changes] });
    // oxlint-disable-next-line no-await-in-loop
    expect(await response.json()).toMatchObject({ code: 'invalid-input', errors: [{ code }] });
  }
  expect(records.labels()).toEqual([sick]);
  expect(records.events()[0]).toMatchObject({ action: 'sign-in' });
  expect((await administrator('/bff/labels', { changes: [{ before: sick, after: null }] })).status).toBe(204);
  expect(records.labels()).toEqual([]);
});

test('names are edited in the list of all keys, and other open pages show them at once', async () => {
  const path = '/system?tab=labels';
  await using opened = await openPage(server, { path });
  await using other = await openPage(server, { path, user: { name: 'Vera Demo', roles: ['viewer'] }, locale: 'de-DE' });
  const { page } = opened;
  const field = (language: string, key = 'Booking key 51') =>
    page.getByRole('textbox', { name: `${language}: ${key}`, exact: true });
  await field('English').fill('Sick leave');
  await page.keyboard.press('Tab');
  await page.keyboard.insertText('Krankheit');
  // The row is saved as a whole.
  expect(records.labels()).toEqual([]);
  await page.keyboard.press('Enter');
  const german = other.page.getByRole('textbox', { name: 'Deutsch: Buchungsschlüssel 51' });
  await expect.poll(() => german.inputValue()).toBe('Krankheit');
  expect(await german.isEditable()).toBe(false);
  expect(records.labels()).toEqual([{ ...sick, color: '' }]);

  // A wrong colour is not saved, and stays there to be corrected.
  await field('Colour').fill('orange');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('A colour is # and six digits').waitFor();
  await page.getByLabel('Choose a colour: Booking key 51').fill('#e8590c');
  await page.getByRole('searchbox').focus();
  await expect.poll(() => records.labels()).toEqual([sick]);

  // Another person changes what this one is changing.
  await field('English').fill('Ill');
  const call = server.signIn();
  const unwell = { ...sick, en: 'Unwell' };
  expect((await call('/bff/labels', { changes: [{ before: sick, after: unwell }] })).status).toBe(204);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Somebody else changed this meanwhile.').waitFor();
  await expect.poll(() => field('English').inputValue()).toBe('Unwell');

  // A key that occurs in salaries only, and the name of which is removed again.
  await page.getByLabel('Kind', { exact: true }).selectOption('Compensation component');
  await page.getByRole('searchbox').fill('2999');
  await field('English', 'Compensation component 2999').fill('Gift');
  await page.keyboard.press('Enter');
  await expect.poll(() => records.labels().map(({ key }) => key)).toEqual(['51', '2999']);
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await field('English', 'Compensation component 2999').fill('');
  await page.keyboard.press('Enter');
  await expect.poll(() => records.labels()).toEqual([unwell]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toContain('Unwell');
});

test('a file is checked and compared before it replaces the dictionary', async () => {
  keep(sick, { ...sick, key: '40' }, { ...sick, kind: 'group', key: 'it', color: '' });
  await using opened = await openPage(server, { path: '/system?tab=labels', locale: 'de-DE' });
  const { page } = opened;
  const choose = async (content: string | Buffer): Promise<void> => {
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'l.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  };
  const dialog = page.getByRole('dialog', { name: 'Bezeichnungen importieren' });
  await choose('kind;key;de\r\nbookingKey;51;Krankheit\r\nbookingKey;;Urlaub\r\nbonus;1;Prämie');
  await dialog.getByText('Zeile 3: Tragen Sie den Schlüssel ein oder löschen Sie die Zeile.').waitFor();
  await dialog.getByText('Zeile 4: Arten sind bookingKey').waitFor();
  expect(await dialog.getByRole('button', { name: 'Speichern' }).getAttribute('aria-disabled')).toBe('true');
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  // As an old spreadsheet writes it.
  const content =
    'kind;key;en;de;color\r\nbookingKey;51;Sick leave;Krankheit;#e8590c\r\ngroup;it;IT;Prüfung;\r\ngroup;x;X;;\r\n';
  await choose(Buffer.from(content, 'latin1'));
  await dialog.getByText('1 neu, 1 geändert, 1 entfernt').waitFor();
  await dialog.getByText('Geändert: Gruppe it: Sick leave, Krankheit → IT, Prüfung').waitFor();
  await dialog.getByText('Entfernt: Buchungsschlüssel 40').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Speichern' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Deutsch: Gruppe it' }).and(page.locator('[value="Prüfung"]')).waitFor();
  expect(records.labels().map(({ kind, key }) => `${kind} ${key}`)).toEqual(['bookingKey 51', 'group it', 'group x']);
  // The record has it in words.
  await goTo(page, '/system?tab=audit');
  const row = page.getByRole('row', { name: 'Bezeichnungen geändert' }).first();
  await row.getByText('Geändert: Gruppe it: Sick leave, Krankheit → IT, Prüfung').waitFor();
});

test('an export that is imported again changes nothing', async () => {
  const call = server.signIn();
  const text = fc
    .string({ unit: anyCharacter, maxLength: 12 })
    .map((each) => each.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' '));
  const label = fc.record({
    kind: fc.constantFrom(...labelKinds.filter((kind) => kind !== 'currency')),
    key: text,
    en: text,
    de: text,
    color: fc.constantFrom('', '#3B6FB5'),
  });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(label, { maxLength: 5 }), fc.constantFrom('de', 'en'), async (some, locale) => {
      keep();
      const made = await call('/bff/labels', { changes: some.map((after) => ({ before: null, after })) });
      if (made.ok) count += records.labels().length;
      const file = await call(`/bff/labels/csv?locale=${locale}`);
      const check = await call('/bff/labels/check', { content: await file.text() });
      expect(await check.json()).toEqual({ changes: [], faults: [] });
    }),
    { numRuns: 100 },
  );
  expect(count).toBeGreaterThan(0);
});

test('every screen shows names, and amounts with the currency', async () => {
  keep(
    sick,
    { ...sick, key: '40', en: '', de: 'Urlaub' },
    { kind: 'bookingKey', key: '1', en: 'Clock in', de: '', color: '' },
    { kind: 'compensationComponent', key: '2000', en: 'Base salary', de: '', color: '#0e7a67' },
    { kind: 'compensationComponent', key: '2400', en: 'Bonus', de: '', color: '' },
    { kind: 'group', key: 'personal', en: 'Human resources', de: '', color: '' },
    { kind: 'legalEntity', key: '1000', en: 'Holding', de: '', color: '' },
    { kind: 'personGroup', key: '101', en: 'Regular', de: '', color: '' },
    { kind: 'currency', key: 'EUR', en: '', de: '', color: '' },
  );
  await using opened = await openPage(server, { now: '2026-10-29T09:30:00+01:00' });
  const { page } = opened;
  for (const [path, ...texts] of [
    ['/', 'Sick leave', 'Urlaub', 'Key 63'],
    ['/people?person=100007', 'Human resources'],
    ['/people/100007', 'Human resources', 'Holding'],
    ['/people/100007?tab=contracts', 'Regular'],
    ['/contracts/1000-20007', 'Base salary', 'Regular', '€11,506.59', '2650'],
    // Other tests submit thousands of payments, for other periods.
    ['/payments?state=all&period=2026-10', 'Bonus', '2310', /^-?€[\d,]+\.\d\d$/],
    ['/absences', 'Sick leave', '63'],
    ['/absences?view=table', 'Sick leave', '63'],
    ['/time', 'Clock in', '2'],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one screen after the other
    await goTo(page, path);
    await settled(page);
    for (const text of texts)
      await page.locator('#content').getByText(text).filter({ visible: true }).first().waitFor();
    // oxlint-enable no-await-in-loop
  }
  await expectAccessible(page);

  const call = server.signIn();
  const people = await (await call('/bff/people/csv?q=100007&date=2026-10-29&locale=de')).text();
  expect(people).toMatch(/;personal;Human resources;/);
  const salary = await (await call('/bff/contracts/1000-20007/csv?locale=en')).text();
  expect(salary.split('\r\n')[0]).toContain('Base salary 2000');
  const absences = await (await call('/bff/absences/csv?from=2026-10-01&to=2026-10-31&locale=en')).text();
  expect(absences).toMatch(/51""",Sick leave\r\n/);
  expect(absences).toMatch(/63""",\r\n/);
});

test('a payment takes a component by its name', async () => {
  keep({ kind: 'compensationComponent', key: '2400', en: 'Bonus', de: '', color: '' });
  await using opened = await openPage(server, { path: '/payments?view=submit' });
  const { page } = opened;
  const field = page.getByRole('combobox', { name: 'Compensation component' });
  await field.fill('bon');
  await page.getByRole('option', { name: 'Bonus 2400' }).click();
  expect(await field.inputValue()).toBe('2400');
  await page.getByText('Bonus', { exact: true }).filter({ visible: true }).waitFor();
});

test('thousands of names can be imported, searched and shown', async () => {
  const many = Array.from({ length: 5000 }, (_, number): Label => {
    return { kind: 'compensationComponent', key: `K${number}`, en: `Component ${number}`, de: '', color: '#e8590c' };
  });
  const call = server.signIn();
  const response = await call('/bff/labels', { changes: many.map((after) => ({ before: null, after })) });
  expect(response.status).toBe(204);
  await using opened = await openPage(server, { path: '/system?tab=labels' });
  const { page } = opened;
  const rows = page.getByRole('row');
  expect(await rows.count()).toBe(101);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rows.count()).toBe(201);
  await page.getByRole('searchbox').fill('4999');
  await page.getByRole('textbox', { name: 'English: Compensation component K4999' }).waitFor();
});

test('a mark in any colour has enough contrast in both themes', async () => {
  await using opened = await openPage(server);
  const { page } = opened;
  const steps = ['00', '33', '66', '99', 'cc', 'ff'];
  const colors = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)));
  const { colorOf } = dictionaryOf(
    colors.map((color): Label => ({ kind: 'group', key: color, en: '', de: '', color })),
    'en',
  );
  const marks = colors.map((color) => colorOf('group', color) ?? '');
  for (const colorScheme of ['light', 'dark'] as const) {
    // oxlint-disable no-await-in-loop -- one theme after the other
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    const contrasts = await page.evaluate((backgrounds) => {
      const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      const place = document.body.appendChild(document.createElement('span'));
      const luminance = (background: string): number => {
        place.style.background = background;
        if (!context) return Number.NaN;
        context.fillStyle = getComputedStyle(place).backgroundColor;
        context.fillRect(0, 0, 1, 1);
        const [red = 0, green = 0, blue = 0] = Array.from(context.getImageData(0, 0, 1, 1).data, (value) => {
          const share = value / 255;
          return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
      };
      const surfaces = ['var(--mantine-color-body)', 'var(--hr-surface)', 'var(--hr-hover)'].map(luminance);
      const text = luminance('var(--mantine-color-text)');
      return backgrounds.map((background) => {
        const mark = luminance(background);
        const bar = luminance(`color-mix(in srgb, ${background} 33%, var(--mantine-color-body))`);
        return {
          surfaces: surfaces.map((surface) => Math.max(mark, surface) / Math.min(mark, surface)),
          text: Math.max(text, bar) / Math.min(text, bar),
        };
      });
    }, marks);
    // oxlint-enable no-await-in-loop
    expect(Math.min(...contrasts.flatMap(({ surfaces }) => surfaces))).toBeGreaterThan(3);
    // The text of a bar in the colour, which the pointer makes darker.
    expect(Math.min(...contrasts.map(({ text }) => text))).toBeGreaterThan(4.5);
  }
});
