import { createServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { problemKinds, problemType, type ProblemKind } from '@hr/schemas';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { HrClientOptions, HrError, HrErrorCode, Outcome } from '../src/index.ts';
import { worstOutcome, outcomeOfResponse } from '../src/outcome.ts';
import {
  clientOf,
  cutOff,
  json,
  nobody,
  problem,
  raw,
  reset,
  service,
  silent,
  stalled,
  timeoutInBody,
  type Answer,
} from './service.ts';

const bonus = { billingPeriod: '2026-01', compensationComponentId: 'BONUS', amount: 1 };
const paid = { payrollContractId: '1-2', correctionPeriod: '2026-01', ...bonus };
const keyInFlight = problem(409, problemType('idempotency-key-in-flight'));

test.each<[string, Answer, Outcome, HrErrorCode, (() => Partial<HrClientOptions>)?]>([
  ['400', problem(400, problemType('invalid-request')), 'rejected', 'invalid-request'],
  ['401 twice', raw('', 401), 'rejected', 'unauthorized'],
  ['403', raw('', 403), 'rejected', 'forbidden'],
  ['404', raw('', 404), 'rejected', 'not-found'],
  ['408', raw('', 408), 'unknown', 'timeout'],
  ['409', problem(409, problemType('conflict')), 'rejected', 'conflict'],
  ['409, key in flight', keyInFlight, 'unknown', 'conflict'],
  ['422', raw('', 422), 'rejected', 'rejected'],
  ['422, key reused', problem(422, problemType('idempotency-key-reused')), 'unknown', 'idempotency-key-reused'],
  ['400 with a body that stalls', stalled('{"type":', 400), 'rejected', 'invalid-request', timeoutInBody],
  ['500 with a body that stalls', stalled('{"type":', 500), 'unknown', 'server-error', timeoutInBody],
  ['429', raw('', 429), 'rejected', 'rate-limited'],
  ['206', raw(JSON.stringify(paid), 206), 'accepted', 'invalid-response'],
  ['302', raw('', 302, { location: '/elsewhere' }), 'unknown', 'redirected'],
  ['500', raw('', 500), 'unknown', 'server-error'],
  ['502', raw('<h1>Bad gateway</h1>', 502), 'unknown', 'server-error'],
  ['503', problem(503, problemType('unavailable')), 'unknown', 'server-error'],
  ['a reset after the request was read', reset, 'unknown', 'network'],
  ['no answer in time', silent, 'unknown', 'timeout', () => ({ timeout: 500 })],
  ['200 and nothing', raw('', 200), 'accepted', 'invalid-response'],
  ['200 and HTML', raw('<h1>Welcome</h1>', 200), 'accepted', 'invalid-response'],
  ['200 and a list', json([]), 'accepted', 'invalid-response'],
  ['200 and two values', raw(`${JSON.stringify(paid)},${JSON.stringify(paid)}`), 'accepted', 'invalid-response'],
  ['200 and a wrong type', json({ ...paid, amount: '1' }), 'accepted', 'invalid-response'],
  ['200 and a missing field', json({ ...paid, billingPeriod: undefined }), 'accepted', 'invalid-response'],
  ['200 and null for a field', json({ ...paid, correctionPeriod: null }), 'accepted', 'invalid-response'],
  [
    '200 and a broken bound',
    json({ ...paid, correctionPeriod: '2026-13' }),
    'accepted',
    'invalid-response',
    () => ({ onInvalid: 'throw' }),
  ],
  ['200 and more than anybody reads', raw(' '.repeat(17 * 1024 * 1024)), 'accepted', 'invalid-response'],
  ['200 and half an answer', raw(JSON.stringify(paid).slice(0, -1)), 'accepted', 'invalid-response'],
  ['200 and a broken connection', cutOff('{"amount":'), 'accepted', 'network'],
  ['200 and an answer that stalls', stalled('{"amount":'), 'accepted', 'timeout', timeoutInBody],
])('a payment answered with %s', async (_, answer, outcome, code, options) => {
  await using api = await service(answer);
  const call = clientOf(api, options?.()).payroll.submitVariablePayment('1-2', bonus);
  await expect(call).rejects.toMatchObject({ name: 'HrError', operation: 'submitVariablePayment', outcome, code });
  const isReplayed = code === 'unauthorized';
  expect(api.requests).toHaveLength(isReplayed ? 2 : 1);
});

test('a payment that finds nobody at the port was not sent', async () => {
  const call = clientOf(await nobody()).payroll.submitVariablePayment('1-2', bonus);
  await expect(call).rejects.toMatchObject({ code: 'network', outcome: 'not-sent', attempts: 3 });
});

test('a payment whose host has no address was not sent', async () => {
  // No name server is asked: a label has at most 63 characters.
  const url = `https://${'x'.repeat(64)}.invalid`;
  const call = clientOf({ url }).payroll.submitVariablePayment('1-2', bonus);
  await expect(call).rejects.toMatchObject({ code: 'network', outcome: 'not-sent' });
});

test.each([
  ['a connect timeout', 'UND_ERR_CONNECT_TIMEOUT', 'not-sent'],
  ['a refused connection', 'ECONNREFUSED', 'not-sent'],
  ['a name server that is away', 'EAI_AGAIN', 'not-sent'],
  ['a reset', 'ECONNRESET', 'unknown'],
  ['a closed socket', 'UND_ERR_SOCKET', 'unknown'],
  ['a time-out of an open connection', 'ETIMEDOUT', 'unknown'],
  ["a browser's network error, which tells nothing", undefined, 'unknown'],
])('a payment that meets %s', async (_, code, outcome) => {
  const cause = code === undefined ? undefined : Object.assign(new Error('connect'), { code });
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
  const call = clientOf({ url: 'https://hr.example.com' }, { fetch, retry: { limit: 0 } });
  await expect(call.payroll.submitVariablePayment('1-2', bonus)).rejects.toMatchObject({ code: 'network', outcome });
});

test.each([new TypeError('x is not a function'), new Error('proxy is undefined'), 'no error', undefined])(
  'an option fetch that throws %s is not tried again, and its place is the cause',
  async (thrown) => {
    const fetch = () => Promise.reject(thrown);
    const error: unknown = await clientOf({ url: 'https://hr.example.com' }, { fetch })
      .persons.list()
      .then(undefined, (reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'fetch-failed',
      outcome: 'unknown',
      attempts: 1,
      message: 'listPersons: the option fetch threw an error that is none of the network. See cause for its place.',
    });
    const { cause } = error as HrError;
    const isError = thrown instanceof Error;
    expect(cause instanceof Error && [cause.name, cause.stack?.includes('outcome.test.ts:')]).toEqual(
      isError && [thrown.name, true],
    );
    expect(inspect(error)).not.toContain(isError ? thrown.message : "'no error'");
  },
);

// As Node.js, Deno and workerd say it.
test.each([
  ['bad port', new TypeError('fetch failed', { cause: new Error('bad port') }), 'fetch-failed', 'not-sent'],
  ['The option is not implemented.', new TypeError('The option is not implemented.'), 'fetch-failed', 'not-sent'],
  // Deno says so after it sent the request on a kept connection, too.
  [
    'client error (Connect): Connection refused (os error 111)',
    denoError('for url (URL): client error (Connect): Connection refused (os error 111)'),
    'network',
    'unknown',
  ],
  [
    'client error (SendRequest): connection closed',
    denoError('from 127.0.0.1:5000 for URL (192.0.2.7:443): client error (SendRequest): connection closed'),
    'network',
    'unknown',
  ],
  [
    'client error (Connect): invalid peer certificate',
    denoError('for url (URL): client error (Connect): invalid peer certificate'),
    'untrusted-certificate',
    'unknown',
  ],
])('the platform that says: %s', async (words, thrown, code, outcome) => {
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(thrown);
  onTestFinished(() => void vi.restoreAllMocks());
  const call = clientOf({ url: 'https://hr.example.com' }, { retry: { limit: 0 } }).time.absences('Ek');
  await expect(call).rejects.toMatchObject({ code, outcome, message: expect.stringContaining(`, ${words}`) as string });
  await expect(call).rejects.not.toThrow(/Ek|192\.0\.2/);
});

function denoError(words: string): TypeError {
  const place = words.replace('URL', 'https://hr.example.com/api/v1/persons/Ek');
  return new TypeError('fetch failed', { cause: new Error(`error sending request ${place}`) });
}

test.each(['Failed to fetch', 'Network connection lost.', 'internal error; reference = a1'])(
  'an option fetch that passes on what the platform says: %s',
  async (words) => {
    const fetch = () => Promise.reject(new TypeError(words));
    const call = clientOf({ url: 'https://hr.example.com' }, { fetch, retry: { limit: 0 } }).persons.list();
    await expect(call).rejects.toMatchObject({ code: 'network', outcome: 'unknown' });
  },
);

const noRoute = Object.assign(new Error('x'), { code: 'EHOSTUNREACH', syscall: 'connect' });
const noAnswer = Object.assign(new Error('x'), { code: 'ETIMEDOUT', syscall: 'connect' });
test.each([
  ['no route to the host', noRoute, 'not-sent'],
  [
    'no way to reach any address',
    Object.assign(new AggregateError([noAnswer, noRoute]), { code: 'ETIMEDOUT' }),
    'not-sent',
  ],
  ['a name server that fails', Object.assign(new Error('x'), { code: 'EAI_FAIL', syscall: 'getaddrinfo' }), 'not-sent'],
  ['a time-out while reading', Object.assign(new Error('x'), { code: 'ETIMEDOUT', syscall: 'read' }), 'unknown'],
])('a payment that meets %s', async (_, cause, outcome) => {
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
  const call = clientOf({ url: 'https://hr.example.com' }, { fetch }).payroll.submitVariablePayment('1-2', bonus);
  await expect(call).rejects.toMatchObject({ code: 'network', outcome, attempts: outcome === 'not-sent' ? 3 : 1 });
});

test.each([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('a certificate that cannot be trusted: %s. Nothing is sent, and nothing tried again', async (code) => {
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) }));
  const hr = clientOf({ url: 'https://hr.example.com' }, { fetch });
  const expected = { code: 'untrusted-certificate', outcome: 'not-sent', attempts: 1 };
  await expect(hr.payroll.submitVariablePayment('1-2', bonus)).rejects.toMatchObject(expected);
  await expect(hr.persons.list()).rejects.toMatchObject({
    ...expected,
    message: expect.stringMatching(`${code}\\. If baseUrl is right, trust its authority`) as string,
  });
});

test('a payment whose connection closes before it was read may have been taken', async () => {
  const server = createServer((socket) => socket.once('readable', () => socket.resetAndDestroy())).listen(
    0,
    '127.0.0.1',
  );
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = clientOf({ url }).payroll.submitVariablePayment('1-2', bonus);
  await expect(call).rejects.toMatchObject({ code: 'network', outcome: 'unknown', attempts: 1 });
  server.close();
});

test('a payment without a token was not sent', async () => {
  const auth = { getToken: () => Promise.reject(new Error('no')), invalidate() {} };
  await using api = await service(json(paid));
  const call = clientOf(api, { auth }).payroll.submitVariablePayment('1-2', bonus);
  await expect(call).rejects.toMatchObject({ code: 'token-unavailable', outcome: 'not-sent', attempts: 0 });
  expect(api.requests).toHaveLength(0);
});

test('a token that does not come in time: not sent', async () => {
  const auth = { getToken: () => new Promise<never>(() => {}), invalidate() {} };
  const call = clientOf(await nobody(), { auth, timeout: 50 }).payroll.submitVariablePayment('1-2', bonus);
  await expect(call).rejects.toMatchObject({ code: 'timeout', outcome: 'not-sent', attempts: 0 });
});

test('what an earlier attempt may have done stays done', async () => {
  await using api = await service(raw('', 503), problem(400, problemType('invalid-request')));
  const hr = clientOf(api, { idempotency: 'provider-supports' });
  const call = hr.payroll.submitVariablePayment('1-2', { ...bonus, idempotencyKey: 'k' });
  await expect(call).rejects.toMatchObject({ code: 'invalid-request', status: 400, outcome: 'unknown', attempts: 2 });
});

test.each([
  ['that does not say which', raw('', 409), 'unknown'],
  ['of no kind', problem(409, 'about:blank'), 'unknown'],
  ['of a kind that is not ours', problem(409, 'https://gateway.example/problems/duplicate'), 'unknown'],
  ['of a kind like ours', problem(409, problemType('constructor' as ProblemKind)), 'unknown'],
  ['about something else', problem(409, problemType('conflict')), 'rejected'],
])('a payment with a key that meets a conflict %s', async (_, answer, outcome) => {
  await using api = await service(answer);
  const call = clientOf(api).payroll.submitVariablePayment('1-2', { ...bonus, idempotencyKey: 'k' });
  await expect(call).rejects.toMatchObject({ code: 'conflict', outcome, attempts: 1 });
});

test.each<[string, () => unknown, Outcome]>([
  ['a part of one', () => ({ ok: true, status: 200, json: async () => paid }), 'unknown'],
  ['one with headers', () => ({ ok: true, status: 200, headers: new Headers(), json: async () => paid }), 'accepted'],
  [
    'one with the stream of another platform',
    () => ({ ok: true, status: 200, headers: new Headers(), body: { pipe: () => undefined } }),
    'accepted',
  ],
  ['nothing', () => undefined, 'unknown'],
])('a fetch that returns %s instead of a Response', async (_, returned, outcome) => {
  const fetch = (async () => returned()) as HrClientOptions['fetch'] & {};
  const call = clientOf({ url: 'https://hr.example.com' }, { fetch }).payroll.submitVariablePayment('1-2', bonus);
  await expect(call).rejects.toMatchObject({ name: 'HrError', code: 'invalid-response', outcome, attempts: 1 });
});

test('with a key that the service recognizes, the message says how to send again', async () => {
  await using api = await service(raw('', 500), keyInFlight, raw('', 404));
  const { payroll } = clientOf(api, { idempotency: 'provider-supports', retry: { limit: 0 } });
  const submit = () => payroll.submitVariablePayment('1-2', { ...bonus, idempotencyKey: 'k' });
  await expect(submit()).rejects.toThrow(
    'Send it again with the same key within 24 hours, or ask the payroll administrator.',
  );
  await expect(submit()).rejects.toThrow(
    'submitVariablePayment: the service responded with 409, A request with this key is in flight. Wait retryAfterMs, then send it again with the same key.',
  );
  await expect(submit()).rejects.toThrow('It had no effect.');
});

test('the message says whether to send again', async () => {
  await using api = await service(raw('', 404), raw('', 500), raw('', 200));
  const { payroll } = clientOf(api);
  await expect(payroll.submitVariablePayment('1-2', bonus)).rejects.toThrow('It had no effect.');
  await expect(payroll.submitVariablePayment('1-2', bonus)).rejects.toThrow('check before you send it again');
  await expect(payroll.submitVariablePayment('1-2', bonus)).rejects.toThrow('do not send it again');
});

test('law: without a key the status alone decides', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 599 }), (status) => {
      const rejected = status >= 400 && status < 500 && status !== 408;
      const accepted = status >= 200 && status < 300;
      expect(outcomeOfResponse(status)).toBe(accepted ? 'accepted' : rejected ? 'rejected' : 'unknown');
    }),
  );
});

test('law: with a key, only a problem of another kind says that a payment was rejected', () => {
  const kinds = Object.keys(problemKinds) as ProblemKind[];
  const about = new Set<ProblemKind>(['idempotency-key-in-flight', 'idempotency-key-reused']);
  for (const status of [409, 422]) {
    expect(outcomeOfResponse(status, undefined, true)).toBe('unknown');
    for (const kind of kinds) {
      expect(outcomeOfResponse(status, kind, true)).toBe(about.has(kind) ? 'unknown' : 'rejected');
    }
  }
});

test('law: the worse outcome is one of the two, whatever their order, and "unknown" never becomes "rejected"', () => {
  const outcomes = fc.constantFrom<Outcome>('not-sent', 'rejected', 'accepted', 'unknown');
  fc.assert(
    fc.property(outcomes, outcomes, outcomes, (one, two, three) => {
      const worse = worstOutcome(one, two);
      expect([one, two]).toContain(worse);
      expect(worstOutcome(two, one)).toBe(worse);
      expect(worstOutcome(worse, three)).toBe(worstOutcome(one, worstOutcome(two, three)));
      expect(one === 'unknown' && (worse === 'rejected' || worse === 'not-sent')).toBe(false);
    }),
  );
});
