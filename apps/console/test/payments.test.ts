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
import type { Inbox, InboxPayment } from '../src/payments/payment-inbox.ts';
import { numberOf } from '../src/payments/payment-cells.ts';
import type { PaymentsScreen } from '../src/payments/payments-routes.ts';
import type { Submission } from '../src/payments/submissions.ts';
import { Problem } from '../src/backend/problem.ts';
import { intercept } from './intercept.ts';
import { expectAccessible, goTo, openPage, settled } from './open-page.ts';
import { consoleOfFile, startTestConsole, type BffCaller } from './start-test-console.ts';

const server = await consoleOfFile();
/** Two people, each with all roles. */
let mara: BffCaller;
let tom: BffCaller;

/** Of no other test: all test files share the demo. */
const contract = '5000-20299';
const person = 'Hannes König';

beforeAll(async () => {
  await server.cloud.sync('persons');
  [mara, tom] = [server.signIn(), server.signIn({ name: 'Tom Demo' })];
});

test.for([
  ['12', 12],
  ['-1,5', -1.5],
  ['1234,567', 1234.567],
  ['0.123', 0.123],
  ['1.234,50', 1234.5],
  ['1,234.50', 1234.5],
  ['1.234.567', 1_234_567],
  ['1 234,5', 1234.5],
  ['1.234', { point: 1.234, comma: 1234 }],
  ['1,234', { point: 1234, comma: 1.234 }],
  ['12 €', undefined],
  ['1.23.456', undefined],
  ['100-', undefined],
  ['1e5', undefined],
] as const)('the text %s is the number %j', ([text, number]) => {
  expect(numberOf(text, undefined)).toEqual(number);
});

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
  expect(first.question).toEqual({ text: '1.234', point: 1.234, comma: 1234 });
  expect(first.rows.map(({ faults }) => faults.map(({ cell, code }) => `${cell} ${code}`))).toEqual([
    ['amount ambiguous-number'],
    ['amount not-a-number', 'billingPeriod wrong-format', 'compensationComponentId required'],
    [],
  ]);
  expect(first.rows.map((row) => row.person?.name)).toEqual([person, person, undefined]);

  const { rows } = await check(mara, { rows: [first.rows[0]?.cells], decimalSign: 'comma', compare: true });
  expect(rows).toMatchObject([{ faults: [], equal: 0, row: { payment: { billingPeriod: '2026-11', amount: 1234 } } }]);
  const body = { batch: randomUUID(), rows: rows.map(({ row }) => row) };
  const responses = await Promise.all([1, 2, 3].map(() => mara('/bff/payments/submissions', body)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  await expect(ended(mara, body.batch)).resolves.toMatchObject({ rows: [{ state: 'sent', contractId: contract }] });
  expect((await mara('/bff/payments/submissions', body)).status).toBe(200);
  expect(await withComponent(mara, component)).toMatchObject([{ state: 'submitted', submitters: ['Mara Demo'] }]);

  const others = await tom('/bff/payments/submissions', body);
  expect(others.status).toBe(403);
  const equal = await tom('/bff/payments/submissions', { ...body, batch: randomUUID() });
  expect(equal.status).toBe(409);
  expect(await equal.json()).toMatchObject({ code: 'conflict', errors: [{ pointer: '/rows/0', code: 'equal' }] });
  expect(await withComponent(mara, component)).toHaveLength(1);
  const [{ id } = { id: '' }] = server.cloud.outbox.entries({ batch: body.batch });
  expect(server.records.events({ subject: id })).toMatchObject([{ user: 'Mara Demo', action: 'submit-payment' }]);
});

test('of people who submit the same payment at the same time, one does, and the others are warned', async () => {
  const callers = ['Mara Demo', 'Tom Demo', 'Eva Demo'].map((name) => server.signIn({ name }));
  for (let amount = 1; amount <= 5; amount++) {
    const payment = { billingPeriod: '2026-11', compensationComponentId: 'TOGETHER', amount };
    const submissions = callers.map(async (call) => {
      const batch = randomUUID();
      const { status } = await call('/bff/payments/submissions', { batch, rows: [{ contractId: contract, payment }] });
      if (status === 200) await ended(call, batch);
      return status;
    });
    // oxlint-disable-next-line no-await-in-loop -- one payment after the other
    const statuses = await Promise.all(submissions);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
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
  const component = 'OWN';
  await submitted(mara, component, [1]);
  const [payment] = await withComponent(mara, component);
  const decision = { run: randomUUID(), decision: 'approve', ids: [payment?.paymentId] };
  const viewer = server.signIn({ roles: ['viewer'] });
  expect((await viewer('/bff/payments/decisions', decision)).status).toBe(403);
  expect((await viewer('/bff/payments/check', {})).status).toBe(403);

  const refused = await mara('/bff/payments/decisions', decision);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ errors: [{ pointer: '/ids/0', code: 'own' }] });
  await using opened = await openPage(server, { path: `/payments?q=${component}` });
  const { page } = opened;
  await expect(page.getByRole('checkbox', { name: 'Select all' }).count()).resolves.toBe(0);
  await page.getByRole('button', { name: person }).press('Enter');
  await page.getByRole('dialog').getByText('You cannot decide on this payment').waitFor();
  await expect(page.getByRole('button', { name: 'Approve', exact: true }).count()).resolves.toBe(0);
  expect((await tom('/bff/payments/decisions', { ...decision, decision: 'reject' })).status).toBe(400);
  expect((await tom('/bff/payments/decisions', decision)).status).toBe(200);
});

test('nobody approves a payment that they submit while the decision runs, though its id can be guessed', async () => {
  const component = 'GUESSED';
  const list = server.cloud.operator.payments.bind(server.cloud.operator);
  const known = vi.spyOn(server.cloud.operator, 'payments').mockImplementationOnce(async () => {
    const payments = await list();
    await submitted(mara, component, [1]);
    return payments;
  });
  const next = Math.max(...(await list()).map(({ id }) => Number(id))) + 1;
  // Other test files submit payments, too.
  const ids = Array.from({ length: 100 }, (_, index) => String(next + index));
  const results = await decided(mara, { decision: 'approve', ids });
  known.mockRestore();
  expect(new Set(results.map(({ problem }) => problem?.code))).toEqual(new Set(['not-found']));
  expect(await withComponent(mara, component)).toMatchObject([{ state: 'submitted', isOwn: true }]);
});

test('two payments are approved together, one of which was decided on meanwhile', async () => {
  const component = 'BULK';
  await submitted(mara, component, [1, 2]);
  await using opened = await openPage(server, {
    path: `/payments?q=${component}`,
    user: { name: 'Tom Demo' },
    colorScheme: 'dark',
  });
  const { page, requests } = opened;
  expect(requests.filter((line) => line.includes('payments'))).toEqual(['GET /bff/payments']);
  await page.getByRole('checkbox', { name: 'Select all' }).press('Space');
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Approve', exact: true }).press('Enter');
  await page.getByRole('dialog', { name: 'Approve 2 payments' }).waitFor();
  await expectAccessible(page);
  const eva = server.signIn({ name: 'Eva Demo' });
  const before = (await withComponent(eva, component)).at(-1);
  const rejection = { decision: 'reject', ids: [before?.paymentId], reason: 'Too late' };
  expect(await decided(eva, rejection)).toMatchObject([{ id: before?.paymentId, state: 'done' }]);

  await page.getByLabel('Reason').fill('As agreed');
  await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).press('Enter');
  await page.getByText('1 of 2 decisions took effect').waitFor();
  await page.getByText(/Rejected before by Eva Demo \(client operator\)/).waitFor();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().press('Enter');
  const both = await withComponent(tom, component);
  expect(new Map(both.map(({ state, decision }) => [state, decision?.person]))).toEqual(
    new Map([
      ['approved', 'Tom Demo'],
      ['rejected', 'Eva Demo'],
    ]),
  );
  await page.getByRole('button', { name: /^Rejected/ }).press('Enter');
  await page.getByRole('button', { name: person }).press('Enter');
  await page.getByText('Rejected by Eva Demo (client operator)').waitFor();
  await page.getByText('Reason: Too late').waitFor();
  await expect(page.getByText(/Request ID: [\da-f-]{36}/).count()).resolves.toBe(2);
});

test('decisions show how far they are, and stop when a person says so', async () => {
  const component = 'STOP';
  await submitted(mara, component, [1, 2, 3, 4, 5, 6, 7, 8]);
  const decide = server.cloud.operator.decide.bind(server.cloud.operator);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let sent = 0;
  const slow = vi.spyOn(server.cloud.operator, 'decide').mockImplementation(async (...given) => {
    sent++;
    if (sent > 2) await held;
    return await decide(...given);
  });
  await using opened = await openPage(server, { path: `/payments?q=${component}`, user: { name: 'Tom Demo' } });
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
  await expect(page.getByRole('cell', { name: 'Not decided, because it was stopped' }).count()).resolves.toBe(2);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().press('Enter');
  slow.mockRestore();
  const states = Map.groupBy(await withComponent(tom, component), ({ state }) => state);
  expect([states.get('rejected')?.length, states.get('submitted')?.length]).toEqual([6, 2]);
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
  await page.getByLabel('Abrechnungsmonat').fill('2026-11');
  await page.getByLabel('Lohnart').fill('FORM');
  await page.getByLabel('Betrag').fill('1.234');
  await page.keyboard.press('Enter');
  await page.getByText('Was bedeutet 1.234?').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: '1.234 (Dezimalkomma)' }).press('Enter');
  await page.getByRole('cell', { name: '1.234,00' }).waitFor();
  await expect(page.getByRole('button', { name: '1 Zahlung einreichen' }).isDisabled()).resolves.toBe(true);
  await page.getByLabel('Ich habe diese Zahlung geprüft').press('Space');
  await expectAccessible(page);
  await page.getByRole('button', { name: '1 Zahlung einreichen' }).press('Enter');
  await page.getByText('Eingereicht, noch nicht sichtbar: 1', { exact: true }).waitFor();
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
  await page.getByText('1 of 30 rows need a correction').waitFor();
  // The first fault may be far out of sight.
  await page.getByRole('button', { name: 'Review' }).press('Enter');
  await page.locator('[aria-label="Amount, row 2"]:focus').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Amount, row 2', { exact: true }).fill('2');
  await page.getByRole('button', { name: 'Review' }).press('Enter');
  await page.getByRole('row', { name: `${component} 30 465.00` }).waitFor();
  await page.getByLabel('I have checked these 30 payments').press('Space');
  await page.getByRole('button', { name: 'Submit 30 payments' }).press('Enter');
  await page.getByText(/have an unknown outcome/).waitFor();
  const batch = new URL(page.url()).searchParams.get('batch') ?? '';
  const { rows: results } = await ended(call, batch);
  const states = Map.groupBy(results, ({ state }) => state);
  expect(states.get('not-sent')?.length).toBeGreaterThan(20);
  expect(states.get('unknown')?.length).toBeGreaterThan(1);
  await page.getByRole('button', { name: /Review \d+ payments that were not sent/ }).waitFor();
  await expectAccessible(page);

  proxy.restore();
  const arrived = proxy.arrived;
  const sent = await withComponent(call, component);
  const [unknown, arrivedOne] = sent.filter(({ state }) => state === 'unknown');
  await page.goto(`${other.origin()}/payments?q=${component}&payment=${unknown?.key}&state=unknown`);
  await page.getByText(/The service lists \d equal payment/).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send again' }).press('Enter');
  await expect.poll(async () => await stateOfEntry(call, unknown?.entry?.id)).toBe('sent');
  const listed = await withComponent(call, component);
  expect(listed.filter(({ paymentId }) => paymentId !== undefined)).toHaveLength(arrived);
  expect(other.records.events({ subject: unknown?.entry?.id ?? '' })[0]).toMatchObject({ action: 'resend-payment' });

  await goTo(page, `/payments?payment=${arrivedOne?.key}`);
  const look = page.getByRole('button', { name: 'Compare with approved payments' });
  await look.press('Enter');
  await page.getByText('No approved payment can be this one.').waitFor();
  const equal = sent.find(
    ({ paymentId, payment }) => paymentId !== undefined && payment.amount === arrivedOne?.payment.amount,
  );
  const decision = { decision: 'approve', ids: [equal?.paymentId] };
  expect(await decided(other.signIn({ name: 'Tom Demo' }), decision)).toMatchObject([{ state: 'done' }]);
  await look.press('Enter');
  await page.getByText('The payment had arrived, and it is approved.').waitFor();
  await look.waitFor({ state: 'detached' });

  // The notification of the payment still shows.
  await goTo(page, '/payments');
  await page.getByText(/of your payments were not sent/).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show' }).first().press('Enter');
  await page.getByRole('button', { name: /Review \d+ payments that were not sent/ }).press('Enter');
  await page.getByLabel(/I have checked these/).press('Space');
  await page.getByRole('button', { name: /Submit \d+ payments/ }).press('Enter');
  await page.getByText(/^Submitted, not yet visible: \d+$/).waitFor();
  await page.goto(`${other.origin()}/payments`);
  await settled(page);
  await expect(page.getByText(/not sent/).count()).resolves.toBe(0);
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
  await page.getByText('To go on with what you entered').waitFor();
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
  await expect(page.locator('tbody tr[data-index]').count()).resolves.toBeLessThan(50);
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
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expectAccessible(page);
  release();
  await page.getByText('The service does not answer').first().waitFor();
  await expectAccessible(page);
  await intercept(page, '/bff/payments', (intercepted) =>
    intercepted.respond({ payments: [], unsent: [], readAt: '2026-11-22T12:00:00Z' }),
  );
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await page.getByText('No payments yet').waitFor();
  await expectAccessible(page);
});

async function check(call: BffCaller, body: unknown): Promise<Check> {
  const response = await call('/bff/payments/check', body);
  expect(response.status).toBe(200);
  return (await response.json()) as Check;
}

/** Submits payments with some amounts, and waits until all are sent. */
async function submitted(call: BffCaller, component: string, amounts: readonly number[]): Promise<void> {
  const batch = randomUUID();
  const rows = amounts.map((amount) => ({
    contractId: contract,
    payment: { billingPeriod: '2026-11', compensationComponentId: component, amount },
  }));
  expect((await call('/bff/payments/submissions', { batch, rows })).status).toBe(200);
  expect((await ended(call, batch)).rows.map(({ state }) => state)).toEqual(rows.map(() => 'sent'));
}

/** Decides, and waits until it has ended. A repeated request decides once. */
async function decided(call: BffCaller, input: object): Promise<DecisionRun['results']> {
  const body = { run: randomUUID(), ...input };
  const responses = await Promise.all([body, body].map((each) => call('/bff/payments/decisions', each)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  const read = async (): Promise<DecisionRun> =>
    (await (await call(`/bff/payments/decisions/${body.run}`)).json()) as DecisionRun;
  await expect.poll(async () => (await read()).isRunning, { timeout: 60_000 }).toBe(false);
  return (await read()).results;
}

async function ended(call: BffCaller, batch: string): Promise<Submission> {
  const read = async (): Promise<Submission> =>
    (await (await call(`/bff/payments/submissions/${batch}`)).json()) as Submission;
  await expect.poll(async () => (await read()).isRunning, { timeout: 60_000 }).toBe(false);
  return await read();
}

async function withComponent(call: BffCaller, component: string): Promise<InboxPayment[]> {
  const { payments } = (await (await call('/bff/payments')).json()) as Inbox;
  return payments.filter(({ payment }) => payment.compensationComponentId === component);
}

async function stateOfEntry(call: BffCaller, id: string | undefined): Promise<string | undefined> {
  const { payments } = (await (await call('/bff/payments')).json()) as Inbox;
  return payments.find(({ entry }) => entry?.id === id)?.state ?? 'sent';
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
    expect((await stopped.signIn()('/bff/payments/submissions', { batch, rows })).status).toBe(200);
    await expect.poll(() => proxy.arrived).toBe(4);
  }
  await using restarted = await startTestConsole(settings);
  const call = restarted.signIn();
  const unknown = { state: 'unknown', code: 'aborted' };
  const states = [unknown, unknown, unknown, unknown, { state: 'not-sent' }, { state: 'not-sent' }];
  const expected = { isRunning: false, rows: rows.map((row, index) => ({ ...row, ...states[index] })) };
  expect(await (await call(`/bff/payments/submissions/${batch}`)).json()).toMatchObject(expected);
  expect(await unsentOf(call)).toEqual([{ batch, count: 2 }]);
  expect(await unsentOf(restarted.signIn({ name: 'Tom Demo' }))).toEqual([]);
  // It does not start again.
  expect(await (await call('/bff/payments/submissions', { batch, rows, allowEqual: true })).json()).toMatchObject(
    expected,
  );
  expect(proxy.arrived).toBe(4);

  proxy.restore();
  const next = { batch: randomUUID(), rows: rows.slice(4), replaces: batch };
  expect((await call('/bff/payments/submissions', next)).status).toBe(200);
  expect((await ended(call, next.batch)).rows).toMatchObject([{ state: 'sent' }, { state: 'sent' }]);
  expect(await unsentOf(call)).toEqual([]);
  const inAnotherTab = { ...next, batch: randomUUID(), allowEqual: true };
  expect((await call('/bff/payments/submissions', inAnotherTab)).status).toBe(404);
  expect(proxy.arrived).toBe(6);
});

test('a console that stops gives up on decisions without a response, and has them in its record', async () => {
  const stopped = await startTestConsole();
  await submitted(stopped.signIn(), 'HELD', [1]);
  const approver = stopped.signIn({ name: 'Tom Demo' });
  const [payment] = await withComponent(approver, 'HELD');
  const decide = vi.spyOn(stopped.cloud.operator, 'decide').mockImplementation(async (id, decision, reason, signal) => {
    await once(signal, 'abort');
    throw new Problem('outcome-unknown', `${decision} ${id}: ${reason}`);
  });
  const recorded = vi.spyOn(stopped.records, 'record');
  const decision = { run: randomUUID(), decision: 'approve', ids: [payment?.paymentId] };
  expect((await approver('/bff/payments/decisions', decision)).status).toBe(200);
  await expect.poll(() => decide.mock.calls.length).toBe(1);
  await stopped[Symbol.asyncDispose]();
  expect(recorded).toHaveBeenLastCalledWith(
    expect.objectContaining({ name: 'Tom Demo' }),
    'approve-payment',
    payment?.paymentId,
  );
});

async function unsentOf(call: BffCaller): Promise<unknown> {
  return ((await (await call('/bff/payments')).json()) as PaymentsScreen).unsent;
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
