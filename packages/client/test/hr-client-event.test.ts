import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import type { HrClientEvent } from '../src/index.ts';
import { clientOf, json, raw, service } from './service.ts';

const emptyList = async (): Promise<Response> => Response.json([]);
const end = { type: 'end', call: expect.any(Number), operation: 'listPersons', durationMs: expect.any(Number) };

test('a call reports its steps', async () => {
  await using api = await service(
    raw('', 401, { 'x-request-id': 'r-1', date: 'Sat, 31 Jan 2026 00:00:00 GMT' }),
    raw('', 503, { date: 'soon' }),
    json([{ id: 'p1' }, { id: 'p2', jobTitle: 'x'.repeat(401) }], 200, {
      'x-request-id': 'r-3',
      date: 'Sat, 31 Jan 2026 23:59:59 GMT',
    }),
  );
  const events: HrClientEvent[] = [];
  await clientOf(api, { onEvent: (event) => events.push(event) }).persons.list();

  const its = { call: events[0]?.call, operation: 'listPersons' };
  expect(its.call).toBeTypeOf('number');
  expect(events).toEqual([
    { type: 'request', ...its, attempt: 1 },
    { type: 'response', ...its, attempt: 1, status: 401, requestId: 'r-1', date: Date.UTC(2026, 0, 31) },
    { type: 'retry', ...its, attempt: 1, code: 'unauthorized' },
    { type: 'request', ...its, attempt: 2 },
    { type: 'response', ...its, attempt: 2, status: 503, requestId: undefined, date: undefined },
    { type: 'retry', ...its, attempt: 2, code: 'server-error' },
    { type: 'request', ...its, attempt: 3 },
    { type: 'response', ...its, attempt: 3, status: 200, requestId: 'r-3', date: Date.UTC(2026, 0, 31, 23, 59, 59) },
    { type: 'invalid', ...its, errors: [{ pointer: '/1/jobTitle', code: 'too-long' }] },
    { ...end, attempts: 3, elements: 2, code: undefined, outcome: undefined },
  ]);
});

test('a call that fails says why', async () => {
  await using api = await service(raw('', 404));
  const onEvent = vi.fn<(event: HrClientEvent) => void>();
  await clientOf(api, { onEvent })
    .persons.list()
    .then(undefined, () => undefined);
  expect(onEvent).toHaveBeenLastCalledWith({
    ...end,
    attempts: 1,
    elements: 0,
    code: 'not-found',
    outcome: 'rejected',
  });
});

test('leaving a loop is not a failure', async () => {
  await using api = await service(json([{ id: 'p1' }, { id: 'p2' }]));
  const onEvent = vi.fn<(event: HrClientEvent) => void>();
  for await (const person of clientOf(api, { onEvent }).persons.list()) if (person.id === 'p1') break;
  expect(onEvent).toHaveBeenLastCalledWith({ ...end, attempts: 1, elements: 1, code: undefined, outcome: undefined });
});

test("a listener's own fault, thrown or rejected, touches neither the call nor the process", async () => {
  const worker = new Worker(
    `const { clientOf } = await import(${JSON.stringify(new URL('service.ts', import.meta.url).href)});
     const { parentPort } = await import('node:worker_threads');
     const uncaught = [];
     process.on('uncaughtException', (error) => uncaught.push(error.message));
     const fetch = async () => Response.json([{ id: 'p1' }]);
     const listeners = [(event) => { throw new Error(event.type); }, async (event) => { throw new Error(event.type); }];
     const lists = await Promise.all(
       listeners.map((onEvent) => clientOf({ url: 'https://hr.example.com' }, { onEvent, fetch }).persons.list()),
     );
     setImmediate(() => parentPort.postMessage({ lists, uncaught }));`,
    { eval: true, execArgv: ['--conditions=@hr/source', '--input-type=module'] },
  );
  const [message] = (await once(worker, 'message')) as [unknown];
  expect(message).toEqual({ lists: [[{ id: 'p1' }], [{ id: 'p1' }]], uncaught: [] });
});

test('a call has a listener of its own beside that of the client', async () => {
  const types: string[] = [];
  const hr = clientOf(
    { url: 'https://hr.example.com' },
    {
      fetch: emptyList,
      onEvent: ({ type }) => {
        types.push(`client ${type}`);
        throw new Error('mine');
      },
    },
  );
  await hr.persons.list({}, { onEvent: ({ type }) => void types.push(`call ${type}`) });
  await hr.persons.list();
  const steps = ['request', 'response', 'end'];
  expect(types).toEqual([
    ...steps.flatMap((step) => [`client ${step}`, `call ${step}`]),
    ...steps.map((step) => `client ${step}`),
  ]);
});

test('calls at the same time have different numbers, also those of two clients', async () => {
  const events: HrClientEvent[] = [];
  const onEvent = (event: HrClientEvent): number => events.push(event);
  const clients = [1, 2].map(() => clientOf({ url: 'https://hr.example.com' }, { fetch: emptyList, onEvent }));
  await Promise.all(clients.flatMap(({ persons }) => [persons.list(), persons.list()]));
  const numbers = new Set(events.map(({ call }) => call));
  expect(numbers.size).toBe(4);
  for (const number of numbers) {
    const types = events.filter(({ call }) => call === number).map(({ type }) => type);
    expect(types).toEqual(['request', 'response', 'end']);
  }
});

test('without Node.js there is nothing to trace, and no error', async () => {
  vi.stubGlobal('process', undefined);
  try {
    const onEvent = vi.fn<(event: HrClientEvent) => void>();
    await expect(
      clientOf({ url: 'https://hr.example.com' }, { fetch: emptyList, onEvent }).persons.list(),
    ).resolves.toEqual([]);
    expect(onEvent).toHaveBeenCalledTimes(3);
  } finally {
    vi.unstubAllGlobals();
  }
});
