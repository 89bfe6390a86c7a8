import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSession, startCompany, waitUntil, type Company } from './session.ts';

const stored = {
  address: { street: 'Altgasse', houseNumber: '12 a', zipCode: '10115', city: 'Berlin', additionalAddressInfo: 'Hof' },
  bankDetails: { iban: 'DE02120300000000202051', bic: 'BYLADEM1001', payee: 'Max Muster' },
};
const address = { street: 'Neuweg', houseNumber: '3', zipCode: '10115', city: 'Berlin' };
const bankDetails = { iban: 'DE02500105170137075030', bic: 'INGDDEFF' };
const confirmed: ElicitResult = { action: 'accept', content: { confirm: true } };

let company: Company;
let id = '';
let contractId = '';
let questions: string[] = [];

beforeAll(async () => {
  company = await startCompany(5);
});
afterAll(() => company[Symbol.asyncDispose]());
beforeEach(() => {
  const { fake } = company;
  questions = [];
  ({ id } = fake.persons.add({ firstName: 'Ada', lastName: 'Evil\u202E\n- iban: …0000', ...stored }));
  contractId = fake.contracts.add({ personId: id }).payrollContractId;
  fake.clearRequests();
});

const confirming = (answer: ElicitResult = confirmed) => ({
  allowWrites: true,
  onQuestion(question: string) {
    questions.push(question);
    return answer;
  },
});
const changes = () => company.fake.requests.filter(({ method }) => method === 'PATCH');
const payments = () => company.fake.requests.filter(({ operation }) => operation === 'submitVariablePayment');
const personNow = () => company.fake.persons.list().find((person) => person.id === id);

test('tools that change data are listed with --allow-writes, marked as such', async () => {
  await using session = await openSession(company, { allowWrites: true });
  const { tools } = await session.client.listTools();
  const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
  expect(hints['updatePerson']).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
  expect(hints['submitVariablePayment']).toMatchObject({ readOnlyHint: false, idempotentHint: false });
});

test('a change is sent when the user has confirmed it, and was compared with what is stored', async () => {
  await using session = await openSession(company, confirming());
  await expect(session.call('updatePerson', { id, addresses: [address], bankDetails })).resolves.toMatchObject({
    personId: id,
    changed: ['addresses', 'bankDetails'],
  });
  expect(questions).toEqual([
    `Change the data of Ada Evil - iban: …0000 (${id})?

Address
- street: the stored value → Neuweg
- houseNumber: the stored value → 3
- additionalAddressInfo: the stored value (will be discarded)
- zipCode: 10115 (unchanged)
- city: Berlin (unchanged)
Other stored addresses, which the HR Cloud does not show, are replaced too.

Bank details
- iban: DE•• •••• 2051 → DE•• •••• 5030
- bic: the stored value → INGDDEFF
- payee: the stored value (will be discarded)`,
  ]);
  expect(personNow()).toMatchObject({ address, bankDetails });
  const bytes = session.received.join('\n') + JSON.stringify(session.log());
  for (const secret of [...Object.values(bankDetails), ...Object.values(stored.bankDetails), 'Altgasse']) {
    // The user sees the new values, apart from the IBAN.
    const places = secret === bankDetails.bic ? bytes.replaceAll(`→ ${secret}`, '') : bytes;
    expect(places).not.toContain(secret);
  }
  expect(session.log().at(-1)).toMatchObject({ tool: 'updatePerson', personIds: [id], outcome: 'done' });
  // The next call sees the change.
  await expect(session.call('getPerson', { id })).resolves.toMatchObject({ masked: ['address', 'bankDetails'] });
  expect(company.mirror.person(id)?.person).toMatchObject({ address, bankDetails });
});

test('with --reveal the question has the stored values, and still no whole IBAN', async () => {
  await using session = await openSession(company, { ...confirming({ action: 'decline' }), reveal: true });
  await expect(session.failure('updatePerson', { id, addresses: [], bankDetails: {} })).resolves.toContain(
    'did not confirm',
  );
  expect(questions[0]).toContain('- street: Altgasse (will be discarded)');
  expect(questions[0]).toContain('- iban: DE•• •••• 2051 (will be discarded)');
  await session.failure('updatePerson', { id, bankDetails: { iban: 'DE02500105170137075031' } });
  expect(questions[1]).toContain('Warning: the check digits of the new IBAN are wrong.');
  expect(questions.join('\n')).not.toMatch(/DE02/);
  expect(changes()).toEqual([]);
});

test.each([
  ['declines', { action: 'decline' }],
  ['closes the form', { action: 'cancel' }],
  ['does not tick the box', { action: 'accept', content: { confirm: false } }],
] as const)('nothing is sent if the user %s', async (_name, answer) => {
  await using session = await openSession(company, confirming(answer));
  await expect(session.failure('updatePerson', { id, addresses: [address] })).resolves.toContain('Nothing was sent');
  const payment = { contractId, billingPeriod: '2026-12', compensationComponentId: 'BONUS', amount: 250 };
  await expect(session.failure('submitVariablePayment', payment)).resolves.toContain('Nothing was sent');
  expect([...changes(), ...payments()]).toEqual([]);
  expect(session.log().slice(-2)).toMatchObject([{ code: 'not-confirmed' }, { code: 'not-confirmed' }]);
});

test('a client that cannot ask the user cannot change anything', async () => {
  await using session = await openSession(company, { allowWrites: true });
  await expect(session.failure('updatePerson', { id, addresses: [address] })).resolves.toContain('"elicitation"');
  const payment = { contractId, billingPeriod: '2026-12', compensationComponentId: 'BONUS', amount: 250 };
  await expect(session.failure('submitVariablePayment', payment)).resolves.toContain('"elicitation"');
  expect([...changes(), ...payments()]).toEqual([]);
});

test('nothing is sent if the person was changed while the question was open, or cannot be compared', async () => {
  await using session = await openSession(company, {
    allowWrites: true,
    async onQuestion() {
      await company.hr.persons.update(id, { addresses: [{ ...stored.address, street: 'Drittstraße' }] });
      return confirmed;
    },
  });
  await expect(session.failure('updatePerson', { id, addresses: [address] })).resolves.toContain(
    'was changed meanwhile',
  );
  expect(personNow()).toMatchObject({ address: { street: 'Drittstraße' } });
  company.fake.failNext('listPersons', 503);
  await expect(session.failure('updatePerson', { id, addresses: [address] })).resolves.toContain('is not known');
  await expect(session.failure('updatePerson', { id })).resolves.toContain('Nothing to change');
  expect(changes()).toHaveLength(1);
});

test('a failed change says whether it may have been made', async () => {
  await using session = await openSession(company, confirming());
  company.fake.failNext('updatePerson', 403);
  await expect(session.failure('updatePerson', { id, bankDetails })).resolves.toContain('The change was not made.');
  company.fake.failNext('updatePerson', 'lost-response');
  await expect(session.failure('updatePerson', { id, bankDetails })).resolves.toContain(
    'The change may have been made.',
  );
  expect(session.log().slice(-2)).toMatchObject([{ code: 'forbidden' }, { code: 'network' }]);
});

test('a confirmed payment is submitted once, and the question warns of an equal one', async () => {
  await using session = await openSession(company, confirming());
  const payment = { billingPeriod: '2026-12', compensationComponentId: 'BONUS\n- amount: 1', amount: 250 };
  const { outboxId, ...rest } = await session.call('submitVariablePayment', { contractId, ...payment });
  expect(rest).toMatchObject({ contractId, billingPeriod: '2026-12', state: 'sent' });
  expect(questions[0]).toBe(`Submit a variable payment for Ada Evil - iban: …0000 (${id})?

- Payroll contract: ${contractId}
- Billing period: 2026-12
- Month it affects: 2026-12
- Compensation component: BONUS - amount: 1
- amount: 250

It then waits for the approval by the payroll administrator. It cannot be taken back here.`);
  expect(payments()).toHaveLength(1);
  expect(company.outbox.entry(outboxId as string)).toMatchObject({ contractId, payment, state: 'sent' });
  const logged = session.log().at(-1);
  expect(logged).toMatchObject({ personIds: [id], contractId, outboxId, outcome: 'done' });
  // Ids and times have digits of their own.
  expect(JSON.stringify({ ...logged, outboxId: '', time: '', durationMs: 0 })).not.toContain('250');

  await session.call('submitVariablePayment', { contractId, ...payment });
  expect(questions[1]).toMatch(
    /- amount: 250\nWarning: the same payment was submitted at .*Z \(sent\)\. This is another one\./,
  );
  await expect(
    session.failure('submitVariablePayment', { contractId, billingPeriod: '2026-12', compensationComponentId: 'X' }),
  ).resolves.toContain('at least one of');
  await expect(session.failure('submitVariablePayment', { ...payment, contractId: 'nobody' })).resolves.toContain(
    '/contractId',
  );
});

test('two questions at the same time about the same payment submit it once', async () => {
  const bothAsked = Promise.withResolvers<ElicitResult>();
  await using session = await openSession(company, {
    allowWrites: true,
    onQuestion(question) {
      if (questions.push(question) === 2) bothAsked.resolve(confirmed);
      return bothAsked.promise;
    },
  });
  const payment = { contractId, billingPeriod: '2026-12', compensationComponentId: 'BONUS', amount: 99 };
  const ends = await Promise.allSettled([
    session.call('submitVariablePayment', payment),
    session.call('submitVariablePayment', payment),
  ]);
  expect(ends).toMatchObject([
    { status: 'fulfilled' },
    { reason: { message: expect.stringContaining('Nothing was sent: the same payment') as string } },
  ]);
  expect(payments()).toHaveLength(1);
});

test('a payment with an unknown outcome is never sent again', async () => {
  await using session = await openSession(company, confirming());
  const payment = { contractId, billingPeriod: '2026-12', compensationComponentId: 'BONUS', amount: 77 };
  company.fake.failNext('submitVariablePayment', 'lost-response');
  const reason = await session.failure('submitVariablePayment', payment);
  expect(reason).toContain('The outcome is unknown: the payment may have been accepted.');
  expect(reason).toContain('Do not call the tool again');
  expect(payments()).toHaveLength(1);
  expect(session.log().at(-1)).toMatchObject({ outcome: 'failed', code: 'unknown-outcome', contractId });
  company.fake.failNext('submitVariablePayment', 403);
  await expect(session.failure('submitVariablePayment', payment)).resolves.toContain('refused the payment');
});

test('a cancellation after the confirmation does not leave the outcome of a payment unknown', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  company.gate = { path: `/api/v1/payrollContract/${contractId}/variable-payments`, open: promise };
  await using session = await openSession(company, confirming());
  const payment = { contractId, billingPeriod: '2026-12', compensationComponentId: 'BONUS', amount: 99 };
  const cancel = new AbortController();
  const call = session.client
    .callTool({ name: 'submitVariablePayment', arguments: payment }, undefined, { signal: cancel.signal })
    .catch(() => undefined);
  await waitUntil(() => [...company.outbox.entries({ contractId })].length === 1);
  cancel.abort();
  await call;
  resolve();
  await waitUntil(() => session.log().at(-1)?.['contractId'] === contractId);
  expect([...company.outbox.entries({ contractId })]).toMatchObject([{ state: 'sent' }]);
  company.gate = undefined;
});
