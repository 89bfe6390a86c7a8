import { clientCredentials } from '@hr/auth';
import { createHrClient } from '@hr/client';
import { startFakeHrCloud } from '@hr/testing/fake';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { salaryTable } from '../src/contract/contract-routes.ts';
import { intercept } from './intercept.ts';
import { expectAccessible, goTo, openPage, settled } from './open-page.ts';
import { consoleOfFile } from './start-test-console.ts';

/** A contract of the demo with several components and approved payments. */
const CONTRACT = '4000-20022';
/** One whose id needs encoding, with what the demo does not have: see `beforeAll`. */
const ODD = 'a/b c%1';

const server = await consoleOfFile();
const fake = await startFakeHrCloud();
afterAll(() => fake.stop());
const odd = await consoleOfFile({
  HR_BASE_URL: fake.url,
  HR_CLIENT_ID: fake.clientId,
  HR_CLIENT_SECRET: fake.clientSecret,
});

/** A month of a salary history with the values of its components. */
const month = (year: number, number: number, values: Readonly<Record<string, number>>, totalSalary?: number) => ({
  year,
  month: number,
  totalSalary,
  baseSalary: 1000,
  values: Object.entries(values).map(([compensationComponentId, value]) => ({ compensationComponentId, value })),
});

beforeAll(async () => {
  const { id: personId } = fake.persons.add({ id: 'p1', firstName: 'Ada', lastName: 'Roth', jobTitle: 'Buchhalterin' });
  const salaries = [
    month(2025, 11, { '2000': 1000, '=2+3': 0.1 }, 1000.1),
    // December is missing.
    month(2026, 1, { '2000': 1000, '2800': -250.5 }, 749.5),
    month(2026, 2, { '2000': 1000, '=2+3': 0.2 }, 1300),
    month(2026, 3, { '2000': 1000 }),
  ];
  fake.contracts.add({ personId, payrollContractId: ODD, salaries });
  fake.contracts.add({ personId, payrollContractId: 'empty' });
  // The fake has no list of changes, which would start the sync.
  await odd.cloud.sync('persons');
  await vi.waitUntil(() => server.live.health.state === 'current', { timeout: 120_000 });
});

test('the table, the figures and the payments are those of the service', async () => {
  const baseUrl = inject('demoUrl');
  const auth = clientCredentials({ baseUrl, clientId: 'demo', clientSecret: 'demo-secret' });
  const { payroll } = createHrClient({ baseUrl, auth });
  const [history, payments] = await Promise.all([payroll.salaryHistory(CONTRACT), payroll.variablePayments(CONTRACT)]);
  const amount = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 });
  const ids = [...new Set(history.flatMap(({ values }) => values?.map((one) => one.compensationComponentId) ?? []))];
  const expected = history.toReversed().map(({ totalSalary, baseSalary, values }) => [
    amount.format(totalSalary ?? 0),
    amount.format(baseSalary ?? 0),
    ...ids.toSorted().map((id) => {
      const found = values?.find((one) => one.compensationComponentId === id);
      return typeof found?.value === 'number' ? amount.format(found.value) : '–';
    }),
  ]);

  await using opened = await openPage(server, { path: `/contracts/${CONTRACT}` });
  const { page, requests } = opened;
  const cells = page.getByRole('region', { name: /^Salary by month/ }).locator('tbody tr');
  const rows = await cells.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText)),
  );
  expect(rows).toEqual(expected);
  expect(
    await page
      .getByRole('region', { name: /^Approved/ })
      .locator('tbody tr')
      .count(),
  ).toBe(payments.length);
  expect(await page.locator('#content').innerText()).not.toMatch(/[€$£]|EUR/);
  expect([...new Set(requests.filter((request) => request.includes('contracts')))]).toHaveLength(1);

  const slider = page.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  const [, previous] = expected;
  expect(await slider.getAttribute('aria-valuetext')).toContain(`Total: ${previous?.[0]}; Base: ${previous?.[1]};`);
  await page.keyboard.press('Home');
  await page.locator('[data-figures="2024-11"]').waitFor();
  const plot = await slider.boundingBox();
  await slider.hover({ position: { x: (plot?.width ?? 0) - 2, y: 20 } });
  await page.locator('[data-figures="2026-10"]').waitFor();

  await page.getByRole('combobox', { name: 'First month' }).fill('08/2026');
  await page.keyboard.press('Enter');
  await page.waitForURL(/from=2026-08/);
  await settled(page);
  await expect.poll(() => cells.count()).toBe(3);
  await page.getByRole('radio', { name: 'Chart and table' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/view=table/);
  expect(await slider.count()).toBe(0);
});

test('gaps stay empty, reversals are below zero, and a total that is not the sum is said', async () => {
  await using opened = await openPage(odd, { path: `/contracts/${encodeURIComponent(ODD)}` });
  const { page } = opened;
  const rows = await page
    .getByRole('region', { name: /^Salary by month/ })
    .locator('tbody tr')
    .allInnerTexts();
  expect(rows.map((row) => row.split(/\s*\t\s*/))).toEqual([
    ['Mar 2026', '–', '1,000.00', '1,000.00', '–', '–', ''],
    ['Feb 2026', '1,300.00', '1,000.00', '1,000.00', '–', '0.20', '1,000.20'],
    ['Jan 2026', '749.50', '1,000.00', '1,000.00', '−250.50', '–', ''],
    ['Dec 2025', 'No entry for this month', ''],
    ['Nov 2025', '1,000.10', '1,000.00', '1,000.00', '–', '0.10', ''],
  ]);
  await page.getByText('In 1 month the components do not add up to the total.').waitFor();
  await page.getByText('1 month has no entry.').waitFor();

  const chart = page.getByRole('img', { name: /^Salary from/ });
  const zero = Number(await chart.locator('[class*=zero]').getAttribute('y1'));
  const tops = await chart
    .locator('rect[fill^=url]')
    .evaluateAll((all) => all.map((bar) => Number(bar.getAttribute('y'))));
  expect(tops.filter((top) => top === zero)).toHaveLength(1);
  expect((await chart.locator('path[class*=base]').getAttribute('d'))?.match(/M/g)).toHaveLength(2);

  await page.getByRole('slider').focus();
  await page.keyboard.press('ArrowLeft');
  await page.getByText('The components add up to 1,000.20, which is not the total.').waitFor();
});

test('each state is accessible in both themes, in German too', async () => {
  await using opened = await openPage(odd, { path: `/contracts/${encodeURIComponent(ODD)}`, locale: 'de-DE' });
  const { page } = opened;
  const check = async (): Promise<void> => {
    await expectAccessible(page);
  };
  const show = async (path: string, title: string): Promise<void> => {
    await goTo(page, path);
    await page.getByText(title).first().waitFor();
    await check();
  };
  await page.getByRole('heading', { name: 'Gehaltsverlauf' }).waitFor();
  expect(await page.getByRole('region', { name: /^Gehalt nach Monat/ }).innerText()).toContain('−250,50');
  await check();
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(async () => await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await show('/contracts/empty', 'Keine Gehaltsdaten');
  await show('/contracts/nobody', 'Dieser Vertrag ist dem Dienst nicht bekannt');
  await show(`/contracts/${encodeURIComponent(ODD)}?from=2001-01&to=2001-02`, 'Keine Gehaltsdaten in diesem Zeitraum');
  await show(`/contracts/${encodeURIComponent(ODD)}?from=2026-02&to=2026-01`, 'Die Eingabe ist nicht gültig.');
  await intercept(page, '/bff/contracts/*', (request) => request.fail());
  await show('/contracts/offline', 'Keine Verbindung zur Konsole.');
  await intercept(page, '/bff/contracts/*', () => undefined);
  await goTo(page, '/contracts/slow');
  await page.locator('#content [aria-busy=true]').waitFor();
  await check();
});

test('the CSV opens in a spreadsheet of the language, and its export is recorded', async () => {
  const call = odd.signIn({ name: 'Export' });
  const path = `/bff/contracts/${encodeURIComponent(ODD)}/csv`;
  const english = await call(path);
  expect(english.headers.get('content-disposition')).toBe('attachment; filename="salary-a_b_c_1-2025-11-2026-03.csv"');
  expect(Buffer.from(await english.arrayBuffer()).toString()).toBe(
    [
      `\uFEFFMonth,Total,Base,"=""2000""","=""2800""",'=2+3`,
      '"=""2025-11""",1000.1,1000,1000,,0.1',
      '"=""2025-12""",,,,,',
      '"=""2026-01""",749.5,1000,1000,-250.5,',
      '"=""2026-02""",1300,1000,1000,,0.2',
      '"=""2026-03""",,1000,1000,,',
      '',
    ].join('\r\n'),
  );
  const german = Buffer.from(await (await call(`${path}?locale=de&from=2026-01&to=2026-01`)).arrayBuffer()).toString();
  expect(german).toBe(
    '\uFEFFAbrechnungsmonat;Gesamt;Grundgehalt;"=""2000""";"=""2800"""\r\n"=""2026-01""";"749,5";1000;1000;"-250,5"\r\n',
  );
  const events = odd.records.events({ subject: ODD });
  expect(events.map(({ user, action }) => [user, action])).toEqual([
    ['Export', 'export'],
    ['Export', 'export'],
  ]);
  expect((await call('/bff/contracts/nobody')).status).toBe(404);
  expect((await call(`${path}?from=2026-13`)).status).toBe(400);
});

test('a table shows the last 24 months that have an entry', () => {
  const history = Array.from({ length: 30 }, (_, index) => ({
    payrollContractId: 'c',
    year: 2020 + Math.floor(index / 6),
    month: 1 + (index % 6),
    totalSalary: 0.3,
    values: [
      { compensationComponentId: 'a', value: 0.1 },
      { compensationComponentId: 'b', value: 0.2 },
    ],
  }));
  const { shown, months } = salaryTable(history, {});
  expect(shown).toEqual({ from: '2021-01', to: '2024-06' });
  expect(months.filter(({ hasEntry }) => hasEntry)).toHaveLength(24);
  expect(months.some(({ differentSum }) => differentSum !== undefined)).toBe(false);
  expect(salaryTable([], { from: '2026-01' })).toEqual({ components: [], months: [] });
});
