import { getEventListeners } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { clientCredentials } from '@hr/auth';
import { startFakeHrCloud } from '@hr/testing/fake';
import { describe, expect, test, vi } from 'vitest';
import { createHrClient, HrError, type HrClient, type HrClientEvent, type HrClientOptions } from '../src/index.ts';
import {
  clientOf,
  endless,
  json,
  problem,
  raw,
  service,
  silent,
  stalled,
  timeoutInBody,
  type Answer,
} from './service.ts';

const path = { contractId: '1-2' };
const query = { billingPeriod: '2026-01' };
const body = { compensationComponentId: 'BONUS', amount: 1 };
const patch = { addresses: [{ street: 'Weg', city: 'Köln' }] };
const paid = { payrollContractId: '1-2', correctionPeriod: '2026-01', ...query, ...body };

test.each<[string, (hr: HrClient) => PromiseLike<unknown>, (hr: HrClient) => Promise<Response>, unknown]>([
  [
    'a list with another name in the URL',
    (hr) => hr.time.bookings({ from: '2026-01-01' }),
    (hr) => hr.request('listTimeBookings', { query: { from: '2026-01-01' } }),
    [],
  ],
  [
    'a patch',
    (hr) => hr.persons.update('a/b', patch, { headers: { 'x-trace': '1' } }),
    (hr) => hr.request('updatePerson', { path: { id: 'a/b' }, body: patch }, { headers: { 'x-trace': '1' } }),
    { id: 'a/b' },
  ],
  [
    'a payment with a key',
    (hr) => hr.payroll.submitVariablePayment('1-2', { ...query, ...body, idempotencyKey: 'k1' }),
    (hr) => hr.request('submitVariablePayment', { path, query, body, idempotencyKey: 'k1' }),
    paid,
  ],
  [
    'an endpoint',
    (hr) => hr.webhooks.rotate('e1'),
    (hr) => hr.request('rotateWebhookSecret', { path: { endpointId: 'e1' } }),
    { id: 'e1', url: 'https://a.example', createdAt: '', failures: 0, secret: 's' },
  ],
])('%s is the request of the method, and the response is as it came', async (_, call, request, answer) => {
  await using api = await service(json(answer, 200, { 'x-request-id': 'r-1' }));
  const hr = clientOf(api);
  await call(hr);
  const response = await request(hr);
  expect(response).toBeInstanceOf(Response);
  expect([response.status, response.headers.get('x-request-id'), response.bodyUsed]).toEqual([200, 'r-1', false]);
  await expect(response.text()).resolves.toBe(JSON.stringify(answer));
  expect(api.requests[1]).toEqual(api.requests[0]);
});

test('a body is not checked', async () => {
  await using api = await service(raw('<no JSON>'));
  const onEvent = vi.fn<(event: HrClientEvent) => void>();
  const response = await clientOf(api, { onEvent }).request('listPersons', {});
  await expect(response.text()).resolves.toBe('<no JSON>');
  expect(onEvent.mock.calls.map(([{ type }]) => type)).toEqual(['request', 'response', 'end']);
});

const errorOf = (call: PromiseLike<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error as HrError,
  );

test('an error is that of the method', async () => {
  const cases: [Answer, Partial<HrClientOptions>?][] = [
    [problem(404, 'about:blank')],
    [raw('', 503, { 'x-request-id': 'r-1' })],
    [raw('', 302, { location: '/' })],
    [raw('[]', 206)],
    [raw('', 401)],
    [silent, { attemptTimeout: 50, retry: { limit: 0 } }],
  ];
  for (const [answer, options] of cases) {
    // oxlint-disable no-await-in-loop -- one service after the other
    await using api = await service(answer);
    const hr = clientOf(api, options);
    const [ofMethod, ofRequest] = [
      await errorOf(hr.time.absences('1')),
      await errorOf(hr.request('listAbsences', { path: { personId: '1' } })),
    ];
    expect(ofRequest).toBeInstanceOf(HrError);
    expect(ofRequest?.message).toBe(ofMethod?.message);
    expect(Object.entries(ofRequest ?? {})).toEqual(Object.entries(ofMethod ?? {}));
    // oxlint-enable no-await-in-loop
  }
});

test('a read is retried, and the response is that of the last attempt', async () => {
  await using api = await service(raw('', 503), raw('', 401), json([{ id: '1' }]));
  const response = await clientOf(api).request('listPersons', {});
  await expect(response.json()).resolves.toEqual([{ id: '1' }]);
  expect(api.requests).toHaveLength(3);
});

test('a payment is retried with a key if the service supports keys, and otherwise not', async () => {
  const idempotencyKey = 'k1';
  for (const [idempotency, status, requests] of [
    ['provider-supports', 200, 2],
    ['unsupported', undefined, 1],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one service after the other
    await using api = await service(raw('', 503), json(paid));
    const call = clientOf(api, { idempotency }).request('submitVariablePayment', { path, query, body, idempotencyKey });
    const [result] = await Promise.allSettled([call]);
    expect(result.status === 'fulfilled' ? result.value.status : undefined).toBe(status);
    expect(api.requests).toHaveLength(requests);
    // oxlint-enable no-await-in-loop
  }
});

test.each<[string, () => [string, unknown, object?], string, string]>([
  ['an unknown operation', () => ['toString', {}], 'invalid-option', 'request: unknown operation'],
  ['no input', () => ['listPersons', undefined], 'invalid-option', 'request needs its input'],
  ['an unknown part', () => ['listPersons', { parameters: {} }], 'invalid-option', 'unknown option, parameters'],
  ['an unknown option', () => ['listPersons', {}, { timeOut: 1 }], 'invalid-option', 'unknown option, timeOut'],
  [
    'a key that the service does not know',
    () => ['createWebhookEndpoint', { body: { url: 'https://a.example' }, idempotencyKey: 'k' }],
    'invalid-option',
    'unknown option, idempotencyKey',
  ],
  ['a missing parameter', () => ['listAbsences', {}], 'invalid-request', '/personId is required'],
  ['a missing body', () => ['updatePerson', { path: { id: '1' } }], 'invalid-request', 'the patch is required'],
  [
    'a street beside a post-office box',
    () => ['updatePerson', { path: { id: '1' }, body: { addresses: [{ street: 'x', postOfficeBox: '1' }] } }],
    'invalid-request',
    '/addresses/0/street must be empty',
  ],
])('%s sends nothing', async (_, args, code, message) => {
  await using api = await service(json([]));
  const hr = clientOf(api) as { request: (...all: unknown[]) => Promise<Response> };
  await expect(hr.request(...args())).rejects.toMatchObject({
    name: 'HrError',
    code,
    outcome: 'not-sent',
    message: expect.stringContaining(message),
  });
  expect(api.requests).toHaveLength(0);
});

describe('the body', () => {
  test('arrives after the response, and its call has ended', async () => {
    await using api = await service(stalled('[{"id":"p1"},'));
    const events: HrClientEvent[] = [];
    const onEvent = (event: HrClientEvent): void => void events.push(event);
    const response = await clientOf(api, { onEvent }).request('listPersons', {});
    expect(events.at(-1)).toMatchObject({ type: 'end', attempts: 1, elements: 1, code: undefined, outcome: undefined });
    const { value } = await (response.body as ReadableStream<Uint8Array>).getReader().read();
    expect(new TextDecoder().decode(value)).toBe('[{"id":"p1"},');
  });

  test('has no timeout', async () => {
    const { timeout, onEvent } = timeoutInBody();
    await using api = await service((response) => {
      response.writeHead(200).write('[');
      setTimeout(() => response.end(']'), 100);
    });
    const response = await clientOf(api, { timeout, onEvent, idleTimeout: 1 }).request('listPersons', {});
    vi.advanceTimersByTime(1_000_000);
    await expect(response.text()).resolves.toBe('[]');
  });

  test('ends with the reason when the signal of the call aborts', async () => {
    const state = { closed: false, bytes: 0 };
    await using api = await service(endless(state));
    const controller = new AbortController();
    const response = await clientOf(api).request('listPersons', {}, { signal: controller.signal });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    const reason = new Error('mine');
    controller.abort(reason);
    const rest = async (): Promise<void> => {
      // oxlint-disable-next-line no-await-in-loop -- one chunk after the other
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toBe(reason);
    await vi.waitFor(() => expect(state.closed).toBe(true));
  });

  test('that nobody reads leaves nothing behind, neither a connection nor a listener', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const state = { closed: false, bytes: 0 };
    await using api = await service(endless(state));
    const { signal } = new AbortController();
    await (async () => void (await clientOf(api).request('listPersons', {}, { signal })))();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    await vi.waitFor(
      () => {
        collectGarbage();
        expect(state.closed).toBe(true);
      },
      { timeout: 10_000, interval: 50 },
    );
  });

  test('goes into a file as it arrives', async () => {
    await using fake = await startFakeHrCloud({ persons: 50 });
    const { url: baseUrl, clientId, clientSecret } = fake;
    const hr = createHrClient({ baseUrl, auth: clientCredentials({ baseUrl, clientId, clientSecret }) });
    const folder = await mkdtemp(join(tmpdir(), 'request-'));
    try {
      const file = join(folder, 'persons.json');
      const response = await hr.request('listPersons', {});
      await pipeline(response.body as ReadableStream<Uint8Array>, createWriteStream(file));
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(await hr.persons.list());
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

test('an abort before the head rejects like a method, with the outcome', async () => {
  await using api = await service(silent);
  const controller = new AbortController();
  const reason = new Error('mine');
  const call = clientOf(api).request('submitVariablePayment', { path, query, body }, { signal: controller.signal });
  await vi.waitFor(() => expect(api.requests).toHaveLength(1));
  controller.abort(reason);
  await expect(call).rejects.toMatchObject({ code: 'aborted', cause: reason, outcome: 'unknown' });
});

test('a wait for changes extends the timeout', async () => {
  await using api = await service(
    (...parts) => void setTimeout(() => json({ cursor: 'c', changed: [] })(...parts), 100),
  );
  const hr = clientOf(api, { timeout: 50, attemptTimeout: 50 });
  const response = await hr.request('getChanges', { query: { after: 'c', wait: '5' } });
  await expect(response.json()).resolves.toEqual({ cursor: 'c', changed: [] });
});
