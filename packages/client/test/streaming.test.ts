import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, test, vi } from 'vitest';
import { isHrError, type HrClientEvent, type HrClientOptions, type HrErrorCode } from '../src/index.ts';
import {
  clientOf,
  cutOff,
  endless,
  json,
  raw,
  service,
  silent,
  stalled,
  timeoutInBody,
  type Answer,
} from './service.ts';

const persons = Array.from({ length: 100 }, (_, index) => ({ id: `p${index}`, firstName: 'Zoë' }));

test('elements are there before the answer is complete', async () => {
  await using api = await service(stalled('[{"id":"p1"},{"id":"p2"},'));
  const ids: string[] = [];
  for await (const { id } of clientOf(api).persons.list()) {
    ids.push(id);
    if (ids.length === 2) break;
  }
  expect(ids).toEqual(['p1', 'p2']);
});

test('leaving the loop cancels the request', async () => {
  const state = { closed: false, bytes: 0 };
  await using api = await service(endless(state));
  for await (const person of clientOf(api).persons.list()) {
    expect(person.id).toBe('first');
    break;
  }
  await vi.waitFor(() => expect(state.closed).toBe(true));
});

test('an error in the loop cancels the request and is the one that is thrown', async () => {
  const state = { closed: false, bytes: 0 };
  await using api = await service(endless(state));
  const mine = new Error('mine');
  const loop = async (): Promise<void> => {
    for await (const person of clientOf(api).persons.list()) if (person.id === 'first') throw mine;
  };
  await expect(loop()).rejects.toBe(mine);
  await vi.waitFor(() => expect(state.closed).toBe(true));
});

test('a reader that takes nothing holds the service back', async () => {
  const state = { closed: false, bytes: 0 };
  await using api = await service(endless(state));
  const iterator = clientOf(api).persons.list()[Symbol.asyncIterator]();
  await iterator.next();
  let before = -1;
  await vi.waitUntil(() => before === (before = state.bytes), { interval: 100, timeout: 5000 });
  expect(state.bytes).toBeLessThan(20_000_000);
  await iterator.return?.();
});

test('nothing is sent before the first element is asked for, and each loop is a request of its own', async () => {
  await using api = await service(json(persons));
  const stream = clientOf(api).persons.list({ changedSince: '2026-01-31' });
  expect(api.requests).toHaveLength(0);
  for (const count of [1, 2]) {
    const read: unknown[] = [];
    // eslint-disable-next-line no-await-in-loop -- One loop after the other.
    for await (const person of stream) read.push(person);
    expect(read).toEqual(persons);
    expect(api.requests).toHaveLength(count);
  }
});

test('time bookings stream too', async () => {
  const bookings = [{ personId: 'p1', days: [{ date: '2026-01-31', bookedTime: -0.05, bookings: [] }] }];
  await using api = await service(json(bookings));
  const read: unknown[] = [];
  for await (const booking of clientOf(api).time.bookings({ from: '2026-01-01' })) read.push(booking);
  expect(read).toEqual(bookings);
});

test('a list of 48 MB passes through a heap of 24 MB', async () => {
  const worker = new Worker(new URL('stream-in-little-memory.ts', import.meta.url), {
    execArgv: ['--conditions=@hr/source'],
    resourceLimits: { maxOldGenerationSizeMb: 24 },
  });
  const [count] = (await once(worker, 'message')) as [number];
  expect(count).toBe(240_000);
});

describe('no list is shorter than what was sent:', () => {
  test.each<[string, Answer, HrErrorCode, (() => Partial<HrClientOptions>)?]>([
    ['a broken connection', cutOff('[{"id":"p1"},'), 'network'],
    ['a connection broken between elements', cutOff('[{"id":"p1"}'), 'network'],
    [
      'fewer bytes than announced',
      (response) => response.writeHead(200, { 'content-length': '99' }).write('[]', () => response.socket?.end()),
      'network',
    ],
    ['a body that ends within the list', raw('[{"id":"p1"},{"id":"p2"}'), 'invalid-response'],
    ['a body that ends within an element', raw('[{"id":"p1"},{"id":'), 'invalid-response'],
    ['no body', raw(''), 'invalid-response'],
    ['204', raw('', 204), 'invalid-response'],
    ['an object', json({ error: 'x' }), 'invalid-response'],
    ['null', json(null), 'invalid-response'],
    ['HTML', raw('<!doctype html><title>Sign in</title>', 200, { 'content-type': 'text/html' }), 'invalid-response'],
    ['an element too few', raw('[{"id":"p1"},]'), 'invalid-response'],
    ['two lists', raw('[][]'), 'invalid-response'],
    ['bytes that are not UTF-8', raw(Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d)), 'invalid-response'],
    [
      'compressed bytes cut off',
      raw(Uint8Array.of(0x1f, 0x8b, 8, 0), 200, { 'content-encoding': 'gzip' }),
      'invalid-response',
    ],
    ['a body that stalls', stalled('[{"id":"p1"},'), 'timeout', timeoutInBody],
  ])('%s is an error', async (_, answer, code, options) => {
    await using api = await service(answer);
    await expect(clientOf(api, options?.()).persons.list()).rejects.toMatchObject({
      name: 'HrError',
      code,
      status: expect.any(Number),
    });
    expect(api.requests).toHaveLength(1);
  });
});

describe('what is in the answer', () => {
  test.each([
    ['an element that is null', [{ id: 'p1' }, null], '/1'],
    ['an element that is a list', [[]], '/0'],
    ['a number for a name', [{ id: 'p1', lastName: 1 }], '/0/lastName'],
    ['no id', [{ lastName: 'x' }], '/0/id'],
    ['null for the id', [{ id: 'p1' }, { id: null }], '/1/id'],
    ['no contract id', [{ id: 'p1', employments: [{}] }], '/0/employments/0/payrollContractId'],
    ['text for a list', [{ id: 'p1' }, { id: 'p2', groups: 'x' }], '/1/groups'],
  ])('%s throws and names the place', async (_, answer, pointer) => {
    await using api = await service(json(answer));
    await expect(clientOf(api).persons.list()).rejects.toMatchObject({
      code: 'invalid-response',
      message: expect.stringContaining(pointer),
      problem: { errors: [expect.objectContaining({ pointer })] },
    });
  });

  const odd = [{ id: 'p0' }, { id: 'p1', jobTitle: 'x'.repeat(401), gender: 'OTHER', status: 'ASLEEP' }];
  const places = ['/1/gender', '/1/jobTitle', '/1/status'];

  test('a broken bound is reported and handed out', async () => {
    await using api = await service(json(odd));
    const reported: string[] = [];
    const hr = clientOf(api, {
      onEvent: (event) => {
        if (event.type === 'invalid') reported.push(...event.errors.map(({ pointer }) => pointer));
      },
    });
    await expect(hr.persons.list()).resolves.toEqual(odd);
    expect(reported.toSorted()).toEqual(places);
  });

  test('a lone surrogate is reported once, wherever the chunks end', async () => {
    const body = String.raw`[{"id":"1","lastName":"\ud83d\ude00"},{"id":"2","lastName":"\ud83d"},{"id":"3"},{"id":"4\\"}]`;
    const errors: unknown[] = [];
    for (let at = 1; at < body.length; at++) {
      const fetch = async () =>
        new Response(ReadableStream.from([body.slice(0, at), body.slice(at)].map((part) => Buffer.from(part))));
      const onEvent = (event: HrClientEvent) => void (event.type === 'invalid' && errors.push(event.errors));
      // oxlint-disable-next-line no-await-in-loop -- one split after the other
      await clientOf({ url: 'https://hr.example.com' }, { fetch, onEvent }).persons.list();
    }
    const reported = [{ pointer: '/1/lastName', code: 'wrong-format' }];
    expect(errors).toEqual(Array.from({ length: body.length - 1 }, () => reported));
  });

  test("a broken bound throws with onInvalid: 'throw', after the elements before it", async () => {
    await using api = await service(json(odd));
    const { persons: strict } = clientOf(api, { onInvalid: 'throw' });
    const read: unknown[] = [];
    const loop = async (): Promise<void> => {
      for await (const person of strict.list()) read.push(person);
    };
    const error = await loop().catch((reason: unknown) => reason);
    expect(isHrError(error) && error.problem?.errors.map(({ pointer }) => pointer).toSorted()).toEqual(places);
    expect(read).toEqual([{ id: 'p0' }]);
  });
});

describe('the clock', () => {
  test('covers a body that comes in drops', async () => {
    await using api = await service(async (response) => {
      response.writeHead(200).write('[');
      while (!response.destroyed) {
        response.write(' ');
        // eslint-disable-next-line no-await-in-loop -- A drop at a time.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
    await expect(clientOf(api, { timeout: 500 }).persons.list()).rejects.toMatchObject({
      code: 'timeout',
      attempts: 1,
    });
  });

  test('covers the retries', async () => {
    await using api = await service(raw('', 503), silent);
    const call = clientOf(api, { timeout: 1500 }).persons.list();
    await expect(call).rejects.toMatchObject({ code: 'timeout', attempts: 2, status: undefined });
  });

  test('is set for a single call', async () => {
    await using api = await service(stalled('['));
    await expect(clientOf(api).persons.list({}, { timeout: 100 })).rejects.toMatchObject({ code: 'timeout' });
    await expect(clientOf(api).persons.list({}, { timeout: 0 })).rejects.toMatchObject({ code: 'invalid-option' });
  });

  test('of an attempt leads to another one, and a payment is not repeated', async () => {
    await using api = await service(silent, json(persons));
    const hr = clientOf(api, { timeout: false, attemptTimeout: 500 });
    await expect(hr.persons.list()).resolves.toHaveLength(persons.length);
    expect(api.requests).toHaveLength(2);

    await using mute = await service(silent);
    const bonus = { billingPeriod: '2026-01', compensationComponentId: 'BONUS', amount: 1 };
    const call = clientOf(mute, { attemptTimeout: 500 }).payroll.submitVariablePayment('1-2', bonus);
    await expect(call).rejects.toMatchObject({
      code: 'timeout',
      outcome: 'unknown',
      attempts: 1,
      message: expect.stringContaining('no response within 500 ms. Increase attemptTimeout') as string,
    });
  });

  test('of a connection that is silent ends a list without any other limit', async () => {
    await using api = await service(stalled('[{"id":"p1"},'));
    await expect(clientOf(api, { timeout: false, idleTimeout: 500 }).persons.list()).rejects.toMatchObject({
      code: 'timeout',
      outcome: 'accepted',
      message: expect.stringContaining('no byte of the response for 500 ms. Try again, or') as string,
    });
  });

  test('and a signal end a body that is always there', async () => {
    const element = new TextEncoder().encode('{"id":"p1"},');
    const opening = new TextEncoder().encode('[');
    const body = () =>
      new ReadableStream({
        start: (controller) => controller.enqueue(opening),
        pull: (controller) => controller.enqueue(element),
      });
    const fetch = async () => new Response(body(), { headers: { 'content-type': 'application/json' } });
    const read = async (options: { timeout?: number; signal?: AbortSignal }) => {
      let count = 0;
      for await (const { id } of clientOf({ url: 'https://hr.example.com' }, { fetch }).persons.list({}, options)) {
        count += id.length;
      }
      return count;
    };
    await expect(read({ timeout: 500 })).rejects.toMatchObject({ code: 'timeout' });
    await expect(read({ signal: AbortSignal.timeout(300) })).rejects.toMatchObject({ code: 'aborted' });
  });

  test('stands still while the reader works', async () => {
    await using api = await service(json(persons));
    let count = 0;
    for await (const person of clientOf(api, { timeout: 1000 }).persons.list()) {
      count++;
      if (person.id === 'p0') await new Promise((resolve) => setTimeout(resolve, 1200));
    }
    expect(count).toBe(persons.length);
  });

  test('gives bytes that arrived while the program was busy the benefit of the doubt', async () => {
    await using api = await service((response, request, index) => {
      json(persons)(response, request, index);
      // The response is on its way, and the timer of the call is due before anybody can read it.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    });
    await expect(clientOf(api, { timeout: 500 }).persons.list()).resolves.toHaveLength(persons.length);
  });

  test('without a timeout there is none', async () => {
    await using api = await service(json(persons));
    await expect(clientOf(api, { timeout: false }).persons.list()).resolves.toHaveLength(persons.length);
  });
});

test('where the service cuts a slow reader, the error says why and what to do', async () => {
  let passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => passed);
  try {
    await using api = await service(cutOff('[{"id":"p1"},'));
    const loop = async (): Promise<void> => {
      for await (const person of clientOf(api).persons.list()) if (person.id) passed += 61_000;
    };
    await expect(loop()).rejects.toMatchObject({
      code: 'network',
      message: expect.stringMatching(/worked on the elements for 61 s .* Await the list first/) as string,
    });
  } finally {
    vi.restoreAllMocks();
  }
});
