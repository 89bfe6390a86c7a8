import { randomUUID } from 'node:crypto';
import { startDemo } from 'tooling-vitest/demo';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { contractPersons } from '../src/backend/contract-persons.ts';
import type { BatchesPage, BatchPage, InboxPayment } from '../src/payments/payment-inbox.ts';
import type { PaymentsScreen } from '../src/payments/payments-routes.ts';
import { expectAccessible, openPage } from './open-page.ts';
import { startTestConsole, type BffCaller, type TestConsole } from './start-test-console.ts';

const PASTED = 500;
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
  contracts = [...contractPersons(server.cloud.mirror).keys()];
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

test('hundreds of pasted payments are a batch with a name, which another person approves as one', async () => {
  await using opened = await openPage(server, {
    path: '/payments?view=table',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page } = opened;
  const rows = Array.from({ length: PASTED }, (_, index) => `${contractOf(index)};2027-04;;2400;${index + 1},50`);
  // To type them takes a browser seconds.
  await page.evaluate((text) => navigator.clipboard.writeText(text), rows.join('\n'));
  await page.getByLabel('Paste rows').press('ControlOrMeta+v');
  await page.getByRole('button', { name: 'Read table' }).press('Enter');
  await page.getByText(`${PASTED} rows, all complete`).waitFor();
  await page.getByRole('button', { name: 'Review' }).press('Enter');
  // The control totals are those of the spreadsheet.
  await page.getByRole('row', { name: 'Apr 2027 · 2400 500 125,500.00' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('Name of the batch').fill('Bonus of April');
  await page.getByLabel('I have checked').press('Space');
  await page.getByRole('button', { name: `Submit ${PASTED} payments` }).press('Enter');
  await page.getByRole('heading', { name: 'Bonus of April' }).waitFor();
  await page.getByRole('progressbar').waitFor();
  await page.getByRole('row', { name: 'Waiting for approval 500 125,500.00' }).waitFor(patience);
  await page.getByText('You submitted it or sent it again.').waitFor();
  await expectAccessible(page);

  await using other = await openPage(server, { path: '/payments?view=batches', user: { name: 'Tom Demo' } });
  const approval = other.page;
  await approval.getByRole('row', { name: /Bonus of April 500 125,500.00 Waiting for approval 500/ }).press('Enter');
  await approval.getByRole('heading', { name: 'Bonus of April' }).waitFor();
  await approval.getByRole('button', { name: 'Approve', exact: true }).press('Enter');
  const dialog = approval.getByRole('dialog', { name: 'Approve: 500 payments' });
  await dialog.getByText('500 payments · Amount 125,500.00').waitFor();
  await expect(dialog.getByRole('listitem').count()).resolves.toBe(0);
  await dialog.getByRole('button', { name: 'Approve', exact: true }).press('Enter');
  await approval.getByRole('progressbar').waitFor();
  await approval.getByText('Approved: 500 payments').waitFor(patience);
  await approval.getByRole('row', { name: 'Approved 500 125,500.00' }).waitFor();
  await expectAccessible(approval);
  const { payments } = await get<PaymentsScreen>('?state=approved');
  expect(payments[0]).toMatchObject({ submitters: ['Mara Demo'], decision: { person: 'Tom Demo' } });
});

test('payments of a batch are in a list with pages, filters and counts', async () => {
  const [first, second] = ['2027-01', '2027-02'] as const;
  const [batch, other] = [await submitted('Many', first, 250), await submitted('More', second, 50)];
  const { states, totals } = await get<BatchPage>(`/batches/${batch}`);
  const sum = { payments: 250, amount: (250 * 249) / 2 };
  expect([states, totals]).toEqual([[{ state: 'submitted', ...sum }], sum]);
  const { batches } = await get<BatchesPage>('/batches');
  expect(batches.filter(({ id }) => id === batch || id === other)).toMatchObject([
    { name: 'More', counts: { submitted: 50 } },
    { name: 'Many', counts: { submitted: 250 } },
  ]);

  const page = await get<PaymentsScreen>(`?state=submitted&period=${first}`);
  expect(page.payments).toHaveLength(100);
  expect(page.counts).toMatchObject({ submitted: 250 });
  expect(page.totals).toEqual(sum);
  const [some] = page.payments;
  const found = await get<PaymentsScreen>(`?state=submitted&q=${some?.contractId}`);
  expect(new Set(found.payments.map(({ contractId }) => contractId))).toEqual(new Set([some?.contractId]));
  expect(found.totals?.payments).toBe(found.counts?.submitted);

  await using opened = await openPage(server, { path: `/payments?period=${first}`, user: { name: 'Tom Demo' } });
  await opened.page.getByText(/^250 payments · Amount 31,125.00$/).waitFor();
  const grid = opened.page.getByRole('grid');
  await expect(grid.getAttribute('aria-rowcount')).resolves.toBe('251');
  // The keyboard goes on behind each page.
  await grid.getByRole('row').nth(1).focus();
  for (let reached = 0; reached < 250;) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await opened.page.keyboard.press('End');
    // oxlint-disable-next-line no-await-in-loop
    reached = Number(await opened.page.locator('[role=row]:focus').getAttribute('aria-rowindex'));
  }
  await expectAccessible(opened.page);
});

test('thousands of payments are found by their keys, by a few requests at the same time', async () => {
  const batch = await submitted('Found', '2027-05', 3);
  const keys = Array.from(server.cloud.outbox.entries({ batch }), ({ id }) => id);
  const others = Array.from({ length: 5000 }, () => randomUUID());
  const { operator } = server.cloud;
  const read = operator.payments.bind(operator);
  let inFlight = 0;
  let maxInFlight = 0;
  const counted = vi.spyOn(operator, 'payments').mockImplementation(async (query) => {
    maxInFlight = Math.max(maxInFlight, ++inFlight);
    return await read(query).finally(() => inFlight--);
  });
  const found = await operator.paymentsWith('idempotencyKey', [...others, ...keys]);
  counted.mockRestore();
  expect(new Set(found.map(({ idempotencyKey }) => idempotencyKey))).toEqual(new Set(keys));
  expect(maxInFlight).toBe(4);
});

test('all pages show each waiting payment once, while others are decided', async () => {
  // The demo has none of it.
  const period = '2027-03';
  const batch = await submitted('Paged', period, 250);
  const keys = Array.from(server.cloud.outbox.entries({ batch }), ({ id }) => id);
  const tom = server.signIn({ name: 'Tom Demo' });
  const pages: InboxPayment[] = [];
  const decided: string[] = [];
  let from: string | undefined;
  do {
    // oxlint-disable no-await-in-loop -- one page after the other
    const page = await get<PaymentsScreen>(
      `?state=submitted&period=${period}${from === undefined ? '' : `&from=${from}`}`,
    );
    pages.push(...page.payments);
    from = page.next;
    // The first one, the last one, where the next page begins, and one between.
    const ids = [0, 50, -1].flatMap((place) => page.payments.at(place)?.paymentId ?? []);
    decided.push(...ids);
    const run = randomUUID();
    const decision = { run, decision: 'reject', reason: 'Too much', chosen: { ids } };
    expect((await tom('/bff/payments/decisions', decision)).status).toBe(200);
    await expect
      .poll(async () => (await get<PaymentsScreen>(`?state=rejected&period=${period}`)).counts?.rejected)
      .toBe(decided.length);
    // oxlint-enable no-await-in-loop
  } while (from !== undefined);
  const shown = pages.map(({ key }) => key);
  expect(shown).toHaveLength(keys.length);
  expect(new Set(shown)).toEqual(new Set(keys));
  const newestFirst = pages.map(({ paymentId }) => Number(paymentId));
  expect(newestFirst).toEqual(newestFirst.toSorted((one, other) => other - one));
});

/** Submits payments as one batch, waits until all are sent, and returns its id. */
async function submitted(name: string, billingPeriod: string, count: number): Promise<string> {
  const batch = randomUUID();
  const rows = Array.from({ length: count }, (_, index) => ({
    contractId: contractOf(index),
    payment: { billingPeriod, compensationComponentId: '2500', amount: index },
  }));
  expect((await mara('/bff/payments/batches', { batch, name, rows })).status).toBe(204);
  await expect.poll(async () => (await get<BatchPage>(`/batches/${batch}`)).isRunning, patience).toBe(false);
  return batch;
}
