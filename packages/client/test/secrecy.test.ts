import { tracingChannel } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import {
  tracingChannels,
  type HrClient,
  type HrClientOptions,
  type HrError,
  type TokenProvider,
} from '../src/index.ts';
import { clientOf, cutOff, json, nobody, problem, raw, reset, service, silent, type Answer } from './service.ts';

const TOKEN = 't0ken-that-nobody-may-see';
const IBAN = 'DE02120300000000202051';
const PERSON = 'person-that-nobody-may-see';
const NAME = 'Überschär';
const secrets = [TOKEN, IBAN, PERSON, NAME];
const auth: TokenProvider = {
  getToken: async () => ({ value: TOKEN }),
  invalidate() {},
};

/** Everything a logger or a crash may write about a value. */
function shown(value: unknown): string {
  return [
    inspect(value, { depth: Infinity, showHidden: true, getters: false }),
    inspect(value, { depth: Infinity, showHidden: true, getters: true }),
    JSON.stringify(value),
    JSON.stringify({ ...(value as object) }),
    String(value),
    value instanceof Error ? value.stack : '',
  ].join('\n');
}

/** The secrets that can be seen in any of the values. */
function leaks(...values: unknown[]): string[] {
  const text = values.map(shown).join('\n');
  return secrets.filter((secret) => text.includes(secret));
}

const update = (hr: HrClient) => hr.persons.update(PERSON, { bankDetails: { iban: IBAN, payee: NAME } });
const detail = `${NAME} has ${IBAN}`;
const quoting = {
  detail,
  instance: `/api/v1/persons/${PERSON}`,
  errors: [{ pointer: '/bankDetails/iban', code: 'rule', detail }],
};
/** Answers with what it was sent, headers too. */
const echo =
  (status: number): Answer =>
  (response, request, index) =>
    json({ request, token: TOKEN }, status)(response, request, index);
const throwing = (error: unknown) => async () => {
  throw error;
};

test.each<[string, Answer, Partial<HrClientOptions>?, ((hr: HrClient) => PromiseLike<unknown>)?]>([
  ['a problem that quotes the request', problem(400, 'about:blank', quoting)],
  ['a code that quotes', problem(400, 'urn:x', { errors: [{ pointer: '/bankDetails', code: detail, detail }] })],
  ['a pointer that quotes', problem(400, 'urn:x', { errors: [{ pointer: `/a/${detail}`, code: 'rule', detail }] })],
  ['a type that quotes', problem(400, `about ${detail}`)],
  ['a title of a kind that is not ours', problem(400, 'urn:x', { title: detail })],
  ['a title of a kind that is ours', problem(404, 'urn:hr-cloud:problem:not-found', { title: detail })],
  ['an echo with 400', echo(400)],
  ['an echo with 500', echo(500)],
  ['an echo with 401', echo(401)],
  ['a redirect that quotes', raw('', 302, { location: `/${PERSON}?token=${TOKEN}` })],
  ['a request id that quotes', raw('', 404, { 'x-request-id': `${NAME} ${PERSON}` })],
  ['Retry-After that quotes', raw('', 503, { 'retry-after': TOKEN })],
  ['an answer that is no JSON', raw(`{"iban":${IBAN}}`)],
  ['an answer that breaks off', cutOff(`{"iban":"${IBAN}"`)],
  ['an answer of a wrong type', json({ id: PERSON, lastName: [NAME], bankDetails: IBAN })],
  [
    'an answer that breaks a bound',
    json({ id: PERSON, gender: NAME, bankDetails: { iban: `${IBAN}x` } }),
    { onInvalid: 'throw' },
  ],
  ['bytes that are no HTTP', (response) => response.socket?.end(`HTTP/9 ${NAME} ${IBAN}\r\n\r\n`)],
  ['a reset', reset],
  ['no answer in time', silent, { timeout: 500 }],
  [
    'a fetch that fails with the request',
    silent,
    {
      fetch: (url, init) => Promise.reject(Object.assign(new TypeError(`${url} ${TOKEN}`, { cause: init }), { init })),
    },
  ],
  [
    'a fetch whose error code quotes',
    silent,
    { fetch: throwing(Object.assign(new Error('x'), { code: `E ${IBAN}` })) },
  ],
  [
    'a token provider that quotes',
    silent,
    { auth: { ...auth, getToken: throwing(Object.assign(new Error(TOKEN), { code: `x ${TOKEN}` })) } },
  ],
  ['a token that is no header', silent, { auth: { ...auth, getToken: async () => ({ value: `${TOKEN}\n` }) } }],
  [
    'a request that breaks bounds',
    silent,
    {},
    (hr) => hr.persons.update(PERSON.repeat(20), { bankDetails: { iban: `${IBAN} `, bic: NAME } }),
  ],
  ['a request of a wrong type', silent, {}, (hr) => hr.persons.update(PERSON, { bankDetails: IBAN } as never)],
  ['a filter that is no date', silent, {}, (hr) => hr.persons.list({ changedSince: NAME })],
])('neither error nor event shows a value after %s', async (what, answer, options = {}, call = update) => {
  await using api = await service(answer);
  const seen: unknown[] = [];
  const listen = (event: unknown): number => seen.push(event);
  const channels = Object.values(tracingChannels).map((name) => tracingChannel(name));
  const subscribers = { start: listen, end: listen, asyncStart: listen, asyncEnd: listen, error: listen };
  for (const channel of channels) channel.subscribe(subscribers);
  const error: unknown = await call(clientOf(api, { auth, onEvent: listen, ...options })).then(
    () => expect.unreachable('the call is to fail'),
    (reason: unknown) => reason,
  );
  for (const channel of channels) channel.unsubscribe(subscribers);

  expect(error).toMatchObject({ name: 'HrError' });
  // Of a function of the caller there is a copy without its message.
  expect((error as HrError).cause !== undefined).toBe(what.startsWith('a fetch'));
  expect(seen.length).toBeGreaterThanOrEqual(2);
  expect(leaks(error, ...seen)).toEqual([]);
});

test('events of a call that succeeds with a broken bound show no value', async () => {
  await using api = await service(json([{ id: PERSON, lastName: NAME.repeat(20), bankDetails: { iban: `${IBAN}-` } }]));
  const seen: unknown[] = [];
  await clientOf(api, { auth, onEvent: (event) => seen.push(event) }).persons.list();
  expect(seen).toContainEqual(expect.objectContaining({ type: 'invalid' }));
  expect(leaks(...seen)).toEqual([]);
});

test('a client shows nothing of its options', async () => {
  const hr = clientOf(await nobody(), { auth: { ...auth, secret: IBAN } as TokenProvider });
  expect(leaks(hr)).toEqual([]);
});

test('an error tells what a log needs', async () => {
  await using api = await service(
    problem(400, 'urn:x', { requestId: 'r-1', errors: [{ pointer: '/a', code: 'b', detail }] }),
  );
  const error: unknown = await update(clientOf(api)).catch((reason: unknown) => reason);
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'HrError',
    code: 'invalid-request',
    operation: 'updatePerson',
    status: 400,
    requestId: 'r-1',
    attempts: 1,
    outcome: 'rejected',
    problem: { type: 'urn:x', status: 400, requestId: 'r-1', errors: [{ pointer: '/a', code: 'b' }] },
  });
  expect(String(error)).toBe(
    'HrError: updatePerson: the service responded with 400: /a b (request r-1). Correct the request.',
  );
});
