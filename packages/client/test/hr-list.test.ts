import { describe, expect, test, vi } from 'vitest';
import type { HrClient, HrClientEvent, Person } from '../src/index.ts';
import { clientOf, endless, json, raw, service, silent, type Answer } from './service.ts';

const absence = { id: 'a1', personId: 'p1', startDate: '2026-01-01' };
const lists: [string, (hr: HrClient) => PromiseLike<unknown[]> & AsyncIterable<unknown>, object[]][] = [
  ['persons.list', (hr) => hr.persons.list(), [{ id: 'p1' }, { id: 'p2' }]],
  ['persons.list of changes', (hr) => hr.persons.list({ changedSince: '2026-01-01' }), [{ id: 'p1', keyNumber: null }]],
  [
    'payroll.variablePayments',
    (hr) => hr.payroll.variablePayments('1-2'),
    [{ payrollContractId: '1-2', billingPeriod: '2026-01', correctionPeriod: '2026-01', compensationComponentId: 'B' }],
  ],
  [
    'payroll.salaryHistory',
    (hr) => hr.payroll.salaryHistory('1-2'),
    [{ payrollContractId: '1-2', year: 2026, month: 1 }],
  ],
  ['payroll.allSalaries', (hr) => hr.payroll.allSalaries(), [{ payrollContractId: '1-2', year: 2026, month: 1 }]],
  ['time.allAbsences of changes', (hr) => hr.time.allAbsences({ after: 'c1' }), [{ ...absence, deleted: true }]],
  ['time.bookings', (hr) => hr.time.bookings(), [{ personId: 'p1', days: [] }]],
  ['time.absences', (hr) => hr.time.absences('p1'), [absence]],
  [
    'time.absencesOverlapping',
    (hr) => hr.time.absencesOverlapping('p1', { from: '2026-01-01', to: '2026-01-31' }),
    [absence],
  ],
];

test.each(lists)('%s can be awaited and iterated, and sends nothing before', async (_, listOf, elements) => {
  await using api = await service(json(elements));
  const list = listOf(clientOf(api));
  await new Promise((resolve) => setImmediate(resolve));
  expect(api.requests).toHaveLength(0);

  await expect(list).resolves.toEqual(elements);
  expect(await list).toBe(await list);
  expect(api.requests).toHaveLength(1);

  for (const count of [2, 3]) {
    const read: unknown[] = [];
    // oxlint-disable-next-line no-await-in-loop -- one loop after the other
    for await (const element of list) read.push(element);
    expect(read).toEqual(elements);
    expect(api.requests).toHaveLength(count);
  }
});

test('elements that are requested at the same time come in their order, then the end', async () => {
  await using api = await service(json([{ id: 'p1' }, { id: 'p2' }]));
  const iterator = clientOf(api).persons.list()[Symbol.asyncIterator]();
  const results = await Promise.all([iterator.next(), iterator.next(), iterator.next(), iterator.next()]);
  const end = { done: true, value: undefined };
  expect(results).toEqual([{ done: false, value: { id: 'p1' } }, { done: false, value: { id: 'p2' } }, end, end]);
});

test('an iterator that was ended or has failed is at its end', async () => {
  await using api = await service(json([{ id: 'p1' }, { id: 'p2' }]), json([{ id: 'p1' }, {}, { id: 'p3' }]));
  const { persons } = clientOf(api);
  const end = { done: true, value: undefined };
  const ended = persons.list()[Symbol.asyncIterator]();
  await ended.next();
  await expect(ended.return?.()).resolves.toEqual(end);
  await expect(ended.next()).resolves.toEqual(end);

  const failing = persons.list()[Symbol.asyncIterator]();
  const results = await Promise.allSettled([failing.next(), failing.next(), failing.next()]);
  expect(results).toEqual([
    { status: 'fulfilled', value: { done: false, value: { id: 'p1' } } },
    { status: 'rejected', reason: expect.objectContaining({ code: 'invalid-response' }) },
    { status: 'fulfilled', value: end },
  ]);
});

test('an iterator that is ended before its first element sends nothing', async () => {
  await using api = await service(json([]));
  const iterator = clientOf(api).persons.list()[Symbol.asyncIterator]();
  await iterator.return?.();
  await expect(iterator.next()).resolves.toEqual({ done: true, value: undefined });
  expect(api.requests).toHaveLength(0);
});

test('a list that is neither awaited nor iterated sends nothing', async () => {
  await using api = await service(json([]));
  const list = clientOf(api).persons.list({ changedSince: 'no date' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(api.requests).toHaveLength(0);
  await expect(list).rejects.toMatchObject({ code: 'invalid-request' });
});

test('a list is awaited like a promise, several times with one request', async () => {
  await using api = await service(raw('', 404));
  const list = clientOf(api).persons.list();
  const results = await Promise.allSettled([list, list.then((elements) => elements.length), list]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(api.requests).toHaveLength(1);
});

describe('a disposed list', () => {
  test('cancels its iterations, which reject instead of looking complete', async () => {
    const responses = [1, 2].map(() => ({ closed: false, bytes: 0 }));
    const [first, second] = responses.map(endless) as [Answer, Answer];
    await using api = await service(first, second);
    const onEvent = vi.fn<(event: HrClientEvent) => void>();
    let iterators: AsyncIterator<Person>[];
    {
      await using list = clientOf(api, { onEvent }).persons.list();
      iterators = [list[Symbol.asyncIterator](), list[Symbol.asyncIterator]()];
      await Promise.all(iterators.map((iterator) => iterator.next()));
    }
    await vi.waitFor(() => expect(responses.map(({ closed }) => closed)).toEqual([true, true]));
    const later = await Promise.allSettled(iterators.map((iterator) => iterator.next()));
    for (const result of later) expect(result).toMatchObject({ reason: { code: 'aborted' } });
    expect(onEvent.mock.calls.filter(([{ type }]) => type === 'end')).toHaveLength(2);
  });

  test('rejects what waits for it, and what begins later', async () => {
    await using api = await service(silent);
    const list = clientOf(api).persons.list();
    const waiting = [Promise.resolve(list), list[Symbol.asyncIterator]().next()];
    const settled = Promise.allSettled(waiting);
    await vi.waitFor(() => expect(api.requests).toHaveLength(2));
    await list[Symbol.asyncDispose]();
    for (const result of await settled) expect(result).toMatchObject({ reason: { code: 'aborted' } });
    await expect(list[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'aborted' });
    expect(api.requests).toHaveLength(2);
  });

  test('that was complete stays complete', async () => {
    await using api = await service(json([{ id: '1' }]));
    await using list = clientOf(api).persons.list();
    const whole = await list;
    await list[Symbol.asyncDispose]();
    await expect(list).resolves.toBe(whole);
  });
});

test('a list of changes is checked as changes, a full list as persons', async () => {
  await using api = await service(json([{ id: 'p1', firstName: null, erased: true }]));
  const { persons } = clientOf(api);
  await expect(persons.list({ changedSince: '2026-01-01' })).resolves.toHaveLength(1);
  await expect(persons.list()).resolves.toHaveLength(1);
});

test.each([{ changedSince: '2026-01-01' }, { after: 'c1' }])(
  'a list of changes %j may have gone absences',
  async (query) => {
    await using api = await service(json([{ ...absence, startDate: null, deleted: true }]));
    const { time } = clientOf(api);
    await expect(time.allAbsences(query)).resolves.toHaveLength(1);
    await expect(time.allAbsences()).rejects.toMatchObject({
      code: 'invalid-response',
      problem: { errors: [{ pointer: '/0/startDate' }] },
    });
  },
);

const withCursor = (cursor: string): Answer => json([{ id: 'p1' }], 200, { 'hr-cursor': cursor });

describe('the cursor of a list', () => {
  test('is that of the response, as soon as it begins', async () => {
    await using api = await service(withCursor('MS4x_-.a'), json([], 200, { 'HR-Cursor': 'empty' }));
    const { persons } = clientOf(api);
    const list = persons.list();
    expect(list.cursor).toBeUndefined();
    for await (const { id } of list) expect([id, list.cursor]).toEqual(['p1', 'MS4x_-.a']);
    const empty = persons.list({ after: 'MS4x_-.a' });
    await empty;
    expect(empty.cursor).toBe('empty');
    expect(list.cursor).toBe('MS4x_-.a');
  });

  test('is that of the last request, also while its response is awaited', async () => {
    const late = Promise.withResolvers<void>();
    await using api = await service(withCursor('c1'), async (response, request, index) => {
      await late.promise;
      await withCursor('c2')(response, request, index);
    });
    const list = clientOf(api).persons.list();
    await list;
    const next = list[Symbol.asyncIterator]().next();
    expect(list.cursor).toBeUndefined();
    late.resolve();
    await next;
    expect(list.cursor).toBe('c2');
  });

  test.each([
    ['sends none', json([])],
    ['sends a malformed one', withCursor('a b')],
    ['sends an empty one', withCursor('')],
    ['sends one that is too long', withCursor('x'.repeat(501))],
  ])('is undefined if the service %s', async (_, answer) => {
    await using api = await service(answer);
    const list = clientOf(api).persons.list();
    await list;
    expect(list.cursor).toBeUndefined();
  });

  test('is undefined if the call fails', async () => {
    await using api = await service(raw('', 404, { 'hr-cursor': 'c1' }));
    const list = clientOf(api).persons.list();
    await expect(list).rejects.toMatchObject({ code: 'not-found' });
    expect(list.cursor).toBeUndefined();
  });
});
