import { expect, test } from 'vitest';
import { openOutbox, type BatchPayment, type Outbox, type OutboxEntry } from '../src/mirror/index.ts';
import type { HrClient } from '../src/index.ts';
import { newFile } from './mirror-cloud.ts';
import { clientOf, json, problem, reset, service, type Answer } from './service.ts';

const source = 'a-client at an-address';
const bonus = { billingPeriod: '2026-12', compensationComponentId: 'BONUS' };
const accepted = json({ ...bonus, payrollContractId: 'any', correctionPeriod: '2026-12', amount: 1 });

/** Payments whose contracts are their numbers. */
function payments(count: number): BatchPayment[] {
  const rows = Array.from({ length: count }, (_, index) => index + 1);
  return rows.map((row) => ({ row, contractId: `contract-${row}`, payment: { ...bonus, amount: row } }));
}

async function all(entries: AsyncIterable<OutboxEntry>): Promise<string[]> {
  const results: string[] = [];
  for await (const { row, state } of entries) results.push(`${row} ${state}`);
  return results.toSorted();
}

function rowOf(target = ''): number {
  return Number(/contract-(\d+)/.exec(target)?.[1]);
}

/** An answer by the number of the payment. */
function byRow(answers: Readonly<Record<number, Answer>>): Answer {
  return (response, request, index) => (answers[rowOf(request.target)] ?? accepted)(response, request, index);
}

function limited(seconds: number): Answer {
  const answer = problem(429, 'too-many-requests');
  return (response, ...rest) => answer(response.setHeader('retry-after', seconds), ...rest);
}

function hold(): { readonly answer: Answer; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { answer: (...args) => promise.then(() => accepted(...args)), release: resolve };
}

const newOutbox = (idempotency?: 'provider-supports'): Outbox => openOutbox({ file: newFile(), source, idempotency });

test('a batch is sent once, four payments at the same time, and the next call goes on', async () => {
  const gate = hold();
  await using provider = await service(gate.answer);
  const hr = clientOf(provider);
  using outbox = newOutbox();
  const first = all(outbox.submitBatch(hr, 'a', payments(6)));
  await expect.poll(() => provider.requests.length).toBe(4);
  gate.release();
  expect(await first).toEqual(['1 sent', '2 sent', '3 sent', '4 sent', '5 sent', '6 sent']);
  expect(await all(outbox.submitBatch(hr, 'a', payments(8)))).toEqual(['7 sent', '8 sent']);
  expect(provider.requests).toHaveLength(8);
});

test('it waits as long as Retry-After says, and tells so', async () => {
  const waiting = limited(1);
  await using provider = await service(accepted, waiting, waiting, accepted);
  using outbox = newOutbox();
  const hr = clientOf(provider, { retry: { limit: 0 } });
  const pauses: unknown[] = [];
  const entries = outbox.submitBatch(hr, 'a', payments(5), { onProgress: ({ pause }) => void pauses.push(pause) });
  expect(await all(entries)).toEqual(['1 sent', '2 sent', '3 sent', '4 sent', '5 sent']);
  expect(pauses).toContainEqual({ ms: expect.any(Number), error: expect.objectContaining({ code: 'rate-limited' }) });

  const short = outbox.submitBatch(hr, 'b', payments(1), { maxWait: 0 });
  await using strict = await service(waiting);
  const refused = outbox.submitBatch(clientOf(strict, { retry: { limit: 0 } }), 'c', payments(1), { maxWait: 0 });
  expect(await all(short)).toEqual(['1 sent']);
  await expect(all(refused)).rejects.toMatchObject({ code: 'rate-limited' });
  expect([...outbox.entries({ batch: 'c' })]).toEqual([]);
});

test.each<[string, Answer, string]>([
  ['an unknown outcome', reset, 'unknown'],
  ['a missing permission', problem(403, 'insufficient-scope'), 'refused'],
])('%s ends it, with the entries of those in flight', async (_, failure, state) => {
  const gates = [hold(), hold(), hold()];
  await using provider = await service(
    byRow({ 1: failure, ...Object.fromEntries(gates.map(({ answer }, index) => [index + 2, answer])) }),
  );
  using outbox = newOutbox();
  const entries = outbox.submitBatch(clientOf(provider), 'a', payments(20));
  expect(await entries.next()).toMatchObject({ value: { row: 1, state } });
  const others = all(entries);
  for (const { release } of gates) release();
  expect(await others).toEqual(['2 sent', '3 sent', '4 sent']);
  expect(provider.requests).toHaveLength(4);
});

test('a refusal of one payment does not end it, and the next call sends refused and unknown ones again', async () => {
  using outbox = newOutbox('provider-supports');
  await using refusing = await service(byRow({ 1: problem(404, 'not-found'), 3: reset }));
  const options = { idempotency: 'provider-supports', retry: { limit: 0 } } as const;
  expect(await all(outbox.submitBatch(clientOf(refusing, options), 'a', payments(3)))).toEqual([
    '1 refused',
    '2 sent',
    '3 unknown',
  ]);
  await using provider = await service(accepted);
  expect(await all(outbox.submitBatch(clientOf(provider, options), 'a', payments(3)))).toEqual(['1 sent', '3 sent']);
  expect(await all(outbox.submitBatch(clientOf(provider, options), 'a', payments(3)))).toEqual([]);
});

test('an unknown payment is not sent again where that may pay twice', async () => {
  using outbox = newOutbox();
  await using losing = await service(reset);
  expect(await all(outbox.submitBatch(clientOf(losing), 'a', payments(1)))).toEqual(['1 unknown']);
  await using provider = await service(accepted);
  expect(await all(outbox.submitBatch(clientOf(provider), 'a', payments(2)))).toEqual(['2 sent']);
});

test('stop sends no further payment, and awaits those in flight, also beside one that waits', async () => {
  const gate = hold();
  await using provider = await service(byRow({ 2: limited(60), 3: gate.answer }));
  const stop = new AbortController();
  using outbox = newOutbox();
  const onProgress = ({ pause }: { pause?: object | undefined }): void => {
    if (!pause) return;
    stop.abort();
    gate.release();
  };
  const hr = clientOf(provider, { retry: { limit: 0 } });
  const entries = outbox.submitBatch(hr, 'a', payments(20), { stop: stop.signal, onProgress });
  expect(await all(entries)).toEqual(expect.arrayContaining(['1 sent', '3 sent', '4 sent']));
  expect(provider.requests.length).toBeLessThan(8);
});

test('an abort makes the payments in flight unknown', async () => {
  const controller = new AbortController();
  await using provider = await service((_response, _request, index) => {
    if (index === 3) controller.abort(new Error('mine'));
  });
  using outbox = newOutbox();
  const entries = outbox.submitBatch(clientOf(provider), 'a', payments(20), { signal: controller.signal });
  const states: string[] = [];
  const ended = (async () => {
    for await (const { state } of entries) states.push(state);
  })();
  await expect(ended).rejects.toMatchObject({ code: 'aborted' });
  expect(states).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
});

test('leaving the loop sends no further payment', async () => {
  await using provider = await service(accepted);
  using outbox = newOutbox();
  for await (const { row } of outbox.submitBatch(clientOf(provider), 'a', payments(20))) if (row === 1) break;
  const sent = [...outbox.entries()];
  expect(sent.length).toBeLessThan(7);
  expect(sent.every(({ state }) => state === 'sent')).toBe(true);
});

test('an error that is not of the client ends it', async () => {
  await using provider = await service(accepted);
  const { payroll } = clientOf(provider);
  const submitVariablePayment: typeof payroll.submitVariablePayment = (id, ...rest) =>
    id === 'contract-2'
      ? (Promise.reject(new RangeError('broken')) as never)
      : payroll.submitVariablePayment(id, ...rest);
  using outbox = newOutbox();
  const entries = outbox.submitBatch({ payroll: { submitVariablePayment } } as HrClient, 'a', payments(20));
  await expect(all(entries)).rejects.toThrow('broken');
  expect([...outbox.entries()].map(({ state }) => state)).toContain('unknown');
  expect(provider.requests.length).toBeLessThan(7);
});

test('no other program sends meanwhile', async () => {
  const file = newFile();
  await using provider = await service(accepted);
  using outbox = openOutbox({ file, source });
  using other = openOutbox({ file, source });
  for await (const _ of outbox.submitBatch(clientOf(provider), 'a', payments(1))) {
    await expect(all(other.submitBatch(clientOf(provider), 'b', payments(1)))).rejects.toMatchObject({
      code: 'outbox-busy',
    });
  }
  expect(await all(other.submitBatch(clientOf(provider), 'b', payments(1)))).toEqual(['1 sent']);
});
