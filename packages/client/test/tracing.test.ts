import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tracingChannels, type HrCallTrace, type HrRequestTrace } from '../src/index.ts';
import { clientOf, json, raw, service, stalled } from './service.ts';

const calls = tracingChannel(tracingChannels.call);
const requests = tracingChannel(tracingChannels.request);
const seen: [string, HrCallTrace | HrRequestTrace][] = [];
const subscribers = ['call', 'request'].map((channel) => {
  const note = (type: string) => (message: object) => {
    seen.push([`${channel} ${type}`, message as HrCallTrace | HrRequestTrace]);
  };
  return {
    start: note('start'),
    end: () => undefined,
    asyncStart: () => undefined,
    asyncEnd: note('asyncEnd'),
    error: note('error'),
  };
}) as unknown as [Parameters<typeof calls.subscribe>[0], Parameters<typeof calls.subscribe>[0]];

beforeEach(() => {
  seen.length = 0;
  calls.subscribe(subscribers[0]);
  requests.subscribe(subscribers[1]);
});
afterEach(() => {
  calls.unsubscribe(subscribers[0]);
  requests.unsubscribe(subscribers[1]);
});

test('a call is traced with its requests', async () => {
  await using api = await service(raw('', 503), json({ id: 'p1' }, 200, { 'x-request-id': 'r-2' }));
  await clientOf(api).persons.update('p1', { addresses: [] });
  expect(seen.map(([type]) => type)).toEqual([
    'call start',
    'request start',
    'request asyncEnd',
    'request start',
    'request asyncEnd',
    'call asyncEnd',
  ]);
  const its = { call: seen[0]?.[1].call, operation: 'updatePerson', method: 'PATCH', path: '/api/v1/persons/{id}' };
  expect(seen.at(-1)?.[1]).toMatchObject({ ...its, attempts: 2, elements: 1, outcome: undefined });
  expect(seen[2]?.[1]).toMatchObject({ ...its, attempt: 1, status: 503 });
  expect(seen[4]?.[1]).toMatchObject({ ...its, attempt: 2, status: 200, requestId: 'r-2' });
});

test('a call that fails is traced with its error', async () => {
  await using api = await service(raw('', 404));
  const error: unknown = await clientOf(api)
    .persons.list()
    .then(undefined, (thrown: unknown) => thrown);
  expect(seen.filter(([type]) => type.startsWith('call')).map(([type]) => type)).toEqual([
    'call start',
    'call error',
    'call asyncEnd',
  ]);
  expect(seen.at(-1)?.[1]).toMatchObject({ error, outcome: 'rejected', attempts: 1 });
});

test('a loop is one call, which ends where the loop is left', async () => {
  await using api = await service(json([{ id: 'p1' }, { id: 'p2' }]));
  for await (const person of clientOf(api).persons.list()) {
    expect(person.id).toBe('p1');
    expect(seen.map(([type]) => type)).not.toContain('call asyncEnd');
    break;
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen.at(-1)).toEqual(['call asyncEnd', expect.objectContaining({ elements: 1 })]);
  expect(seen.at(-1)?.[1]).not.toHaveProperty('error');
});

test('a raw request is traced until the head of its response', async () => {
  await using api = await service(stalled('[{"id":"p1"},'));
  const response = await clientOf(api).request('listPersons', {});
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen.map(([type]) => type)).toEqual(['call start', 'request start', 'request asyncEnd', 'call asyncEnd']);
  expect(seen.at(-1)?.[1]).toMatchObject({ operation: 'listPersons', attempts: 1, elements: 1, outcome: undefined });
  await response.body?.cancel();
});

test('requests run in the context that a subscriber gives to their call', async () => {
  await using api = await service(json([]), json([]));
  const spans = new AsyncLocalStorage<string>();
  calls.start.bindStore(spans, (message) => `call ${(message as HrCallTrace).call}`);
  const parents: unknown[] = [];
  const start = (message: unknown): void => {
    parents.push([spans.getStore(), (message as HrRequestTrace).call]);
  };
  requests.start.subscribe(start);
  try {
    const { persons } = clientOf(api);
    await Promise.all([persons.list(), persons.list()]);
  } finally {
    requests.start.unsubscribe(start);
    calls.start.unbindStore(spans);
  }
  expect(parents).toHaveLength(2);
  for (const [span, call] of parents as [string, number][]) expect(span).toBe(`call ${call}`);
});
