import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { clientCredentials } from '@hr/auth';
import { startFakeHrCloud } from '@hr/testing/fake';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHrClient, type HrClient } from '../src/index.ts';
import {
  openOutbox,
  type Outbox,
  type OutboxEntry,
  type OutboxOptions,
  type OutboxQuery,
} from '../src/mirror/index.ts';
import { clientOf, json, nobody, service, type Answer } from './service.ts';

const folder = await mkdtemp(join(tmpdir(), 'outbox-'));
const fake = await startFakeHrCloud();
const { url: baseUrl, clientId, clientSecret } = fake;
const hr = createHrClient({
  baseUrl,
  auth: clientCredentials({ baseUrl, clientId, clientSecret }),
  retry: { limit: 0 },
});
const contract = '1000-20001';
const source = 'a-client at an-address';
const bonus = { billingPeriod: '2026-12', compensationComponentId: 'BONUS', amount: 250 };

let count = 0;
let file: string;
let outbox: Outbox;

beforeEach(() => {
  fake.reset();
  const { id: personId } = fake.persons.add({ lastName: 'Ek' });
  fake.contracts.add({ payrollContractId: contract, personId, start: '2026-01-01' });
  file = join(folder, `${++count}.db`);
  outbox = openOutbox({ file, source });
});
afterEach(() => {
  outbox.close();
  vi.useRealTimers();
});
afterAll(async () => {
  await fake.stop();
  await rm(folder, { recursive: true });
});

const reopen = (options: Partial<OutboxOptions> = {}): void => {
  outbox.close();
  outbox = openOutbox({ file, source, ...options });
};
const states = (): string[] => [...outbox.entries()].map(({ state }) => state);
const sentKeys = () => fake.requests.flatMap(({ headers }) => headers['idempotency-key'] ?? []);
const submitUnknown = async (): Promise<OutboxEntry> => {
  fake.failNext('submitVariablePayment', 'lost-response');
  const entry = await outbox.submit(hr, contract, bonus);
  expect(entry).toMatchObject({ state: 'unknown', code: 'network' });
  return entry;
};

const approve = (number = 1): void => {
  const submitted = fake.payments.list().filter(({ state }) => state === 'submitted');
  for (const { id } of submitted.slice(0, number)) fake.payments.approve(id);
};
const decide = (decision: 'approve' | 'reject', key: string, reason?: string): void => {
  const payment = fake.payments.list().find(({ idempotencyKey }) => idempotencyKey === key);
  fake.payments[decision](payment?.id ?? '', reason);
};
function setVersion(version: number, application?: number): void {
  using database = new DatabaseSync(file);
  database.exec(`pragma user_version = ${version}`);
  if (application !== undefined) database.exec(`pragma application_id = ${application}`);
  reopen();
}

/** Makes the file what version 2 of the outbox wrote. */
function toVersion2(): void {
  using database = new DatabaseSync(file);
  database.exec(
    'alter table entry drop column note; alter table entry drop column resolved_at; pragma user_version = 2',
  );
}

describe('submit', () => {
  test('a payment is stored as sending, with its key, before its request arrives', async () => {
    let atArrival: OutboxEntry[] = [];
    await using provider = await service((response, request, index) => {
      using other = openOutbox({ file, source });
      atArrival = [...other.entries()];
      json({ ...bonus, payrollContractId: contract, correctionPeriod: '2026-12' })(response, request, index);
    });
    const entry = await outbox.submit(clientOf(provider), contract, bonus, { batch: 'bonuses', row: 1 });
    expect(entry).toMatchObject({ state: 'sent', contractId: contract, payment: bonus, batch: 'bonuses', row: 1 });
    expect(atArrival).toEqual([{ ...entry, state: 'sending' }]);
    expect(provider.requests[0]?.headers['idempotency-key']).toBe(entry.id);
  });

  test('a refused payment has the code and the request id, and no data of the payment', async () => {
    const entry = await outbox.submit(hr, 'secret-contract', bonus);
    expect(entry).toMatchObject({ state: 'refused', code: 'not-found', requestId: expect.any(String) });
    expect(entry.message).not.toMatch(/secret-contract|250/);
  });

  test('a payment whose response is lost is unknown, and one whose response is unusable is sent', async () => {
    await submitUnknown();
    fake.failNext('submitVariablePayment', 'truncated-response');
    expect(await outbox.submit(hr, contract, bonus)).toMatchObject({ state: 'sent', code: 'network' });
  });

  test('a payment that is refused for the rate of requests has no entry, and an unknown one stays so', async () => {
    fake.failNext('submitVariablePayment', 429);
    await expect(outbox.submit(hr, contract, bonus, { batch: 'a', row: 1 })).rejects.toMatchObject({
      code: 'rate-limited',
      outcome: 'rejected',
      retryAfterMs: expect.any(Number),
    });
    expect([...outbox.entries()]).toEqual([]);
    const { id } = await submitUnknown();
    reopen({ idempotency: 'provider-supports' });
    fake.failNext('submitVariablePayment', 429);
    await expect(outbox.resend(hr, id)).rejects.toMatchObject({ code: 'rate-limited' });
    expect(outbox.entry(id)).toMatchObject({ state: 'unknown', resentAs: undefined });
  });

  test('a payment that was not sent for certain has no entry', async () => {
    const payment = { ...bonus, billingPeriod: '2026-13' };
    const signal = AbortSignal.abort();
    await expect(outbox.submit(hr, contract, payment)).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(outbox.submit(hr, contract, bonus, { signal })).rejects.toMatchObject({ code: 'aborted' });
    await expect(outbox.submit(clientOf(await nobody()), contract, bonus)).rejects.toMatchObject({ code: 'network' });
    expect(states()).toEqual([]);
  });

  test('an aborted request is unknown', async () => {
    const controller = new AbortController();
    await using provider = await service(() => controller.abort());
    const entry = await outbox.submit(clientOf(provider), contract, bonus, { signal: controller.signal });
    expect(entry).toMatchObject({ state: 'unknown', code: 'aborted' });
  });

  test('an error that is not of the client leaves the payment unknown', async () => {
    const broken = { payroll: { submitVariablePayment: () => Promise.reject(new RangeError('broken')) } };
    await expect(outbox.submit(broken as unknown as HrClient, contract, bonus)).rejects.toThrow('broken');
    expect(states()).toEqual(['unknown']);
  });

  test('a row of a batch is submitted once', async () => {
    await outbox.submit(hr, contract, bonus, { batch: 'a', row: 1 });
    await expect(outbox.submit(hr, contract, bonus, { batch: 'a', row: 1 })).rejects.toMatchObject({
      code: 'already-submitted',
    });
    await outbox.submit(hr, contract, bonus, { batch: 'b', row: 1 });
    expect([...outbox.entries({ batch: 'a' })]).toHaveLength(1);
    expect(fake.payments.list()).toHaveLength(2);
  });
});

describe('resend', () => {
  test('an unknown payment keeps its key and its entry where the service supports keys, and pays once', async () => {
    reopen({ idempotency: 'provider-supports' });
    const entry = await submitUnknown();
    expect(outbox.mayPayTwice(entry)).toBe(false);
    expect(await outbox.resend(hr, entry.id)).toMatchObject({ id: entry.id, state: 'sent', code: undefined });
    expect(fake.payments.list()).toHaveLength(1);
    expect(sentKeys()).toEqual([entry.id, entry.id]);
  });

  test('an unknown payment stays unknown while its repetition has no effect', async () => {
    reopen({ idempotency: 'provider-supports' });
    const { id } = await submitUnknown();
    fake.failNext('submitVariablePayment', 403);
    expect(await outbox.resend(hr, id)).toMatchObject({ id, state: 'unknown', code: 'forbidden' });
    await expect(outbox.resend(clientOf(await nobody()), id)).rejects.toMatchObject({ outcome: 'not-sent' });
    expect(outbox.entry(id)).toMatchObject({ state: 'unknown', code: 'forbidden' });
  });

  test.each(['unsupported', 'provider-supports'] as const)(
    'an unknown payment whose key is not safe (%s) needs mayPayTwice, and has a new key and entry',
    async (idempotency) => {
      reopen({ idempotency });
      const entry = await submitUnknown();
      if (idempotency === 'provider-supports') vi.setSystemTime(Date.now() + 23 * 3_600_000);
      expect(outbox.mayPayTwice(entry)).toBe(true);
      await expect(outbox.resend(hr, entry.id)).rejects.toMatchObject({ code: 'may-pay-twice' });
      expect(sentKeys()).toEqual([entry.id]);

      const resent = await outbox.resend(hr, entry.id, { mayPayTwice: true });
      expect(resent).toMatchObject({ state: 'sent', payment: bonus });
      expect(outbox.entry(entry.id)).toMatchObject({ state: 'unknown', resentAs: resent.id });
      expect(sentKeys()).toEqual([entry.id, resent.id]);
      await expect(outbox.resend(hr, entry.id, { mayPayTwice: true })).rejects.toMatchObject({
        code: 'not-resendable',
      });
    },
  );

  test('a refused payment has a new entry in its row; without a request, nothing changes', async () => {
    fake.failNext('submitVariablePayment', 403);
    const { id } = await outbox.submit(hr, contract, bonus, { batch: 'a', row: 1 });
    const before = [...outbox.entries()];
    await expect(outbox.resend(clientOf(await nobody()), id)).rejects.toMatchObject({ outcome: 'not-sent' });
    expect([...outbox.entries()]).toEqual(before);

    const resent = await outbox.resend(hr, id);
    expect(resent).toMatchObject({ state: 'sent', batch: 'a', row: 1 });
    expect([...outbox.entries({ state: 'refused' })]).toMatchObject([{ id, resentAs: resent.id }]);
    await expect(outbox.submit(hr, contract, bonus, { batch: 'a', row: 1 })).rejects.toThrow(resent.id);
  });

  test('a sent payment that the service lost keeps its key, and pays once', async () => {
    reopen({ idempotency: 'provider-supports' });
    const { id } = await outbox.submit(hr, contract, bonus);
    expect(await outbox.resend(hr, id)).toMatchObject({ id, state: 'sent' });
    expect(fake.payments.list()).toHaveLength(1);
    fake.reset();
    fake.contracts.add({ payrollContractId: contract, personId: fake.persons.add({}).id, start: '2026-01-01' });
    expect(await outbox.resend(hr, id)).toMatchObject({ id, state: 'sent' });
    expect(fake.payments.list()).toMatchObject([{ idempotencyKey: id }]);
  });

  test('a sent payment and an unknown id are refused', async () => {
    const { id } = await outbox.submit(hr, contract, bonus);
    await expect(outbox.resend(hr, id, { mayPayTwice: true })).rejects.toMatchObject({ code: 'not-resendable' });
    await expect(outbox.resend(hr, 'nothing')).rejects.toMatchObject({ code: 'unknown-entry' });
    expect(fake.payments.list()).toHaveLength(1);
  });
});

describe('resolve', () => {
  test('an unknown payment becomes what a person found out, and a decision is above that', async () => {
    const [taken, notTaken] = [await submitUnknown(), await submitUnknown()];
    expect(outbox.resolve(taken.id, 'taken', 'Kim, ticket 4711')).toMatchObject({
      state: 'sent',
      note: 'Kim, ticket 4711',
      resolvedAt: expect.stringMatching(/Z$/),
    });
    expect(outbox.resolve(notTaken.id, 'not-taken', 'Kim')).toMatchObject({ state: 'refused', note: 'Kim' });
    reopen();
    expect(states()).toEqual(['sent', 'refused']);
    decide('approve', taken.id);
    decide('approve', notTaken.id);
    await outbox.reconcile(hr);
    expect(states()).toEqual(['approved', 'approved']);
    const refused = expect.objectContaining({ code: 'not-resolvable' }) as Error;
    expect(() => outbox.resolve(taken.id, 'taken', 'Kim')).toThrow(refused);
  });

  test('a payment that did arrive is paid once, whatever a person said of it, while its key is safe', async () => {
    reopen({ idempotency: 'provider-supports' });
    const { id } = await submitUnknown();
    outbox.resolve(id, 'not-taken', 'Kim');
    expect(await outbox.resend(hr, id)).toMatchObject({ id, state: 'sent' });
    expect(fake.payments.list()).toHaveLength(1);
  });

  test('an approved payment of which a person said that it is lost is approved again if it is not', async () => {
    reopen({ idempotency: 'provider-supports' });
    const { id } = await outbox.submit(hr, contract, bonus);
    decide('approve', id);
    await outbox.reconcile(hr);
    outbox.resolve(id, 'not-taken', 'Kim');
    expect(await outbox.resend(hr, id)).toMatchObject({ id, state: 'sent' });
    await outbox.reconcile(hr);
    expect(outbox.entry(id)).toMatchObject({ state: 'approved', decidedAt: expect.any(String) });
    expect(fake.payments.list()).toHaveLength(1);
  });

  test('entries that are sent again while they are listed are not listed anew', async () => {
    await submitUnknown();
    await using losing = await service((response) => response.destroy());
    let listed = 0;
    for (const { id } of outbox.entries({ state: 'unknown' })) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await outbox.resend(clientOf(losing), id, { mayPayTwice: true });
      if (++listed > 3) break;
    }
    expect(listed).toBe(1);
  });

  test.each(['sent', 'approved'])(
    'a payment that was %s, and that the service lost, can be sent anew',
    async (state) => {
      const { id } = await outbox.submit(hr, contract, bonus);
      if (state === 'approved') decide('approve', id);
      await outbox.reconcile(hr);
      expect(states()).toEqual([state]);
      outbox.resolve(id, 'not-taken', 'lost by a restore');
      const resent = await outbox.resend(hr, id);
      expect(resent).toMatchObject({ state: 'sent' });
      expect(resent.id).not.toBe(id);
      const refused = expect.objectContaining({
        code: 'not-resolvable',
        message: expect.stringContaining(resent.id),
      }) as Error;
      expect(() => outbox.resolve(id, 'taken', 'Kim')).toThrow(refused);
      expect(() => outbox.resolve('nothing', 'taken', 'Kim')).toThrow(
        expect.objectContaining({ code: 'unknown-entry' }) as Error,
      );
    },
  );
});

describe('reconcile', () => {
  test('takes the decision that was made anew after a restore of the service', async () => {
    const { id } = await outbox.submit(hr, contract, bonus);
    decide('approve', id);
    await outbox.reconcile(hr);
    // The service has lost the payment, and gets it again.
    fake.reset();
    const { id: personId } = fake.persons.add({ lastName: 'Ek' });
    fake.contracts.add({ payrollContractId: contract, personId, start: '2026-01-01' });
    await hr.payroll.submitVariablePayment(contract, { ...bonus, idempotencyKey: id });
    decide('reject', id, 'Too much.');
    expect(await outbox.reconcile(hr)).toMatchObject({ approved: 0, rejected: 1, open: 0 });
    expect(outbox.entry(id)).toMatchObject({ state: 'rejected', reason: 'Too much.' });
  });

  test('a sent and an unknown payment are approved and rejected by their keys', async () => {
    const unknown = await submitUnknown();
    const sent = await outbox.submit(hr, contract, bonus);
    const open = await outbox.submit(hr, contract, bonus);
    fake.failNext('submitVariablePayment', 'lost-request');
    const lost = await outbox.submit(hr, contract, bonus);
    decide('approve', unknown.id);
    decide('reject', sent.id, 'Already paid.');
    const decided: OutboxEntry[] = [];
    fake.clearRequests();
    expect(await outbox.reconcile(hr, { onDecided: (entry) => decided.push(entry) })).toEqual({
      approved: 1,
      rejected: 1,
      open: 2,
      withoutDecisions: undefined,
      unreadableContracts: [],
      unsupported: undefined,
    });
    expect(fake.requests.map(({ operation }) => operation)).toEqual(['listVariablePaymentDecisions']);
    expect(decided).toEqual([outbox.entry(unknown.id), outbox.entry(sent.id)]);
    expect(decided).toMatchObject([
      { state: 'approved', decidedAt: expect.any(String) as string, reason: undefined, code: 'network' },
      { state: 'rejected', reason: 'Already paid.' },
    ]);
    expect([outbox.entry(open.id)?.state, outbox.entry(lost.id)?.state]).toEqual(['sent', 'unknown']);
  });

  test('only decisions since the last call are read, and all of them once the cursor has expired', async () => {
    const [one, two] = [await outbox.submit(hr, contract, bonus), await outbox.submit(hr, contract, bonus)];
    decide('approve', one.id);
    await outbox.reconcile(hr);
    reopen();
    decide('reject', two.id);
    fake.clearRequests();
    expect(await outbox.reconcile(hr)).toMatchObject({ approved: 0, rejected: 1 });
    expect(fake.requests.map(({ query }) => Object.keys(query))).toEqual([['after']]);

    const three = await outbox.submit(hr, contract, bonus);
    decide('approve', three.id);
    fake.expireCursors('history');
    expect(await outbox.reconcile(hr)).toMatchObject({ approved: 1, rejected: 0, open: 0 });
    expect(states()).toEqual(['approved', 'rejected', 'approved']);
  });

  test('a decision corrects a comparison, which took an equal payment for that of the entry', async () => {
    const [one, two] = [await outbox.submit(hr, contract, bonus), await outbox.submit(hr, contract, bonus)];
    decide('approve', two.id);
    fake.failNext('listVariablePaymentDecisions', 403);
    expect(await outbox.reconcile(hr)).toMatchObject({ approved: 1, withoutDecisions: { status: 403 } });
    expect(states()).toEqual(['approved', 'sent']);
    expect(await outbox.reconcile(hr)).toMatchObject({ approved: 1, open: 1 });
    expect(states()).toEqual(['sent', 'approved']);
    fake.failNext('listVariablePaymentDecisions', 403);
    expect(await outbox.reconcile(hr)).toMatchObject({ approved: 0, open: 1 });
    decide('reject', one.id);
    await outbox.reconcile(hr);
    expect(states()).toEqual(['rejected', 'approved']);
  });

  test('entries are compared if decisions have no keys, until one has', async () => {
    const first = await outbox.submit(hr, contract, bonus);
    const keyless = fake.payments.add({ payrollContractId: contract, ...bonus });
    fake.payments.approve(keyless.id);
    expect(await outbox.reconcile(hr)).toMatchObject({ approved: 1, open: 0, withoutDecisions: undefined });
    expect(outbox.entry(first.id)).toMatchObject({ state: 'approved', decidedAt: undefined });
    const second = await outbox.submit(hr, contract, bonus);
    await outbox.submit(hr, contract, bonus);
    decide('approve', second.id);
    fake.payments.approve(fake.payments.add({ payrollContractId: contract, ...bonus }).id);
    expect(await outbox.reconcile(hr)).toMatchObject({ approved: 1, open: 1 });
    expect(states()).toEqual(['approved', 'approved', 'sent']);
  });

  test('a payment that is decided while its request is in flight stays decided', async () => {
    reopen({ idempotency: 'provider-supports' });
    const { id } = await submitUnknown();
    fake.failNext('submitVariablePayment', 'lost-response');
    const resent = outbox.resend(hr, id);
    decide('approve', id);
    await outbox.reconcile(hr);
    expect(await resent).toMatchObject({ id, state: 'approved' });
  });

  test('a rejected payment is not sent again', async () => {
    const { id } = await outbox.submit(hr, contract, bonus, { batch: 'a', row: 1 });
    decide('reject', id);
    await outbox.reconcile(hr);
    await expect(outbox.resend(hr, id, { mayPayTwice: true })).rejects.toMatchObject({
      code: 'not-resendable',
      message: expect.stringContaining('Submit a corrected payment'),
    });
    await expect(outbox.submit(hr, contract, bonus, { batch: 'a', row: 1 })).rejects.toMatchObject({
      code: 'already-submitted',
      message: expect.stringContaining('which is rejected'),
    });
  });
});

describe('reconcile without decisions', () => {
  beforeEach(() => fake.failNext('listVariablePaymentDecisions', 403, 10));

  test('as many entries are approved as the service lists equal payments', async () => {
    await outbox.submit(hr, contract, bonus);
    await outbox.submit(hr, contract, bonus);
    await outbox.submit(hr, contract, { ...bonus, correctionPeriod: '2026-11' });
    expect(await outbox.reconcile(hr)).toMatchObject({ approved: 0, open: 3 });
    approve();
    expect(await outbox.reconcile(hr)).toMatchObject({ approved: 1, open: 2 });
    expect(await outbox.reconcile(hr)).toMatchObject({ approved: 0, open: 2 });
    expect(states()).toEqual(['approved', 'sent', 'sent']);
    approve(2);
    expect(await outbox.reconcile(hr)).toMatchObject({ approved: 2, open: 0, unsupported: undefined });
  });

  test('an unknown payment is approved only if more payments are listed than were sent', async () => {
    const unknown = await submitUnknown();
    await outbox.submit(hr, contract, { ...bonus, correctionPeriod: '2026-12' });
    approve();
    await outbox.reconcile(hr);
    expect(states()).toEqual(['unknown', 'approved']);
    approve();
    await outbox.reconcile(hr);
    expect(outbox.entry(unknown.id)).toMatchObject({ state: 'approved' });
  });

  test('a payment of another program approves nothing that was submitted after it was counted', async () => {
    await hr.payroll.submitVariablePayment(contract, bonus);
    await outbox.submit(hr, contract, bonus);
    approve(2);
    expect(await outbox.reconcile(hr)).toMatchObject({ approved: 1 });
    await outbox.submit(hr, contract, bonus);
    await outbox.submit(hr, contract, bonus);
    expect(await outbox.reconcile(hr)).toMatchObject({ approved: 0, open: 2 });
    approve();
    expect(await outbox.reconcile(hr)).toMatchObject({ approved: 1, open: 1 });
  });

  test('a service without approved payments, and an unknown contract, are reported', async () => {
    await outbox.submit(hr, contract, bonus);
    await using provider = await service(
      ...([403, 403, 405, 405, 404, 404].map((status) => json({}, status)) as [Answer]),
    );
    const other = clientOf(provider);
    expect(await outbox.reconcile(other)).toMatchObject({ open: 1, unsupported: { status: 403 } });
    expect(await outbox.reconcile(other)).toMatchObject({ open: 1, unsupported: { status: 405 } });
    expect(await outbox.reconcile(other)).toEqual({
      approved: 0,
      rejected: 0,
      open: 1,
      withoutDecisions: expect.objectContaining({ status: 404 }),
      unreadableContracts: [contract],
      unsupported: undefined,
    });
    for (const month of ['07', '08', '09', '10', '11']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await outbox.submit(hr, contract, { ...bonus, billingPeriod: `2026-${month}` });
    }
    await using refusing = await service(json({}, 403));
    const done: number[] = [];
    expect(
      await outbox.reconcile(clientOf(refusing), { onProgress: (progress) => done.push(progress.done) }),
    ).toMatchObject({
      open: 6,
    });
    expect(done).toEqual([1, 2, 3, 4]);
    // One of them is for decisions.
    expect(refusing.requests).toHaveLength(5);
    await expect(outbox.reconcile(clientOf(await nobody()))).rejects.toMatchObject({ code: 'network' });
  });
});

test('entries are read from the latest on in pages, and counted by state', async () => {
  for (let row = 0; row < 5; row++) {
    if (row === 3) fake.failNext('submitVariablePayment', 403);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await outbox.submit(hr, contract, bonus, { batch: row < 4 ? 'a' : 'b', row });
  }
  const rows = (query: OutboxQuery): unknown[] => [...outbox.entries(query)].map(({ row }) => row);
  expect(rows({ latestFirst: true })).toEqual([4, 3, 2, 1, 0]);
  const [, , third] = outbox.entries({ latestFirst: true, batch: 'a' });
  expect(rows({ latestFirst: true, batch: 'a', before: third?.id })).toEqual([0]);
  expect(rows({ before: third?.id })).toEqual([0]);
  expect(rows({ before: 'unknown' })).toEqual([]);

  expect(outbox.counts()).toEqual({ sent: 4, refused: 1 });
  const [refused] = outbox.entries({ state: 'refused' });
  await outbox.resend(hr, refused?.id ?? '');
  expect(outbox.counts({ batch: 'a' })).toEqual({ sent: 4 });
});

describe('the file', () => {
  test('only its owner can read it', async () => {
    await outbox.submit(hr, contract, bonus);
    const files = (await readdir(folder)).filter((name) => name.startsWith(`${count}.db`));
    expect(files).toContain(`${count}.db.lock`);
    const modes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).mode & 0o777));
    expect(new Set(modes)).toEqual(new Set([0o600]));
    outbox.close();
    await chmod(file, 0o644);
    expect(() => reopen()).toThrow(expect.objectContaining({ code: 'not-private' }));
    await chmod(file, 0o600);
    reopen();
    expect(states()).toEqual(['sent']);
  });

  test.each([
    ['of another source', 'other-source', () => reopen({ source: 'another' })],
    ['of a newer version', 'newer-version', () => setVersion(4)],
    ['of another program', 'wrong-file', () => setVersion(1, 7)],
  ] as const)('a file %s is refused', async (_, code, act) => {
    expect(act).toThrow(expect.objectContaining({ name: 'MirrorError', code, message: expect.stringContaining(file) }));
  });

  test('a file of version 2 is brought up to date', async () => {
    const sent = await outbox.submit(hr, contract, bonus, { batch: 'a', row: 1 });
    const refused = await outbox.submit(hr, 'nobody', bonus, { batch: 'a', row: 2 });
    const before = [...outbox.entries()];
    outbox.close();
    toVersion2();
    reopen();
    expect([...outbox.entries()]).toEqual(before);
    await expect(outbox.submit(hr, contract, bonus, { batch: 'a', row: 1 })).rejects.toThrow(sent.id);
    fake.payments.approveAll();
    expect(await outbox.reconcile(hr)).toMatchObject({ approved: 1, open: 0 });
    await outbox.resend(hr, refused.id);
    reopen();
    expect(states()).toEqual(['approved', 'refused', 'refused']);
  });

  test('a text file and a missing folder are refused', async () => {
    const text = join(folder, 'text.db');
    await writeFile(text, 'a text of more than a hundred bytes. '.repeat(10), { mode: 0o600 });
    expect(() => reopen({ file: text })).toThrow(expect.objectContaining({ code: 'wrong-file' }));
    expect(() => reopen({ file: join(folder, 'missing/a.db') })).toThrow(
      expect.objectContaining({ code: 'cannot-open' }),
    );
  });

  test('while one sends, another neither sends nor takes its entries for crashed', async () => {
    const arrived = Promise.withResolvers<void>();
    await using provider = await service(() => arrived.resolve());
    const controller = new AbortController();
    const { signal } = controller;
    const sending = outbox.submit(clientOf(provider), contract, bonus, { signal });
    await arrived.promise;
    using other = openOutbox({ file, source });
    expect([...other.entries()]).toMatchObject([{ state: 'sending' }]);
    await expect(other.submit(hr, contract, bonus)).rejects.toMatchObject({ code: 'outbox-busy' });
    expect(() => other.hold()).toThrow(expect.objectContaining({ code: 'outbox-busy' }));
    controller.abort();
    await sending;
    using held = other.hold();
    await expect(outbox.submit(hr, contract, bonus)).rejects.toMatchObject({ code: 'outbox-busy' });
    held[Symbol.dispose]();
    expect(await outbox.submit(hr, contract, bonus)).toMatchObject({ state: 'sent' });
  });
});
