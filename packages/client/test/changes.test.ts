import { expect, onTestFinished, test, vi } from 'vitest';
import { isHrError, type HrClient, type HrClientEvent, type HrClientOptions } from '../src/index.ts';
import { clientOf, json, problem, raw, service, silent, stalled, type Answer } from './service.ts';

const WAIT_SECONDS = 50;
const changes = { cursor: 'c2', changed: ['persons'] };

const waiting = (hr: HrClient) => hr.changes.get({ after: 'c1', wait: WAIT_SECONDS });

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** A service that tells when a request has arrived, and a clock that only the test moves. */
async function serviceOnFakeTime(answer: Answer) {
  const arrival = Promise.withResolvers<void>();
  const api = await service((...parts) => {
    arrival.resolve();
    return answer(...parts);
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return { ...api, arrived: arrival.promise };
}

test('the changes are those of the service, also without arguments', async () => {
  await using api = await service(json({ cursor: 'c1', changed: [] }));
  await expect(clientOf(api).changes.get()).resolves.toEqual({ cursor: 'c1', changed: [] });
  expect(api.requests.map(({ target }) => target)).toEqual(['/api/v1/changes']);
});

test('a wait that the service answers in time does not time out', async () => {
  const ready = Promise.withResolvers<void>();
  await using api = await serviceOnFakeTime(async (...parts) => {
    await ready.promise;
    await json(changes)(...parts);
  });
  const call = waiting(clientOf(api, { timeout: 1000, attemptTimeout: 1000, idleTimeout: 1000 }));
  await api.arrived;
  vi.advanceTimersByTime(WAIT_SECONDS * 1000);
  ready.resolve();
  await expect(call).resolves.toEqual(changes);
});

test.each<[string, Answer, Partial<HrClientOptions>, number, string]>([
  ['timeout', silent, { timeout: 1000, attemptTimeout: false }, 51_000, 'timed out before the response was complete'],
  ['attemptTimeout', silent, { attemptTimeout: 1000, retry: { limit: 0 } }, 51_000, 'no response within 51000 ms'],
  ['idleTimeout', stalled('{'), { idleTimeout: 1000 }, 51_000, 'no byte of the response for 51000 ms'],
  ['timeout of the default', silent, { attemptTimeout: false }, 110_000, 'timed out before the response was complete'],
])('the %s is extended by the wait, and not by more', async (_, answer, options, milliseconds, fact) => {
  await using api = await serviceOnFakeTime(answer);
  const began = Promise.withResolvers<void>();
  if (answer === silent) began.resolve();
  const onEvent = ({ type }: HrClientEvent): void => void (type === 'response' && began.resolve());
  let isRunning = true;
  const call = waiting(clientOf(api, { ...options, onEvent }))
    .then(undefined, (error: unknown) => error)
    .finally(() => {
      isRunning = false;
    });
  await Promise.all([api.arrived, began.promise]);
  await turn();
  vi.advanceTimersByTime(milliseconds - 500);
  await turn();
  expect(isRunning).toBe(true);
  vi.advanceTimersByTime(1000);
  const error = await call;
  expect(error).toMatchObject({ code: 'timeout' });
  expect(isHrError(error) && error.message).toContain(`getChanges: ${fact}`);
});

test('an abort ends a wait at once, and closes its connection', async () => {
  const closed = vi.fn<() => void>();
  await using api = await service((response) => response.on('close', closed));
  const controller = new AbortController();
  const call = clientOf(api).changes.get({ after: 'c1', wait: WAIT_SECONDS }, { signal: controller.signal });
  await vi.waitFor(() => expect(api.requests).toHaveLength(1));
  const reason = new Error('shutdown');
  controller.abort(reason);
  await expect(call).rejects.toMatchObject({ code: 'aborted', cause: reason });
  await vi.waitFor(() => expect(closed).toHaveBeenCalled());
});

test('a wait is retried like any read', async () => {
  await using api = await service(raw('', 503), json(changes));
  await expect(waiting(clientOf(api))).resolves.toEqual(changes);
  expect(api.requests).toHaveLength(2);
});

test('a malformed cursor of the service is reported, a missing one is an error', async () => {
  await using api = await service(json({ ...changes, cursor: 'a b' }), json({ changed: [] }));
  const onEvent = vi.fn<NonNullable<HrClientOptions['onEvent']>>();
  const hr = clientOf(api, { onEvent });
  await expect(hr.changes.get()).resolves.toMatchObject({ cursor: 'a b' });
  expect(onEvent).toHaveBeenCalledWith(
    expect.objectContaining({ type: 'invalid', errors: [{ pointer: '/cursor', code: 'wrong-format' }] }),
  );
  await expect(hr.changes.get()).rejects.toMatchObject({
    code: 'invalid-response',
    problem: { errors: [{ pointer: '/cursor', code: 'required' }] },
  });
});

test.each<[unknown, string, string | undefined]>([
  ['grants', 'urn:hr-cloud:problem:cursor-expired', 'grants'],
  ['Anna Roth', 'urn:hr-cloud:problem:cursor-expired', undefined],
  ['grants', 'urn:other', undefined],
])('of an expired cursor the reason is known: %j of %s', async (sent, type, reason) => {
  await using api = await service(problem(410, type, { reason: sent }));
  const error: unknown = await clientOf(api)
    .persons.list({ after: 'c1' })
    .then(undefined, (thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'rejected', status: 410, outcome: 'rejected', problem: { type, reason } });
});

test('the message of an expired cursor says what to do', async () => {
  await using api = await service(problem(410, 'urn:hr-cloud:problem:cursor-expired', { reason: 'history' }));
  await expect(waiting(clientOf(api))).rejects.toThrow(
    'getChanges: the service responded with 410, The cursor has expired. Leave out after to read everything, then go on with the cursor of that response.',
  );
});
