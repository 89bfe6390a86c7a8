import { problemType } from '@hr/schemas';
import { describe, expect, test } from 'vitest';
import type { HrError } from '../src/index.ts';
import { clientOf, cutOff, json, nobody, problem, raw, reset, service, type Answer } from './service.ts';

const bonus = { billingPeriod: '2026-01', compensationComponentId: 'BONUS', amount: 1 };
const paid = { payrollContractId: '1-2', correctionPeriod: '2026-01', ...bonus };
const found: Answer = json([{ id: 'p1' }]);

describe('reads', () => {
  test.each([
    ['408', raw('', 408)],
    ['429', raw('', 429)],
    ['500', raw('', 500)],
    ['502 with HTML', raw('<h1>Bad gateway</h1>', 502)],
    ['503', raw('', 503)],
    ['504', raw('', 504)],
    ['a reset', reset],
  ])('are tried again after %s', async (_, answer) => {
    await using api = await service(answer, answer, found);
    await expect(clientOf(api).persons.list()).resolves.toHaveLength(1);
    expect(api.requests).toHaveLength(3);
  });

  test.each([
    ['400', raw('', 400)],
    ['404', raw('', 404)],
    ['409', problem(409, problemType('time-component-version'))],
    ['409 about a key that it does not have', problem(409, problemType('idempotency-key-in-flight'))],
    ['501', raw('', 501)],
    ['302', raw('', 302, { location: '/' })],
    ['200 that is no list', raw('{}')],
    ['a list that broke off: its elements may have been used', cutOff('[{"id":"p1"},')],
  ])('are not tried again after %s', async (_, answer) => {
    await using api = await service(answer, found);
    await expect(clientOf(api).persons.list()).rejects.toMatchObject({ name: 'HrError', attempts: 1 });
    expect(api.requests).toHaveLength(1);
  });

  test('give up after the limit, with the last answer', async () => {
    await using api = await service(raw('', 500), raw('', 503, { 'x-request-id': 'r-2' }));
    await expect(clientOf(api).persons.list()).rejects.toMatchObject({ status: 503, attempts: 3, requestId: 'r-2' });
    await expect(clientOf(api, { retry: { limit: 0 } }).persons.list()).rejects.toMatchObject({ attempts: 1 });
    expect(api.requests).toHaveLength(4);
  });

  test('are tried again where nobody listens', async () => {
    await expect(clientOf(await nobody()).persons.list()).rejects.toMatchObject({ code: 'network', attempts: 3 });
  });
});

describe('updates replace whole properties, so they', () => {
  test.each([
    ['503', raw('', 503)],
    ['a reset', reset],
  ])('are tried again after %s', async (_, answer) => {
    await using api = await service(answer, json({ id: 'p1' }));
    await expect(clientOf(api).persons.update('p1', { addresses: [] })).resolves.toEqual({ id: 'p1' });
    expect(api.requests.map(({ body }) => body)).toEqual(['{"addresses":[]}', '{"addresses":[]}']);
  });
});

describe('payments', () => {
  const again: Answer = json(paid);

  test.each([
    ['429', raw('', 429)],
    ['503', raw('', 503)],
    ['a reset', reset],
  ])('are not sent again after %s, with or without a key', async (_, answer) => {
    await using api = await service(answer);
    const { payroll } = clientOf(api);
    await expect(payroll.submitVariablePayment('1-2', bonus)).rejects.toMatchObject({ attempts: 1 });
    const withKey = payroll.submitVariablePayment('1-2', { ...bonus, idempotencyKey: 'key-1' });
    await expect(withKey).rejects.toMatchObject({ attempts: 1 });
    expect(api.requests).toHaveLength(2);
  });

  test('without a key are not sent again, whatever the service supports', async () => {
    await using api = await service(raw('', 503), again);
    const hr = clientOf(api, { idempotency: 'provider-supports' });
    await expect(hr.payroll.submitVariablePayment('1-2', bonus)).rejects.toMatchObject({ attempts: 1 });
  });

  test('are sent again when no connection came about', async () => {
    await using api = await service(again);
    const { url } = await nobody();
    const fetch = (address: string, init: RequestInit) => {
      fetch.calls++;
      return globalThis.fetch(fetch.calls === 1 ? address.replace(api.url, url) : address, init);
    };
    fetch.calls = 0;
    await expect(clientOf(api, { fetch }).payroll.submitVariablePayment('1-2', bonus)).resolves.toEqual(paid);
    expect(api.requests).toHaveLength(1);
  });

  test.each([
    ['408', raw('', 408)],
    ['429', raw('', 429)],
    ['503', raw('', 503)],
    ['a reset', reset],
    ['its key being in flight', problem(409, problemType('idempotency-key-in-flight'))],
  ])('with a key that the service honours are sent again after %s', async (_, answer) => {
    await using api = await service(answer, again);
    const hr = clientOf(api, { idempotency: 'provider-supports' });
    const call = hr.payroll.submitVariablePayment('1-2', { ...bonus, idempotencyKey: 'key-1' });
    await expect(call).resolves.toEqual(paid);
    expect(api.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-1', 'key-1']);
  });

  test('with a key are not sent again when they are refused', async () => {
    await using api = await service(problem(422, problemType('idempotency-key-reused')), again);
    const hr = clientOf(api, { idempotency: 'provider-supports' });
    const call = hr.payroll.submitVariablePayment('1-2', { ...bonus, idempotencyKey: 'key-1' });
    await expect(call).rejects.toMatchObject({ status: 422, attempts: 1 });
  });
});

test.each([
  ['in seconds', '86400'],
  ['by a date', 'Thu, 31 Dec 2099 23:59:59 GMT'],
])('a Retry-After beyond maxDelay, %s, fails at once', async (_, value) => {
  await using api = await service(raw('', 429, { 'retry-after': value }), found);
  const error: unknown = await clientOf(api)
    .persons.list()
    .then(undefined, (thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'rate-limited', status: 429, attempts: 1 });
  expect((error as HrError).retryAfterMs).toBeGreaterThan(80_000_000);
  expect(api.requests).toHaveLength(1);
});
