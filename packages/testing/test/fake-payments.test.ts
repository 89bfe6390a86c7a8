import type { VariablePayment } from '@hr/schemas';
import { startFakeHrCloud, type RunningFakeHrCloud } from '@hr/testing/fake';
import { HrTestingError } from '@hr/testing/provider';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { call } from './call.ts';

let now: number;
let fake: RunningFakeHrCloud;
beforeEach(async () => {
  now = Date.parse('2026-03-02T12:00:00Z');
  fake = await startFakeHrCloud({ clock: () => now });
  fake.state('a contract', { payrollContractId: 'c' });
  onTestFinished(() => fake.stop());
});

const path = '/api/v1/payrollContract/c/variable-payments';

async function submit(amount: number, key?: string) {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const body = { compensationComponentId: 'BONUS', amount };
  return call(fake, `POST ${path}?billingPeriod=2026-01`, { body, headers });
}

async function readBack(): Promise<(number | undefined)[]> {
  return ((await call(fake, `GET ${path}`)).json as VariablePayment[]).map(({ amount }) => amount);
}

test('only approved payments are listed', async () => {
  for (const amount of [1, 2, 3]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await submit(amount);
  }
  expect(await readBack()).toEqual([]);
  const [, second, third] = fake.payments.list();
  fake.payments.approve(third?.id ?? '');
  fake.payments.reject(second?.id ?? '');
  fake.payments.approveAll();
  expect(await readBack()).toEqual([1, 3]);
  expect(fake.payments.list().map(({ state, amount }) => [state, amount])).toEqual([
    ['approved', 1],
    ['rejected', 2],
    ['approved', 3],
  ]);
});

test('a decision is final, and needs a known payment', async () => {
  await submit(1);
  const id = fake.payments.list()[0]?.id ?? '';
  fake.payments.reject(id);
  const decided = 'payments.approve: the payment is rejected already, for good. Decide on a submitted one.';
  expect(() => fake.payments.approve(id)).toThrow(new HrTestingError('invalid-option', decided));
  const unknown = 'payments.reject: unknown payment. Use an id of payments.list().';
  expect(() => fake.payments.reject('99')).toThrow(new HrTestingError('invalid-option', unknown));
});

test('a key makes one payment in 24 hours', async () => {
  await submit(1, 'k');
  now += 24 * 3_600_000 - 1;
  expect((await submit(1, 'k')).status).toBe(200);
  expect((await submit(2, 'k')).json).toMatchObject({
    status: 422,
    type: 'urn:hr-cloud:problem:idempotency-key-reused',
  });
  expect(fake.payments.list()).toHaveLength(1);
  now += 1;
  expect((await submit(2, 'k')).status).toBe(200);
  expect(fake.payments.list()).toHaveLength(2);
});

test('a key that a state has used is that of the client under test', async () => {
  const payment = { compensationComponentId: 'BONUS', amount: 1 };
  fake.state('a payment submitted with a key', {
    idempotencyKey: 'k',
    payrollContractId: 'c',
    billingPeriod: '2026-01',
    payment,
  });
  expect((await submit(1, 'k')).status).toBe(200);
  expect((await submit(2, 'k')).status).toBe(422);
  expect(fake.payments.list()).toHaveLength(1);
});

test('payments of an erased person are deleted, and their ids are not used again', async () => {
  fake.state('a contract', { payrollContractId: 'd', personId: '1' });
  await submit(1);
  fake.state('an approved payment', { payrollContractId: 'd', billingPeriod: '2026-01' });
  fake.state('an erased person', { id: '1' });
  await submit(2);
  expect(fake.payments.list().map(({ id }) => id)).toEqual(['1', '3']);
  const response = await call(fake, 'GET /api/v1/payrollContract/d/variable-payments');
  expect(response.status).toBe(404);
});

test('a key whose request has not ended makes nothing, until everything is reset', async () => {
  fake.state('a payment being submitted with a key', { idempotencyKey: 'k', payrollContractId: 'c' });
  const { status, headers, json } = await submit(1, 'k');
  expect([status, headers.get('retry-after')]).toEqual([409, '1']);
  expect(json).toMatchObject({ type: 'urn:hr-cloud:problem:idempotency-key-in-flight' });
  expect(fake.payments.list()).toEqual([]);
  expect((await submit(1, 'other')).status).toBe(200);
  fake.reset();
  fake.state('a contract', { payrollContractId: 'c' });
  expect((await submit(1, 'k')).status).toBe(200);
});
