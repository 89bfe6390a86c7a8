import { clientCredentials } from '@hr/auth';
import { expect, test, vi } from 'vitest';
import { HrError, type HrClient, type HrClientEvent, type HrClientOptions } from '../src/index.ts';
import { clientOf, json, raw, service, silent, stalled, type Answer } from './service.ts';

const bonus = { billingPeriod: '2026-01', compensationComponentId: 'BONUS', amount: 1 };
const reason = new Error('the user went away');
const aborted = { name: 'HrError', code: 'aborted', cause: reason };

type Call = (hr: HrClient, signal: AbortSignal) => PromiseLike<unknown>;
const list: Call = (hr, signal) => hr.persons.list({}, { signal });
const submit: Call = (hr, signal) => hr.payroll.submitVariablePayment('1-2', bonus, { signal });
const never = (): Promise<never> => new Promise(() => {});

test.each<[string, HrClientEvent['type'] | 'start', Call, Answer, string, Partial<HrClientOptions>?]>([
  ['for the token', 'start', submit, silent, 'not-sent', { auth: { getToken: never, invalidate() {} } }],
  ['for the answer', 'request', submit, silent, 'unknown'],
  ['for a fetch that ignores the signal', 'request', submit, silent, 'unknown', { fetch: never }],
  ['to try again', 'retry', list, raw('', 503, { 'retry-after': '20' }), 'unknown', { retry: {} }],
  ['for the rest of the answer', 'response', submit, stalled('{"amount":'), 'accepted'],
  ['for the rest of a list', 'response', list, stalled('[{"id":"p1"},'), 'accepted'],
])(
  'an abort while it waits %s rejects with the outcome, and the reason as its cause',
  async (_, from, call, answer, outcome, options) => {
    await using api = await service(answer);
    const controller = new AbortController();
    const abortFrom = (type: string): unknown => type === from && setTimeout(() => controller.abort(reason), 20);
    const events: HrClientEvent[] = [];
    const onEvent = (event: HrClientEvent): void => {
      events.push(event);
      abortFrom(event.type);
    };
    const promise = call(clientOf(api, { ...options, onEvent }), controller.signal).then(
      () => expect.unreachable('the call is to fail'),
      (error: unknown) => Promise.reject(error as Error),
    );
    abortFrom('start');

    await expect(promise).rejects.toMatchObject({ ...aborted, outcome });
    expect(events.at(-1)).toMatchObject({ type: 'end', code: 'aborted', outcome });
  },
);

test('an abort beforehand sends nothing', async () => {
  await using api = await service(json([]));
  await expect(list(clientOf(api), AbortSignal.abort(reason))).rejects.toMatchObject({
    ...aborted,
    outcome: 'not-sent',
  });
  await expect(list(clientOf(api), AbortSignal.abort('a text'))).rejects.toMatchObject({ cause: 'a text' });
  expect(api.requests).toHaveLength(0);
});

test.each([null, true, {}, new AbortController()])('a signal that is none is refused: %j', async (signal) => {
  await using api = await service(json([]));
  await expect(list(clientOf(api), signal as never)).rejects.toMatchObject({
    code: 'invalid-option',
    message: 'signal must be an AbortSignal.',
  });
  expect(api.requests).toHaveLength(0);
});

test('an abort without a reason is an AbortError', async () => {
  await using api = await service(silent);
  const controller = new AbortController();
  const promise = Promise.resolve(list(clientOf(api), controller.signal));
  controller.abort();
  await expect(promise).rejects.toMatchObject({ code: 'aborted', cause: { name: 'AbortError' } });
});

test("AbortSignal.timeout is the caller's own", async () => {
  await using api = await service(silent);
  await expect(list(clientOf(api), AbortSignal.timeout(50))).rejects.toMatchObject({
    code: 'aborted',
    cause: { name: 'TimeoutError' },
  });
});

test('an abort within a loop ends it before the next element', async () => {
  await using api = await service(json([{ id: 'p1' }, { id: 'p2' }]));
  const controller = new AbortController();
  const read: string[] = [];
  const loop = async (): Promise<void> => {
    for await (const { id } of clientOf(api).persons.list({}, { signal: controller.signal })) {
      read.push(id);
      controller.abort(reason);
    }
  };
  await expect(loop()).rejects.toMatchObject({ ...aborted, outcome: 'accepted' });
  expect(read).toEqual(['p1']);
});

test('the connection of an aborted call is closed', async () => {
  const closed = vi.fn<() => void>();
  await using api = await service((response) => response.on('close', closed));
  const controller = new AbortController();
  const promise = Promise.resolve(list(clientOf(api), controller.signal));
  await vi.waitFor(() => expect(api.requests).toHaveLength(1));
  controller.abort(reason);
  await expect(promise).rejects.toMatchObject(aborted);
  await vi.waitFor(() => expect(closed).toHaveBeenCalled());
});

test('one abort does not hurt who waits for the same token', async () => {
  const gate = Promise.withResolvers<void>();
  await using api = await service(async (response, request, index) => {
    if (request.target !== '/api/oauth2/token') return json([])(response, request, index);
    await gate.promise;
    return json({ access_token: 't', token_type: 'Bearer', expires_in: 3600 })(response, request, index);
  });
  const hr = clientOf(api, { auth: clientCredentials({ baseUrl: api.url, clientId: 'id', clientSecret: 's' }) });
  const controller = new AbortController();
  const first = list(hr, controller.signal).then(undefined, (error: unknown) => error);
  const other = hr.persons.list().then((persons) => persons);
  await vi.waitFor(() => expect(api.requests).toHaveLength(1));
  controller.abort(reason);
  expect(await first).toMatchObject(aborted);
  gate.resolve();
  await expect(other).resolves.toEqual([]);
  expect(api.requests).toHaveLength(2);
});

test("a call leaves nothing behind on the caller's signal", async () => {
  await using api = await service(json([]), raw('', 404));
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  await list(clientOf(api), signal);
  await expect(list(clientOf(api), signal)).rejects.toMatchObject({ code: 'not-found' });
  expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(added.mock.calls.map(([, listener]) => listener));
  expect(added).toHaveBeenCalledTimes(2);
});

test("another call's error as the reason is the cause, not the error of this call", async () => {
  await using api = await service(silent);
  const other = new HrError('not-found', 'another call');
  const error: unknown = await submit(clientOf(api), AbortSignal.abort(other)).then(
    undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'aborted', cause: other, operation: 'submitVariablePayment' });
});

test('an abort after a payment was rejected says so', async () => {
  await using api = await service((response) => response.writeHead(400).write('{"type":'));
  const controller = new AbortController();
  const onEvent = ({ type }: HrClientEvent): void => {
    if (type === 'response') setTimeout(() => controller.abort(reason), 20);
  };
  await expect(submit(clientOf(api, { onEvent }), controller.signal)).rejects.toMatchObject({
    ...aborted,
    outcome: 'rejected',
  });
});
