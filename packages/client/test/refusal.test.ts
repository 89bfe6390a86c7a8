import { problemType } from '@hr/schemas';
import { expect, test } from 'vitest';
import type { HrClientEvent } from '../src/index.ts';
import { clientOf, json, problem, raw, service, stalled, type Answer } from './service.ts';

const unending = async (): Promise<Response> =>
  new Response(new ReadableStream({ pull: () => new Promise(() => {}) }), { status: 503 });

test('a 503 whose body stalls is retried', async () => {
  await using api = await service(stalled('{"type":', 503), json([]));
  await expect(clientOf(api, { timeout: 20_000 }).persons.list()).resolves.toEqual([]);
  expect(api.requests).toHaveLength(2);
});

test('a stalled body ends within the timeout, with the error of the status, also where fetch ignores the signal', async () => {
  const call = clientOf({ url: 'https://hr.example.com' }, { fetch: unending, timeout: 1000 }).persons.list();
  await expect(call).rejects.toMatchObject({ code: 'server-error', status: 503, outcome: 'unknown' });
}, 30_000);

test('an abort ends the wait for the body of an error', async () => {
  const reason = new Error('enough');
  const controller = new AbortController();
  const onEvent = ({ type }: HrClientEvent): void => {
    if (type === 'response') setTimeout(() => controller.abort(reason), 20);
  };
  const hr = clientOf({ url: 'https://hr.example.com' }, { fetch: unending, onEvent });
  await expect(hr.persons.list({}, { signal: controller.signal })).rejects.toMatchObject({
    code: 'aborted',
    cause: reason,
    outcome: 'unknown',
  });
}, 30_000);

test('an error with a body of any size, or a broken one, is the error that its status says', async () => {
  await using api = await service(
    raw('x'.repeat(1_000_000), 404),
    (response) => response.writeHead(404).write('{"ty', () => response.socket?.destroy()),
    raw(Uint8Array.of(0xff), 404),
    raw('[]', 404),
    raw('null', 404),
  );
  const { persons } = clientOf(api);
  for (let count = 0; count < 5; count++) {
    // eslint-disable-next-line no-await-in-loop -- One answer after the other.
    await expect(persons.list()).rejects.toMatchObject({ code: 'not-found', status: 404, problem: undefined });
  }
});

test.each<[string, Answer, object]>([
  [
    'without any member but its places, some of them odd',
    json({ errors: [{ pointer: '/a' }, { pointer: '#/b/0', detail: 'x' }, null, { code: 'rule' }] }, 400),
    {
      type: 'about:blank',
      title: undefined,
      status: undefined,
      errors: [
        { pointer: '/a', code: undefined },
        { pointer: '/b/0', code: undefined },
        { pointer: '', code: undefined },
        { pointer: '', code: 'rule' },
      ],
    },
  ],
  [
    'with members of wrong types',
    json({ type: 1, title: [], status: '400', detail: 1, errors: { pointer: '/a' } }, 400),
    { type: 'about:blank', title: undefined, status: undefined, errors: [] },
  ],
  ['with a type of more than one line', problem(400, 'urn:a b'), { type: 'about:blank' }],
  ['with an endless type', problem(400, `urn:${'x'.repeat(1000)}`), { type: 'about:blank' }],
  ['with a type elsewhere', problem(400, 'https://e.example/p#1', { title: 'T' }), { type: 'https://e.example/p#1' }],
  [
    'that the time component is too old, with both versions',
    problem(400, problemType('time-component-version'), { installed: '63.11.9', required: '63.11.20' }),
    { kind: 'time-component-version', installed: '63.11.9', required: '63.11.20' },
  ],
  [
    'with versions that quote',
    problem(400, problemType('time-component-version'), { installed: 'Zoë', required: 63 }),
    { kind: 'time-component-version', installed: undefined, required: undefined },
  ],
  [
    'of a kind of ours, in our words',
    problem(400, problemType('invalid-request'), { errors: [{ pointer: '/a/ö b/c', code: 'x y' }] }),
    { kind: 'invalid-request', title: 'Invalid request', errors: [{ pointer: '/a', code: undefined }] },
  ],
])('a problem %s', async (_, answer, expected) => {
  await using api = await service(answer);
  await expect(clientOf(api).persons.list()).rejects.toMatchObject({ code: 'invalid-request', problem: expected });
});

test('a Retry-After that outlasts the deadline is not waited for: the error is there at once', async () => {
  await using api = await service(raw('', 429, { 'retry-after': '20' }));
  const events: HrClientEvent[] = [];
  const hr = clientOf(api, { retry: {}, timeout: 10_000, onEvent: (event) => events.push(event) });
  await expect(hr.persons.list()).rejects.toMatchObject({
    code: 'rate-limited',
    status: 429,
    attempts: 1,
    retryAfterMs: 20_000,
  });
  expect(events.map(({ type }) => type)).toEqual(['request', 'response', 'end']);
});
