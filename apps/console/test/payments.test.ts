import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import type { Check } from '../src/payments/check-payments.ts';
import type { DecisionRun } from '../src/payments/decisions.ts';
import type { BatchPage, InboxPage, InboxPayment } from '../src/payments/payment-inbox.ts';
import type { PaymentsScreen } from '../src/payments/payments-routes.ts';
import { contractPersons } from '../src/backend/contract-persons.ts';
import { recordsFile } from '../src/backend/config.ts';
import { Problem } from '../src/backend/problem.ts';
import { Records } from '../src/backend/records.ts';
import { intercept } from './intercept.ts';
import { expectAccessible, goTo, openPage, poorTargets, settled } from './open-page.ts';
import { consoleOfFile, startTestConsole, type BffCaller } from './start-test-console.ts';

const server = await consoleOfFile();
/** Two people, each with all roles. */
let mara: BffCaller;
let tom: BffCaller;

/** Of no other test: all test files share the demo. */
const contract = '5000-20299';
const person = 'Hannes König';

interface Employed {
  readonly contractId: string;
  readonly name: string;
}
/** Contracts of the demo without payments. */
let unpaid: Employed[] = [];

beforeAll(async () => {
  await server.cloud.sync('persons');
  [mara, tom] = [server.signIn(), server.signIn({ name: 'Tom Demo' })];
  const paid = new Set((await server.cloud.operator.payments({})).map(({ payrollContractId }) => payrollContractId));
  unpaid = [...contractPersons(server.cloud.mirror)]
    .map(([contractId, { name }]) => ({ contractId, name }))
    .filter(({ contractId }) => !paid.has(contractId) && contractId !== contract);
});

/** A contract for one test. */
function freshContract(): Employed {
  const employed = unpaid.pop();
  if (employed === undefined) throw new Error('The demo has more contracts.');
  return employed;
}

test('a pasted table is checked row by row, and sent once however often the request arrives', async () => {
  const component = 'REPEATED';
  const table = [
    'Vertragsnummer\tAbrechnungsmonat\tLohnart\tBetrag\tStunden\tName',
    `${contract}\t01.11.2026\t${component}\t1.234\t\tKönig`,
    `${contract}\t2026-13\t\tviel\t\tKönig`,
    `unknown\t2026-11\t${component}\t\t7,5\t`,
  ].join('\n');
  const first = await check(mara, { text: table });
  expect(first.unreadColumns).toEqual(['Name']);
  expect(first.question).toMatchObject({ text: '1.234', point: 1.234, comma: 1234 });
  expect(first.rows.map(({ faults }) => faults.map(({ field, code }) => `${field} ${code}`))).toEqual([
    ['amount ambiguous-number'],
    ['amount not-a-number', 'billingPeriod wrong-format', 'compensationComponentId required'],
    [],
  ]);
  expect(first.rows.map((row) => row.person?.name)).toEqual([person, person, undefined]);

  const { rows } = await check(mara, { rows: [first.rows[0]?.cells], decimalSign: 'comma', compare: true });
  expect(rows).toMatchObject([{ faults: [], equal: 0, row: { payment: { billingPeriod: '2026-11', amount: 1234 } } }]);
  const body = { batch: randomUUID(), name: 'One', rows: rows.map(({ row }) => row) };
  const responses = await Promise.all([1, 2, 3].map(() => mara('/bff/payments/batches', body)));
  expect(responses.map(({ status }) => status)).toEqual([204, 204, 204]);
  await expect(ended(mara, body.batch)).resolves.toMatchObject({
    name: 'One',
    submitters: ['Mara Demo'],
    totals: { payments: 1, amount: 1234 },
    payments: [{ state: 'submitted', contractId: contract }],
  });
  expect((await mara('/bff/payments/batches', body)).status).toBe(204);
  expect(await withComponent(mara, component)).toMatchObject([{ state: 'submitted', submitters: ['Mara Demo'] }]);

  const others = await tom('/bff/payments/batches', body);
  expect(others.status).toBe(403);
  const equal = await tom('/bff/payments/batches', { ...body, batch: randomUUID() });
  expect(equal.status).toBe(409);
  expect(await equal.json()).toMatchObject({ code: 'conflict', errors: [{ pointer: '/rows/0', code: 'equal' }] });
  expect(await withComponent(mara, component)).toHaveLength(1);
  expect(server.records.events({ subject: body.batch })).toMatchObject([
    { user: 'Mara Demo', action: 'submit-payment' },
  ]);
});

test('of people who submit the same payment at the same time, one does, and the others are warned', async () => {
  const callers = ['Mara Demo', 'Tom Demo', 'Eva Demo'].map((name) => server.signIn({ name }));
  for (let amount = 1; amount <= 5; amount++) {
    const payment = { billingPeriod: '2026-11', compensationComponentId: 'TOGETHER', amount };
    const submissions = callers.map(async (call) => {
      const batch = randomUUID();
      const rows = [{ contractId: contract, payment }];
      const { status } = await call('/bff/payments/batches', { batch, name: 'Together', rows });
      if (status === 204) await ended(call, batch);
      return status;
    });
    // oxlint-disable-next-line no-await-in-loop -- one payment after the other
    const statuses = await Promise.all(submissions);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([204, 409, 409]);
  }
  expect(await withComponent(mara, 'TOGETHER')).toHaveLength(5);
});

test('a table that cannot be read says why', async () => {
  const codes = await Promise.all(
    [`${contract},2026-11,,A,250,50`, 'Betrag;Stunden\n1;2', '"a'].map(async (text) => {
      const response = await mara('/bff/payments/check', { text });
      const { errors } = (await response.json()) as { errors: { code: string }[] };
      return errors[0]?.code;
    }),
  );
  expect(codes).toEqual(['header-needed', 'missing-columns', 'quotes']);
});

test('a viewer neither submits nor decides, and nobody decides on their own payment', async () => {
  const own = freshContract();
  await submitted(mara, own.contractId, [1]);
  const [payment] = await paymentsOf(mara, own.contractId);
  const decision = { run: randomUUID(), decision: 'approve', chosen: { ids: [payment?.paymentId] } };
  const viewer = server.signIn({ name: 'Vera Demo', roles: ['viewer'] });
  expect((await viewer('/bff/payments/decisions', decision)).status).toBe(403);
  expect((await viewer('/bff/payments/check', {})).status).toBe(403);

  const refused = await mara('/bff/payments/decisions', decision);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ errors: [{ pointer: '/chosen', code: 'own' }] });
  await using opened = await openPage(server, { path: `/payments?q=${own.contractId}` });
  const { page } = opened;
  await expect(page.getByRole('checkbox', { name: 'Select all' }).count()).resolves.toBe(0);
  await page.getByRole('row', { name: own.name }).press('Enter');
  await page.getByRole('dialog').getByText('You cannot decide on it').waitFor();
  await expect(page.getByRole('button', { name: 'Approve', exact: true }).count()).resolves.toBe(0);
  expect((await tom('/bff/payments/decisions', { ...decision, decision: 'reject' })).status).toBe(400);
  expect((await tom('/bff/payments/decisions', decision)).status).toBe(200);
});

test('nobody decides in the console on payments of its client whose submitter it does not know', async () => {
  const { contractId } = freshContract();
  const payment = { billingPeriod: '2026-11', compensationComponentId: 'ELSEWHERE', amount: 1 };
  await server.cloud.hr.payroll.submitVariablePayment(contractId, { ...payment, idempotencyKey: randomUUID() });
  await server.cloud.hr.payroll.submitVariablePayment(contractId, payment);
  const found = await paymentsOf(tom, contractId);
  const bar = { bar: 'unknown-submitter', submitters: [], submittedBy: server.cloud.clientId };
  expect(found).toMatchObject([bar, bar]);
  const decision = { run: randomUUID(), decision: 'approve', chosen: { ids: [found[0]?.paymentId] } };
  const refused = await tom('/bff/payments/decisions', decision);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ errors: [{ code: 'unknown-submitter' }] });
  await using opened = await openPage(server, { path: `/payments?payment=${found[0]?.key}` });
  await opened.page.getByText('An operator decides on it by the command line').waitFor();
});

test('nobody approves a payment that they submit while the decision runs, though its id can be guessed', async () => {
  const { contractId } = freshContract();
  const ask = server.cloud.operator.paymentsWith.bind(server.cloud.operator);
  const known = vi.spyOn(server.cloud.operator, 'paymentsWith').mockImplementationOnce(async (...given) => {
    const payments = await ask(...given);
    await submitted(mara, contractId, [1]);
    return payments;
  });
  const [newest] = await server.cloud.operator.payments({ last: '1' });
  // Other test files submit payments, too.
  const ids = Array.from({ length: 100 }, (_, index) => String(Number(newest?.id) + 1 + index));
  const { results, done } = await decided(mara, { decision: 'approve', chosen: { ids } });
  known.mockRestore();
  expect(done).toBe(0);
  expect(new Set(results.map(({ problem }) => problem?.code))).toEqual(new Set(['not-found']));
  expect(await paymentsOf(mara, contractId)).toMatchObject([{ state: 'submitted', bar: 'own' }]);
});

test('two payments are approved together, one of which was decided on meanwhile', async () => {
  const { contractId, name } = freshContract();
  await submitted(mara, contractId, [1, 2]);
  await using opened = await openPage(server, {
    path: `/payments?q=${contractId}`,
    user: { name: 'Tom Demo' },
    colorScheme: 'dark',
  });
  const { page, requests } = opened;
  const read = requests.filter((line) => line.includes('payments'));
  expect(read).toEqual([`GET /bff/payments?state=submitted&q=${contractId}`]);
  await page.getByText('2 payments · Amount 3.00').waitFor();
  await page.getByRole('checkbox', { name: 'Select all' }).press('Space');
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Approve', exact: true }).press('Enter');
  await page.getByRole('dialog', { name: 'Approve: 2 payments' }).waitFor();
  await expectAccessible(page);
  const eva = server.signIn({ name: 'Eva Demo' });
  const before = (await paymentsOf(eva, contractId)).at(-1);
  const rejection = { decision: 'reject', chosen: { ids: [before?.paymentId] }, reason: 'Too late' };
  expect(await decided(eva, rejection)).toMatchObject({ done: 1, total: 1, results: [] });

  await page.getByLabel('Reason').fill('As agreed');
  await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).press('Enter');
  await page.getByText('1 of 2 decisions took effect').waitFor();
  await page.getByText(/Rejected before by Eva Demo \(client operator\)/).waitFor();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().press('Enter');
  const both = await paymentsOf(tom, contractId);
  expect(new Map(both.map(({ state, decision }) => [state, decision?.person]))).toEqual(
    new Map([
      ['approved', 'Tom Demo'],
      ['rejected', 'Eva Demo'],
    ]),
  );
  await page.getByRole('button', { name: /^Rejected/ }).press('Enter');
  await page.getByRole('row', { name: /Rejected Too late Mara Demo/ }).waitFor();
  await page.getByRole('row', { name }).press('Enter');
  await page.getByText('by Eva Demo (client operator)').waitFor();
  await page.getByText('Reason: Too late').waitFor();
  await expect(page.getByText(/Request ID: [\da-f-]{36}/).count()).resolves.toBe(2);
  await expectAccessible(page);
});

test('decisions show how far they are, and stop when a person says so', async () => {
  const { contractId, name } = freshContract();
  await submitted(mara, contractId, [1, 2, 3, 4, 5, 6, 7, 8]);
  const decide = server.cloud.operator.decide.bind(server.cloud.operator);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let sent = 0;
  const slow = vi.spyOn(server.cloud.operator, 'decide').mockImplementation(async (...given) => {
    sent++;
    if (sent > 2) await held;
    return await decide(...given);
  });
  await using opened = await openPage(server, { path: `/payments?q=${contractId}`, user: { name: 'Tom Demo' } });
  const { page } = opened;
  await page.getByRole('checkbox', { name: 'Select all' }).press('Space');
  await page.getByRole('button', { name: 'Reject', exact: true }).press('Enter');
  await page.getByLabel('Reason').fill('Wrong month');
  await page.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).press('Enter');
  await page.getByText('2 of 8 decided').waitFor();
  await expectAccessible(page);
  // It is not hidden while it runs, and a page that is loaded anew shows it again.
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByText('2 of 8 decided').waitFor();
  await page.getByRole('button', { name: 'Stop' }).press('Enter');
  await expect.poll(() => sent).toBe(6);
  release();
  await page.getByText('6 of 8 decisions took effect').waitFor();
  await expectAccessible(page);
  const stopped = page.getByRole('listitem').filter({ hasText: `${name} Not decided, because it was stopped` });
  await expect(stopped.count()).resolves.toBe(2);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().press('Enter');
  slow.mockRestore();
  const states = Map.groupBy(await paymentsOf(tom, contractId), ({ state }) => state);
  expect([states.get('rejected')?.length, states.get('submitted')?.length]).toEqual([6, 2]);
});

test('the end of a decision is told once, whatever changes meanwhile', async () => {
  const { contractId } = freshContract();
  await submitted(mara, contractId, [1, 2]);
  await using opened = await openPage(server, { path: `/payments?q=${contractId}`, user: { name: 'Tom Demo' } });
  const { page } = opened;
  const readings: (() => Promise<void>)[] = [];
  let isListed = false;
  await intercept(page, '/bff/payments/decisions/*', (intercepted) => void readings.push(() => intercepted.forward()));
  await intercept(page, '/bff/payments', async (intercepted) => {
    isListed = true;
    await intercepted.forward();
  });
  await page.getByRole('checkbox', { name: 'Select all' }).press('Space');
  await page.getByRole('button', { name: 'Approve', exact: true }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).press('Enter');
  await expect.poll(() => readings.length).toBeGreaterThan(0);
  const run = new URL(page.url()).searchParams.get('run') ?? '';
  await expect.poll(async () => (await runOf(tom, run)).isRunning).toBe(false);
  // Another person changes something, and the page reads what it shows again.
  isListed = false;
  const listAgain = (): boolean => {
    server.live.announce();
    return isListed;
  };
  await expect.poll(listAgain).toBe(true);
  await intercept(page, '/bff/payments/decisions/*');
  await Promise.all(readings.map((forward) => forward()));
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await settled(page);
  await expect(page.getByText('Approved: 2 payments').count()).resolves.toBe(1);
});

test('a payment is submitted by keyboard in German', async () => {
  await using opened = await openPage(server, { path: '/payments', locale: 'de-DE' });
  const { page } = opened;
  await page.getByRole('button', { name: 'Zahlungen einreichen' }).press('Enter');
  await page.getByRole('combobox', { name: 'Vertrag' }).fill('hannes koenig');
  await page.getByRole('option', { name: person }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Vertrag' }).inputValue()).resolves.toBe(contract);
  await page.getByRole('combobox', { name: 'Abrechnungsmonat' }).fill('2026-11');
  await page.getByRole('combobox', { name: 'Lohnart' }).fill('FORM');
  await page.getByLabel('Betrag').fill('1.234');
  await page.keyboard.press('Enter');
  await page.getByText('Was bedeutet 1.234?').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: '1.234 (Dezimalkomma)' }).press('Enter');
  await page.getByRole('gridcell', { name: '1.234,00' }).waitFor();
  await expect(page.getByRole('button', { name: '1 Zahlung einreichen' }).isDisabled()).resolves.toBe(true);
  await page.getByLabel('Ich habe diese Zahlung geprüft').press('Space');
  await expectAccessible(page);
  await page.getByRole('button', { name: '1 Zahlung einreichen' }).press('Enter');
  await page
    .getByRole('row', { name: `${person} ${contract}` })
    .getByText('Zur Freigabe')
    .waitFor();
  await expectAccessible(page);
  expect(await withComponent(mara, 'FORM')).toMatchObject([{ state: 'submitted', payment: { amount: 1234 } }]);
});

test('a lost response stops the rest, and a person settles it without paying twice', async () => {
  const component = 'LOST';
  // Four requests begin together, so two responses are lost at least.
  await using proxy = await losingProxy(inject('demoUrl'), 2);
  await using other = await startTestConsole({ HR_BASE_URL: proxy.url });
  const call = other.signIn();
  await using opened = await openPage(other, { path: '/payments?view=table' });
  const { page } = opened;
  const rows = Array.from({ length: 30 }, (_, index) => `${contract};2026-11;;${component};${index + 1}`);
  await page.getByLabel('Paste rows').fill(rows.join('\n'));
  await page.getByRole('button', { name: 'Read table' }).press('Enter');
  await page.getByText('30 rows, all complete').waitFor();
  await page.getByLabel('Amount, row 2', { exact: true }).fill('two');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: '1 row with faults' }).waitFor();
  // The first fault may be far out of sight.
  await page.getByRole('button', { name: 'Review' }).press('Enter');
  await page.locator('[aria-label="Amount, row 2"]:focus').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Amount, row 2', { exact: true }).fill('2');
  await page.getByRole('button', { name: 'Review' }).press('Enter');
  await page.getByRole('row', { name: `${component} 30 465.00` }).waitFor();
  await page.getByLabel('Name of the batch').fill('November bonus');
  await page.getByLabel('I have checked these 30 payments').press('Space');
  await page.getByRole('button', { name: 'Submit 30 payments' }).press('Enter');
  await page.getByRole('heading', { name: 'November bonus' }).waitFor();
  await page.getByText(/Payments with an unknown outcome/).waitFor();
  const batch = new URL(page.url()).searchParams.get('batch') ?? '';
  const { states, payments } = await ended(call, batch);
  const counts = new Map(states.map((one) => [one.state, one.payments]));
  expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(30);
  expect(counts.get('not-sent')).toBeGreaterThan(20);
  const lost = counts.get('unknown') ?? 0;
  expect(lost).toBeGreaterThan(1);
  await page.getByRole('button', { name: /Correct \d+ payments and submit them/ }).waitFor();
  await expectAccessible(page);

  proxy.restore();
  const arrived = proxy.arrived;
  // One of them arrived for certain, and so did the others: only their responses were lost. For one, the key says otherwise.
  const missing = payments.find(({ state }) => state === 'unknown');
  const ask = other.cloud.operator.paymentsWith.bind(other.cloud.operator);
  const blind = vi.spyOn(other.cloud.operator, 'paymentsWith').mockImplementationOnce(async (...given) => {
    const found = await ask(...given);
    return found.filter(({ idempotencyKey }) => idempotencyKey !== missing?.key);
  });
  await page.getByRole('button', { name: 'Settle all' }).press('Enter');
  await page.getByText(`The service has ${lost - 1} of them, cannot get 0 any more, and may still get 1.`).waitFor();
  blind.mockRestore();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send again: 1' }).press('Enter');
  await page.getByText('Sent again: 1 accepted, 0 not accepted, 0 unknown.').waitFor();
  await page.getByText('No outcome is unknown any more').waitFor();
  const listed = await paymentsOf(call, contract, component);
  expect(listed).toHaveLength(arrived);
  expect(new Set(listed.map(({ entry }) => entry?.batch))).toEqual(new Set([batch]));
  expect(other.records.events({ subject: missing?.key ?? '' })[0]).toMatchObject({ action: 'resend-payment' });

  // The notification of the payment still shows.
  await goTo(page, '/payments');
  await page.getByText(/Payments of yours that were not sent/).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show' }).first().press('Enter');
  await page.getByRole('button', { name: /Correct \d+ payments and submit them/ }).press('Enter');
  await page.getByText(/\d+ rows, all complete/).waitFor();
  await page.getByRole('button', { name: 'Review' }).press('Enter');
  await page.getByLabel(/I have checked these/).press('Space');
  await page.getByRole('button', { name: /Submit \d+ payments/ }).press('Enter');
  await page.getByRole('button', { name: 'Submit more payments' }).waitFor();
  await page.goto(`${other.origin()}/payments`);
  await settled(page);
  await expect(page.getByText(/not sent/).count()).resolves.toBe(0);
});

test('an outcome that nobody asked for in time is settled by the key, and pays once', async () => {
  await using proxy = await losingProxy(inject('demoUrl'), 0);
  await using other = await startTestConsole({ HR_BASE_URL: proxy.url });
  const call = other.signIn();
  const { contractId } = freshContract();
  const batch = await submit(call, contractId, [1]);
  await expect.poll(async () => (await batchOf(call, batch)).states).toMatchObject([{ state: 'unknown' }]);
  proxy.restore();
  const blind = vi.spyOn(other.cloud.operator, 'paymentsWith').mockResolvedValue([]);
  const settle = async (): Promise<unknown> => await (await call('/bff/payments/settle', { batch })).json();
  expect(await settle()).toEqual({ accepted: 0, notAccepted: 0, unknown: 1 });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  // Its key is too old by now to send it again with it, but it did arrive.
  expect(await (await call('/bff/payments/resend', { batch })).json()).toEqual({ sent: 0, refused: 0, unknown: 0 });
  blind.mockRestore();
  expect(await settle()).toEqual({ accepted: 1, notAccepted: 0, unknown: 0 });
  expect(await paymentsOf(call, contractId)).toHaveLength(1);
});

test('pasted payments survive a session that ended, and are gone once they are sent', async () => {
  const user = { name: 'Clara' };
  await using opened = await openPage(server, { path: '/payments?view=table', user });
  const { page } = opened;
  await page.getByLabel('Paste rows').fill(`${contract};2026-11;;KEPT;5`);
  await page.getByRole('button', { name: 'Read table' }).press('Enter');
  await page.getByLabel('Amount, row 1', { exact: true }).fill('6');
  // As in another tab.
  await page.evaluate(async () => await fetch('/bff/session', { method: 'DELETE' }));
  await page.getByText('Your session has ended').waitFor();
  await expectAccessible(page);
  const tab = await page.context().newPage();
  await tab.goto(server.link(user));
  await settled(tab);
  expect(await page.getByLabel('Amount, row 1', { exact: true }).inputValue()).toBe('6');
  await page.getByRole('button', { name: 'Review' }).press('Enter');
  await page.getByLabel('I have checked this payment').press('Space');
  await page.getByRole('button', { name: 'Submit 1 payment' }).press('Enter');
  await page.getByRole('button', { name: 'Submit more payments' }).press('Enter');
  await page.getByLabel('Paste rows').waitFor();
});

test('the list is accessible while it loads, when it is empty and when it cannot be read', async () => {
  await using opened = await openPage(server, {
    path: '/payments?state=all',
    viewport: { width: 360, height: 740 },
  });
  const { page } = opened;
  await expect(page.getByRole('row').count()).resolves.toBeLessThan(50);
  await expect(page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).resolves.toBe(true);
  await expectAccessible(page);
  await page.getByRole('searchbox').fill('no such payment');
  await page.getByText('No payment matches').waitFor();
  await expectAccessible(page);

  // A change by another test would read the screen anew.
  await intercept(page, '/bff/events', (intercepted) => intercepted.fail());
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await intercept(page, '/bff/payments', async (intercepted) => {
    await held;
    await intercepted.respond({ code: 'service-unavailable', detail: '' }, 503);
  });
  await goTo(page, '/payments');
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expectAccessible(page);
  release();
  await page.getByText('The service does not answer').first().waitFor();
  await expectAccessible(page);
  await intercept(page, '/bff/payments', (intercepted) =>
    intercepted.respond({ payments: [], counts: {}, readAt: '2026-11-22T12:00:00Z' }),
  );
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await page.getByText('No payments yet').waitFor();
  await expectAccessible(page);
});

test('on a phone, targets of a payment are large enough', async () => {
  const { contractId, name } = freshContract();
  await submitted(mara, contractId, [1]);
  const settings = { viewport: { width: 390, height: 740 }, locale: 'de-DE', user: { name: 'Tom Demo' } };
  await using opened = await openPage(server, { path: `/payments?q=${contractId}`, ...settings });
  const { page } = opened;
  expect(await poorTargets(page)).toEqual([]);
  await page.getByRole('row', { name }).press('Enter');
  await page.getByRole('button', { name: 'Zum Sammelauftrag' }).waitFor();
  expect(await poorTargets(page)).toEqual([]);
});

async function check(call: BffCaller, body: unknown): Promise<Check> {
  const response = await call('/bff/payments/check', body);
  expect(response.status).toBe(200);
  return (await response.json()) as Check;
}

/** Submits payments with some amounts, and returns the id of the batch. */
async function submit(call: BffCaller, contractId: string, amounts: readonly number[]): Promise<string> {
  const batch = randomUUID();
  const rows = amounts.map((amount) => ({
    contractId,
    payment: { billingPeriod: '2026-11', compensationComponentId: 'TEST', amount },
  }));
  expect((await call('/bff/payments/batches', { batch, name: 'A batch', rows })).status).toBe(204);
  return batch;
}

/** Submits payments, and waits until all are sent. */
async function submitted(call: BffCaller, contractId: string, amounts: readonly number[]): Promise<void> {
  const { states } = await ended(call, await submit(call, contractId, amounts));
  expect(states).toMatchObject([{ state: 'submitted', payments: amounts.length }]);
}

/** Decides, and waits until it has ended. A repeated request decides once. */
async function decided(call: BffCaller, input: object): Promise<DecisionRun> {
  const body = { run: randomUUID(), ...input };
  const responses = await Promise.all([body, body].map((each) => call('/bff/payments/decisions', each)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  await expect.poll(async () => (await runOf(call, body.run)).isRunning, { timeout: 60_000 }).toBe(false);
  return await runOf(call, body.run);
}

async function runOf(call: BffCaller, run: string): Promise<DecisionRun> {
  return (await (await call(`/bff/payments/decisions/${run}`)).json()) as DecisionRun;
}

async function batchOf(call: BffCaller, batch: string): Promise<BatchPage> {
  return (await (await call(`/bff/payments/batches/${batch}`)).json()) as BatchPage;
}

async function ended(call: BffCaller, batch: string): Promise<BatchPage> {
  await expect.poll(async () => (await batchOf(call, batch)).isRunning, { timeout: 60_000 }).toBe(false);
  return await batchOf(call, batch);
}

/** Reads all pages of the payments of a contract that the service has. */
async function paymentsOf(call: BffCaller, contractId: string, component?: string): Promise<InboxPayment[]> {
  const pages: InboxPage[] = [];
  do {
    const from = pages.at(-1)?.next;
    const query = `state=all&q=${contractId}${from === undefined ? '' : `&from=${from}`}`;
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    pages.push((await (await call(`/bff/payments?${query}`)).json()) as InboxPage);
  } while (pages.at(-1)?.next !== undefined);
  const isOf = ({ payment }: InboxPayment): boolean =>
    component === undefined || payment.compensationComponentId === component;
  return pages.flatMap(({ payments }) => payments.filter(isOf));
}

async function withComponent(call: BffCaller, component: string): Promise<InboxPayment[]> {
  return await paymentsOf(call, contract, component);
}

test('a console that stops gives up on requests without a response, and knows afterwards what it did not send', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hr-console-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await using proxy = await losingProxy(inject('demoUrl'), 0, true);
  const settings = { HR_BASE_URL: proxy.url, HR_CONSOLE_DATA: folder };
  const batch = randomUUID();
  const rows = Array.from({ length: 6 }, (_, index) => ({
    contractId: contract,
    payment: { billingPeriod: '2026-11', compensationComponentId: 'STOPPED', amount: index + 1 },
  }));
  {
    await using stopped = await startTestConsole(settings);
    expect((await stopped.signIn()('/bff/payments/batches', { batch, name: 'Six', rows })).status).toBe(204);
    await expect.poll(() => proxy.arrived).toBe(4);
  }
  await using restarted = await startTestConsole(settings);
  const call = restarted.signIn();
  const unknown = { state: 'unknown', entry: { code: 'aborted' } };
  const states = [unknown, unknown, unknown, unknown, { state: 'not-sent' }, { state: 'not-sent' }];
  const expected = { isRunning: false, payments: rows.map((row, index) => ({ ...row, ...states[index] })) };
  expect(await batchOf(call, batch)).toMatchObject(expected);
  expect(await unsentOf(call)).toEqual([{ batch, count: 2 }]);
  expect(await unsentOf(restarted.signIn({ name: 'Tom Demo' }))).toEqual([]);
  // It does not start again.
  expect((await call('/bff/payments/batches', { batch, name: 'Six', rows, allowEqual: true })).status).toBe(204);
  expect(await batchOf(call, batch)).toMatchObject(expected);
  expect(proxy.arrived).toBe(4);

  proxy.restore();
  const next = { batch: randomUUID(), name: 'Two', rows: rows.slice(4), replaces: batch };
  expect((await call('/bff/payments/batches', next)).status).toBe(204);
  expect((await ended(call, next.batch)).states).toMatchObject([{ state: 'submitted', payments: 2 }]);
  expect(await unsentOf(call)).toEqual([]);
  const inAnotherTab = { ...next, batch: randomUUID(), allowEqual: true };
  expect((await call('/bff/payments/batches', inAnotherTab)).status).toBe(404);
  expect(proxy.arrived).toBe(6);
});

test('a console that stops gives up on decisions without a response, and knows afterwards what it decided', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hr-console-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { contractId } = freshContract();
  const run = randomUUID();
  let payments: InboxPayment[] = [];
  {
    await using stopped = await startTestConsole({ HR_BASE_URL: inject('demoUrl'), HR_CONSOLE_DATA: folder });
    await stopped.cloud.sync('persons');
    await submitted(stopped.signIn(), contractId, [1, 2, 3, 4, 5, 6]);
    const approver = stopped.signIn({ name: 'Tom Demo' });
    payments = await paymentsOf(approver, contractId);
    const decide = stopped.cloud.operator.decide.bind(stopped.cloud.operator);
    const held = vi.spyOn(stopped.cloud.operator, 'decide').mockImplementation(async (...given) => {
      if (held.mock.calls.length === 1) return await decide(...given);
      await once(given[3], 'abort');
      throw new Problem('outcome-unknown', 'aborted');
    });
    const ids = payments.map(({ paymentId }) => paymentId);
    expect((await approver('/bff/payments/decisions', { run, decision: 'approve', chosen: { ids } })).status).toBe(200);
    await expect.poll(() => held.mock.calls.length).toBe(5);
  }
  await using restarted = await startTestConsole({ HR_BASE_URL: inject('demoUrl'), HR_CONSOLE_DATA: folder });
  const call = restarted.signIn({ name: 'Tom Demo' });
  const result = (await (await call(`/bff/payments/decisions/${run}`)).json()) as DecisionRun;
  expect(result).toMatchObject({ isRunning: false, total: 6, done: 1, waiting: 0 });
  const outcomes = result.results.map(({ state, problem }) => `${state} ${problem?.code ?? ''}`).toSorted();
  expect(outcomes).toEqual([...Array.from({ length: 4 }, () => 'failed outcome-unknown'), 'not-sent ']);
  // What may have taken effect is not missing in the record.
  const recorded = payments.filter(({ paymentId = '' }) => restarted.records.actors(paymentId, 'approve-payment')[0]);
  expect(recorded).toHaveLength(5);
});

test('decisions of a console that was killed are as far as it knew', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hr-console-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const run = { id: randomUUID(), user: 'local#tom.demo', decision: 'approve' } as const;
  {
    using records = new Records(recordsFile(folder));
    records.recordRun(run, [
      { payment: '1', contract: contract },
      { payment: '2', contract: contract },
    ]);
    records.settleDecision(run.id, '1', 'done');
  }
  await using restarted = await startTestConsole({ HR_BASE_URL: inject('demoUrl'), HR_CONSOLE_DATA: folder });
  const call = restarted.signIn({ name: 'Tom Demo' });
  expect(await (await call(`/bff/payments/decisions/${run.id}`)).json()).toMatchObject({
    isRunning: false,
    done: 1,
    results: [{ id: '2', state: 'interrupted', contractId: contract }],
  });
  await using opened = await openPage(restarted, { path: `/payments?run=${run.id}`, user: { name: 'Tom Demo' } });
  await opened.page.getByText('1 of 2 decisions took effect').waitFor();
  await opened.page.getByText('The console ended before it knew').waitFor();
});

async function unsentOf(call: BffCaller): Promise<unknown> {
  return ((await (await call('/bff/payments?state=submitted')).json()) as PaymentsScreen).unsent;
}

interface LosingProxy extends AsyncDisposable {
  readonly url: string;
  /** Number of payments that the service received. */
  readonly arrived: number;
  restore(): void;
}

/**
 * Forwards requests, and loses the responses to all payments after the first ones.
 *
 * @param keepsConnection - Whether the sender waits.
 */
async function losingProxy(target: string, goodOnes: number, keepsConnection = false): Promise<LosingProxy> {
  const keys = new Set<unknown>();
  let isRestored = false;
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    // The first sync reads those of each person, which no test of payments needs.
    if (url.includes('/absences')) {
      outgoing.setHeader('content-type', 'application/json').end('[]');
      return;
    }
    const isPayment = method === 'POST' && url.startsWith('/api/v1/payrollContract/');
    if (isPayment) keys.add(headers['idempotency-key']);
    const isLost = isPayment && keys.size > goodOnes && !isRestored;
    const forwarded = request(target + url, { method, headers }, (response) => {
      if (isLost) {
        response.resume();
        if (!keepsConnection) outgoing.destroy();
        return;
      }
      outgoing.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    get arrived() {
      return keys.size;
    },
    restore() {
      isRestored = true;
    },
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
