import { randomUUID } from 'node:crypto';
import { startDemo } from 'tooling-vitest/demo';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BatchesPage, BatchPage } from '../src/payments/batches.ts';
import { contractPersons } from '../src/payments/contract-persons.ts';
import type { InboxPayment } from '../src/payments/payment-inbox.ts';
import type { PaymentsScreen } from '../src/payments/payments-routes.ts';
import { expectAccessible, openPage } from './open-page.ts';
import { startTestConsole, type BffCaller, type TestConsole } from './start-test-console.ts';

const PASTED = 1000;
const SENT = 2000;
/** A busy machine is no fault of the code. */
const patience = { timeout: 600_000, interval: 500 };

const demo = await startDemo();
let server: TestConsole;
let mara: BffCaller;
let contracts: readonly string[];

beforeAll(async () => {
  server = await startTestConsole({ HR_BASE_URL: demo.url });
  await server.cloud.sync('persons');
  mara = server.signIn();
  contracts = [...contractPersons(server.cloud.mirror).persons.keys()];
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await demo.stop();
});

const contractOf = (index: number): string => contracts[index % contracts.length] ?? '';

async function get<T>(path: string): Promise<T> {
  const response = await mara(`/bff/payments${path}`);
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

test('a thousand pasted payments are a batch with a name, which another person approves as one', async () => {
  await using opened = await openPage(server, { path: '/payments?view=table' });
  const { page } = opened;
  const rows = Array.from({ length: PASTED }, (_, index) => `${contractOf(index)};2026-11;;2400;${index + 1},50`);
  await page.getByLabel('Paste rows').fill(rows.join('\n'));
  await page.getByRole('button', { name: 'Read table' }).press('Enter');
  await page.getByText(`${PASTED} rows, all complete`).waitFor();
  await page.getByRole('button', { name: 'Review' }).press('Enter');
  // The control totals are those of the spreadsheet.
  await page.getByRole('row', { name: 'Nov 2026 · 2400 1,000 501,000.00' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('Name of the batch').fill('Bonus of November');
  await page.getByLabel('I have checked').press('Space');
  await page.getByRole('button', { name: `Submit ${PASTED} payments` }).press('Enter');
  await page.getByRole('heading', { name: 'Bonus of November' }).waitFor();
  await page.getByRole('progressbar').waitFor();
  await page.getByRole('row', { name: 'Waiting for approval 1,000 501,000.00' }).waitFor(patience);
  await page.getByText('You submitted it or sent it again.').waitFor();
  await expectAccessible(page);

  await using other = await openPage(server, { path: '/payments?view=batches', user: { name: 'Tom Demo' } });
  const approval = other.page;
  await approval
    .getByRole('row', { name: /Bonus of November 1,000 501,000.00 Waiting for approval 1,000/ })
    .press('Enter');
  await approval.getByRole('heading', { name: 'Bonus of November' }).waitFor();
  await approval.getByRole('button', { name: 'Approve', exact: true }).press('Enter');
  const dialog = approval.getByRole('dialog', { name: 'Approve: 1,000 payments' });
  await dialog.getByText('1,000 payments · Amount 501,000.00').waitFor();
  await expect(dialog.getByRole('listitem').count()).resolves.toBe(0);
  await dialog.getByRole('button', { name: 'Approve', exact: true }).press('Enter');
  await approval.getByRole('progressbar').waitFor();
  await approval.getByText('Approved: 1,000 payments').waitFor(patience);
  await approval.getByRole('row', { name: 'Approved 1,000 501,000.00' }).waitFor();
  await expectAccessible(approval);
  const { payments } = await get<PaymentsScreen>('?state=approved');
  expect(payments[0]).toMatchObject({ submitters: ['Mara Demo'], decision: { person: 'Tom Demo' } });
});

test('two thousand payments are one batch, in a list with pages, filters and counts', async () => {
  const batch = randomUUID();
  const rows = Array.from({ length: SENT }, (_, index) => ({
    contractId: contractOf(index),
    payment: { billingPeriod: index % 2 === 0 ? '2026-11' : '2026-12', compensationComponentId: '2500', amount: index },
  }));
  const cells = rows.map(({ contractId, payment }) => ({ contractId, ...payment, amount: String(payment.amount) }));
  const checked = await mara('/bff/payments/check', { rows: cells, compare: true });
  expect(checked.status).toBe(200);
  expect((await mara('/bff/payments/batches', { batch, name: 'Many', rows })).status).toBe(204);
  await expect.poll(async () => (await get<BatchPage>(`/batches/${batch}`)).isRunning, patience).toBe(false);
  const { states, totals } = await get<BatchPage>(`/batches/${batch}`);
  const sum = { payments: SENT, amount: (SENT * (SENT - 1)) / 2 };
  expect([states, totals]).toEqual([[{ state: 'submitted', ...sum }], sum]);
  const { batches } = await get<BatchesPage>('/batches');
  expect(batches.map(({ name, counts }) => [name, counts.submitted, counts.approved])).toEqual([
    ['Many', SENT, undefined],
    ['Bonus of November', 0, PASTED],
  ]);

  const first = await get<PaymentsScreen>('?state=submitted&period=2026-12');
  expect(first.payments).toHaveLength(100);
  expect(first.counts).toMatchObject({ submitted: SENT / 2 });
  expect(first.totals).toEqual({ payments: SENT / 2, amount: (SENT / 2) ** 2 });
  const [some] = first.payments;
  const found = await get<PaymentsScreen>(`?state=submitted&q=${some?.contractId}`);
  expect(new Set(found.payments.map(({ contractId }) => contractId))).toEqual(new Set([some?.contractId]));
  expect(found.totals?.payments).toBe(found.counts?.submitted);

  await using opened = await openPage(server, { path: '/payments?period=2026-12', user: { name: 'Tom Demo' } });
  const { page } = opened;
  await page.getByText(/^1,000 payments · Amount 1,000,000.00$/).waitFor();
  const grid = page.getByRole('grid');
  await expect(grid.getAttribute('aria-rowcount')).resolves.toBe('1001');
  // The keyboard goes on behind each page.
  await grid.getByRole('row').nth(1).focus();
  for (let reached = 0; reached < 250;) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await page.keyboard.press('End');
    // oxlint-disable-next-line no-await-in-loop
    reached = Number(await page.locator('[role=row]:focus').getAttribute('aria-rowindex'));
  }
  await expectAccessible(page);
});

test('all pages show each payment once, while others are decided', async () => {
  const query = '?state=submitted&period=2026-11';
  const before = new Set<string>();
  const pages: InboxPayment[] = [];
  let from: string | undefined;
  const tom = server.signIn({ name: 'Tom Demo' });
  const decided: string[] = [];
  const statuses: number[] = [];
  do {
    // oxlint-disable no-await-in-loop -- one page after the other
    const page = await get<PaymentsScreen>(`${query}${from === undefined ? '' : `&from=${from}`}`);
    pages.push(...page.payments);
    for (const { key } of page.payments) before.add(key);
    from = page.next;
    const ids = page.payments.slice(0, 3).map(({ paymentId = '' }) => paymentId);
    decided.push(...ids);
    const decision = { run: randomUUID(), decision: 'reject', reason: 'Too much', chosen: { ids } };
    statuses.push((await tom('/bff/payments/decisions', decision)).status);
    // oxlint-enable no-await-in-loop
  } while (from !== undefined);
  expect(pages).toHaveLength(SENT / 2);
  expect(before.size).toBe(SENT / 2);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const newestFirst = pages.map(({ paymentId }) => Number(paymentId));
  expect(newestFirst).toEqual(newestFirst.toSorted((one, other) => other - one));
  await expect
    .poll(async () => (await get<PaymentsScreen>('?state=rejected&period=2026-11')).counts?.rejected, patience)
    .toBeGreaterThanOrEqual(decided.length);
});
