import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import {
  isWebhookError,
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
  type WebhookEvent,
  type WebhookRequest,
} from '../src/webhooks/index.ts';

const NOW = Date.parse('2026-01-31T12:00:00.500Z');
const MAX_BODY_BYTES = 65_536;
const ID = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W';
const data = { cursor: 'MS41LjE0NzY', changed: ['persons', 'decisions'] };
const content = { type: 'changes', timestamp: '2026-01-31T11:59:59.000Z', data };
const BODY = JSON.stringify(content);
const EVENT = { id: ID, ...content };
const secretOf = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString('base64')}`;
const SECRET = secretOf(randomBytes(32));
const OTHER_SECRET = secretOf(randomBytes(32));

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** The headers with which the reference library sends a body. */
function signed(body = BODY, secrets = [SECRET], sentAt = NOW) {
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(Math.floor(sentAt / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(ID, new Date(sentAt), body)).join(' '),
  };
}
const HEADERS = signed();
const nextCharacter = (character: string): string => String.fromCharCode(character.charCodeAt(0) + 1);
const post = (body: RequestInit['body'] = BODY, headers: RequestInit['headers'] = HEADERS): Request =>
  new Request('https://payroll.example.com/hr', { method: 'POST', headers, body, duplex: 'half' });

/** The code and the message with which a request is refused. */
async function refusal(verification: Promise<unknown>): Promise<string> {
  const error: unknown = await verification.then(
    () => expect.unreachable('the request is to be refused'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(WebhookError);
  const { code, message } = error as WebhookError;
  return `${code}: ${message}`;
}
const refusalOf = (request: unknown) => refusal(verifyWebhook(request as WebhookRequest, SECRET));

/** What a server on Node.js makes of a request. */
async function received<T>(
  receive: (request: IncomingMessage) => Promise<T>,
  send: (url: string) => Promise<unknown>,
): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const server = createServer((request, response) => resolve(receive(request).finally(() => response.end())));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    // The server may break the connection.
    await Promise.allSettled([promise, send(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)]);
    return await promise;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const sendBy =
  (init: RequestInit) =>
  (url: string): Promise<unknown> =>
    fetch(url, { method: 'POST', headers: HEADERS, body: BODY, ...init });

describe('accepts', () => {
  test.each<[string, WebhookRequest]>([
    ['a Request', post()],
    ['a Request whose body is a stream', post(new Blob([BODY]).stream())],
    ['Headers and a string', { headers: new Headers(HEADERS), body: BODY }],
    ['headers and a Buffer', { headers: HEADERS, body: Buffer.from(BODY) }],
    ['a part of a larger Buffer', { headers: HEADERS, body: Buffer.from(`x${BODY}x`).subarray(1, -1) }],
    ['an ArrayBuffer', { headers: HEADERS, body: new TextEncoder().encode(BODY).buffer }],
    ['headers with lists of values', { headers: { ...HEADERS, 'webhook-id': [ID], cookie: ['a', 'b'] }, body: BODY }],
    [
      'names of headers in any case',
      { headers: Object.fromEntries(Object.entries(HEADERS).map(([k, v]) => [k.toUpperCase(), v])), body: BODY },
    ],
  ])('%s', async (_, request) => {
    await expect(verifyWebhook(request, SECRET)).resolves.toEqual(EVENT);
  });

  test.each<[string, (request: IncomingMessage) => Promise<WebhookEvent>]>([
    ['an IncomingMessage', (request) => verifyWebhook(request, SECRET)],
    ['an IncomingMessage that is read as text', (request) => verifyWebhook(request.setEncoding('utf8'), SECRET)],
    [
      'a request with a raw body',
      async (request) => verifyWebhook(Object.assign(request, { body: await buffer(request) }), SECRET),
    ],
    [
      'headers of Node.js and a text',
      async (request) => verifyWebhook({ headers: request.headers, body: await text(request) }, SECRET),
    ],
  ])('%s of a server on Node.js', async (_, receive) => {
    await expect(received(receive, sendBy({}))).resolves.toEqual(EVENT);
  });

  test('what the reference library signs, for every length of a secret and every character', async () => {
    const secrets = fc.uint8Array({ minLength: 24, maxLength: 64 }).map(secretOf);
    await fc.assert(
      fc.asyncProperty(secrets, fc.string({ unit: 'binary' }), async (secret, cursor) => {
        const event = { ...content, data: { ...data, cursor } };
        const body = JSON.stringify(event);
        const headers = signed(body, [secret]);
        expect(new Webhook(secret).verify(body, headers)).toEqual(event);
        await expect(verifyWebhook(post(body, headers), secret)).resolves.toEqual({ id: ID, ...event });
      }),
    );
  });

  test.each([
    ['the service signs with two secrets', [SECRET, OTHER_SECRET], SECRET],
    ['the service signs with two secrets, the other one first', [OTHER_SECRET, SECRET], SECRET],
    ['the receiver has two secrets', [SECRET], [OTHER_SECRET, SECRET]],
    ['both have two', [OTHER_SECRET, SECRET], [SECRET, secretOf(randomBytes(64))]],
  ])('a request while %s', async (_, senders, receivers) => {
    await expect(verifyWebhook(post(BODY, signed(BODY, senders)), receivers)).resolves.toEqual(EVENT);
  });

  test('a signature beside others that it does not know', async () => {
    const others = ['v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw==', 'v2,x', 'v1,x', 'v1,AAAA'];
    const headers = { ...HEADERS, 'webhook-signature': [...others, HEADERS['webhook-signature']].join(' ') };
    await expect(verifyWebhook(post(BODY, headers), SECRET)).resolves.toEqual(EVENT);
  });

  test('types, names and fields of a later version', async () => {
    const next = { ...content, data: { ...data, changed: ['persons', 'payslips'], since: 1 }, version: 2 };
    const body = JSON.stringify(next);
    await expect(verifyWebhook(post(body, signed(body)), SECRET)).resolves.toEqual({ id: ID, ...next });

    const other = JSON.stringify({ ...content, type: 'endpoint.disabled', data: { reason: 'gone' }, id: 'x' });
    await expect(verifyWebhook(post(other, signed(other)), SECRET)).resolves.toEqual({
      ...EVENT,
      type: 'endpoint.disabled',
      data: { reason: 'gone', cursor: undefined, changed: [] },
    });
  });
});

test.each([
  [-300, undefined],
  [300, undefined],
  [-1, 1],
  [3000, 3000],
])('accepts a request that was sent %i s from now, with a tolerance of %o', async (seconds, toleranceSeconds) => {
  const request = post(BODY, signed(BODY, [SECRET], NOW + seconds * 1000));
  await expect(verifyWebhook(request, SECRET, { toleranceSeconds })).resolves.toEqual(EVENT);
});

test.each([
  [-301, undefined, '301 s in the past. The maximum is 300 s.'],
  [301, undefined, '301 s in the future. The maximum is 300 s.'],
  [-2, 1, '2 s in the past. The maximum is 1 s.'],
])('refuses a request that was sent %i s from now, with a tolerance of %o', async (seconds, toleranceSeconds, age) => {
  const request = post(BODY, signed(BODY, [SECRET], NOW + seconds * 1000));
  expect(await refusal(verifyWebhook(request, SECRET, { toleranceSeconds }))).toBe(
    `stale: webhook-timestamp is ${age} Check the clock of this machine.`,
  );
});

describe('refuses', () => {
  const anyPart = fc.constantFrom('body', ...(Object.keys(HEADERS) as (keyof typeof HEADERS)[]));

  test('any change of one byte', async () => {
    const parts = { ...HEADERS, body: BODY };
    await fc.assert(
      fc.asyncProperty(anyPart, fc.nat(), fc.integer({ min: 1, max: 255 }), async (part, place, difference) => {
        const bytes = Buffer.from(parts[part]);
        const index = place % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ difference;
        const { body, ...headers } = { ...parts, [part]: part === 'body' ? bytes : bytes.toString('latin1') };
        expect(await refusalOf({ headers, body })).toMatch(/^(invalid-header|invalid-signature|stale): /);
      }),
      { numRuns: 1000 },
    );
  });

  test('every byte that is missing, and every byte too many', async () => {
    const parts = { ...HEADERS, body: BODY };
    await fc.assert(
      fc.asyncProperty(anyPart, fc.nat(), fc.constantFrom('', '00', 'A0', '. '), async (part, place, inserted) => {
        const value = parts[part];
        const index = place % value.length;
        const changed = value.slice(0, index) + inserted + value.slice(index + 1);
        fc.pre(changed !== value);
        const { body, ...headers } = { ...parts, [part]: changed };
        expect(await refusalOf({ headers, body })).toMatch(/^(invalid-header|invalid-signature|stale): /);
      }),
    );
  });

  test.each(Object.keys(HEADERS))('a request without %s', async (name) => {
    const message = `missing-header: ${name} is missing. Check that no proxy removes it.`;
    const headers = new Headers(HEADERS);
    headers.delete(name);
    expect(await refusalOf(post(BODY, headers))).toBe(message);
    expect(await refusalOf({ headers: { ...HEADERS, [name]: undefined }, body: BODY })).toBe(message);
  });

  test.each<[string, Partial<Record<keyof typeof HEADERS, string>>]>([
    ['an empty id', { 'webhook-id': '' }],
    ['an id with a full stop', { 'webhook-id': 'msg.1' }],
    ['an overlong id', { 'webhook-id': 'x'.repeat(256) }],
    ['NUL in an id', { 'webhook-id': 'msg\0' }],
    ['a line break after an id', { 'webhook-id': `${ID}\n` }],
    ['an id that is not ASCII', { 'webhook-id': 'mÿ' }],
    ['a timestamp in words', { 'webhook-timestamp': 'now' }],
    ['an empty timestamp', { 'webhook-timestamp': '' }],
    ['a negative timestamp', { 'webhook-timestamp': '-1769860800' }],
    ['a timestamp with decimals', { 'webhook-timestamp': '1769860800.5' }],
    ['a timestamp in milliseconds', { 'webhook-timestamp': String(NOW) }],
    ['a timestamp of 400 digits', { 'webhook-timestamp': '9'.repeat(400) }],
    ['a hexadecimal timestamp', { 'webhook-timestamp': '0x10' }],
    ['an empty signature', { 'webhook-signature': '' }],
    ['a signature without a version', { 'webhook-signature': HEADERS['webhook-signature'].slice('v1,'.length) }],
    ['two spaces between signatures', { 'webhook-signature': HEADERS['webhook-signature'].replace('v1', 'v1,A  v1') }],
    ['NUL in a signature', { 'webhook-signature': `${HEADERS['webhook-signature']}\0` }],
    ['17 signatures', { 'webhook-signature': Array<string>(17).fill(HEADERS['webhook-signature']).join(' ') }],
    ['a long signature without an end', { 'webhook-signature': `${'v1,A '.repeat(20_000)}!` }],
  ])('%s', async (_, header) => {
    const [name] = Object.keys(header);
    const message = new RegExp(`^invalid-header: ${name} must be one header: .+ Check that no proxy changes it\\.$`);
    expect(await refusalOf({ headers: { ...HEADERS, ...header }, body: BODY })).toMatch(message);
  });

  test.each(Object.entries(HEADERS))('a repeated %s', async (name, value) => {
    const code: WebhookErrorCode = 'invalid-header';
    const joined = new Headers(HEADERS);
    joined.append(name, value);
    expect(await refusalOf(post(BODY, joined))).toContain(code);
    expect(await refusalOf({ headers: { ...HEADERS, [name]: [value, value] }, body: BODY })).toContain(code);
    expect(await refusalOf({ headers: { ...HEADERS, [name.toUpperCase()]: value }, body: BODY })).toContain(code);
    const sent = received(refusalOf, async (url) => {
      const request = httpRequest(url, { method: 'POST', headers: { ...HEADERS, [name]: [value, value] } });
      await once(request.end(BODY), 'response');
    });
    expect(await sent).toContain(code);
  });

  test.each([
    ['of another secret', new Webhook(OTHER_SECRET).sign(ID, new Date(NOW), BODY)],
    ['that is too short', HEADERS['webhook-signature'].slice(0, -4)],
    ['that is too long', HEADERS['webhook-signature'].replace('=', 'AAAA=')],
    ['that is no base64', 'v1,===='],
    ['without padding', HEADERS['webhook-signature'].replace('=', '')],
    ['with unused bits', HEADERS['webhook-signature'].replace(/.(?==$)/, nextCharacter)],
    ['of another version', HEADERS['webhook-signature'].replace('v1', 'v1a')],
  ])('a signature %s', async (_, signature) => {
    expect(await refusalOf(post(BODY, { ...HEADERS, 'webhook-signature': signature }))).toBe(
      'invalid-signature: No signature matches. Check that the secret is that of the endpoint, and that the body is as it was received.',
    );
  });

  test.each([null, '', BODY.replace(':', ': '), `${BODY}\n`, `\u{FEFF}${BODY}`])('the body %j', async (body) => {
    expect(await refusalOf(post(body))).toContain('invalid-signature');
  });

  test.each([
    '',
    '[]',
    'null',
    '"changes"',
    '{',
    '{}',
    JSON.stringify({ ...content, type: undefined }),
    JSON.stringify({ ...content, type: 1 }),
    JSON.stringify({ ...content, timestamp: 1 }),
    JSON.stringify({ ...content, data: null }),
    JSON.stringify({ ...content, data: { ...data, cursor: undefined } }),
    JSON.stringify({ ...content, data: { ...data, changed: undefined } }),
    JSON.stringify({ ...content, data: { ...data, changed: 'persons' } }),
    JSON.stringify({ ...content, data: { ...data, changed: [1] } }),
    JSON.stringify({ ...content, type: 'endpoint.disabled', data: { cursor: 1 } }),
    JSON.stringify({ ...content, type: 'endpoint.disabled', data: { changed: null } }),
  ])('the signed body %s', async (body) => {
    expect(await refusalOf({ headers: signed(body), body })).toMatch(/^invalid-body: The signature matches, but /);
  });

  test.each<[string, unknown]>([
    ['that is not set', undefined],
    ['that is empty', ''],
    ['in an empty list', []],
    ['in a list where the next one is not set', [SECRET, undefined]],
    ['without its prefix', SECRET.slice('whsec_'.length)],
    ['with a line break', `${SECRET}\n`],
    ['with a space', ` ${SECRET}`],
    ['in quotation marks', `"${SECRET}"`],
    ['that is only a prefix', 'whsec_'],
    ['that is no base64', `whsec_${'_'.repeat(32)}`],
    ['without padding', secretOf(new Uint8Array(25)).replaceAll('=', '')],
    ['of 23 bytes', secretOf(new Uint8Array(23))],
    ['of 65 bytes', secretOf(new Uint8Array(65))],
  ])('a secret %s', async (_, secret) => {
    expect(await refusal(verifyWebhook(post(), secret as string))).toMatch(/^invalid-secret: .+\. (Check|Pass) /);
  });

  test.each([[0], [-1], [Number.NaN]])('a tolerance of %d', async (toleranceSeconds) => {
    expect(await refusal(verifyWebhook(post(), SECRET, { toleranceSeconds }))).toBe(
      'invalid-option: toleranceSeconds must be a number above 0.',
    );
  });

  test.each([[undefined], [null], ['request'], [{}], [{ body: BODY }], [{ headers: null, body: BODY }]])(
    'the request %o',
    async (request) => {
      expect(await refusalOf(request)).toBe(
        'invalid-option: The request has no headers. Pass a Request, in Hono c.req.raw, or { headers, body }.',
      );
    },
  );
});

describe('says how to pass the raw body', () => {
  const message =
    /^unreadable-body: The body was parsed or read before\. Pass the raw body, .*Express, use express\.raw\(.*Fastify, addContentTypeParser\(/;

  test.each<[string, unknown]>([
    ['an object', content],
    ['a list', [content]],
    ['a number', 1],
    ['nothing', undefined],
  ])('for %s', async (_, body) => {
    expect(await refusalOf({ headers: HEADERS, body })).toMatch(message);
  });

  test('for a Request that was read', async () => {
    const request = post();
    await request.text();
    expect(await refusalOf(request)).toMatch(message);
  });

  test('for an IncomingMessage that was read, and one whose body was parsed', async () => {
    const messages = await received(async (request) => {
      const body: unknown = JSON.parse(await text(request));
      return [await refusalOf(request), await refusalOf(Object.assign(request, { body }))];
    }, sendBy({}));
    expect(messages).toEqual([expect.stringMatching(message), expect.stringMatching(message)]);
  });
});

describe('a body that arrives as a stream', () => {
  test('has at most 64 kB', async () => {
    const message = `unreadable-body: The body has more than ${MAX_BODY_BYTES} bytes. Reject the request.`;
    const body = 'x'.repeat(MAX_BODY_BYTES);
    expect(await refusalOf(post(body))).toContain('invalid-signature');
    expect(await refusalOf(post(`${body}x`))).toBe(message);
    expect(await received(refusalOf, sendBy({ body: `${body}x` }))).toBe(message);
  });

  test('without an end is left unread after 64 kB', async () => {
    let chunks = 0;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1000).fill(++chunks)),
    });
    expect(await refusalOf(post(endless))).toContain('unreadable-body');
    expect(chunks).toBeLessThan(100);
  });

  test('breaks off', async () => {
    const message = await received(refusalOf, async (url) => {
      const headers = { ...HEADERS, 'content-length': BODY.length };
      const request = httpRequest(url, { method: 'POST', headers });
      request.on('error', () => undefined);
      request.write(BODY.slice(0, 10), () => setTimeout(() => request.destroy(), 50));
      await once(request, 'close');
    });
    expect(message).toBe(
      'unreadable-body: The body broke off, or something else reads it. The service sends it again.',
    );
  });

  test('is being read by something else', async () => {
    const request = post();
    request.body?.getReader();
    expect(await refusalOf(request)).toContain('something else reads it');
  });
});

test('no error shows a secret, a signature or a body', async () => {
  const errors = await Promise.allSettled([
    verifyWebhook(post(), `${SECRET}x`),
    verifyWebhook(post(), OTHER_SECRET),
    verifyWebhook({ headers: HEADERS, body: content } as unknown as WebhookRequest, SECRET),
    verifyWebhook(post('{', signed('{')), SECRET),
  ]);
  const shown = inspect(errors, { depth: Infinity, showHidden: true });
  expect(shown.match(/WebhookError/g)?.length).toBeGreaterThanOrEqual(errors.length);
  for (const secret of [SECRET, OTHER_SECRET, HEADERS['webhook-signature'], data.cursor])
    expect(shown).not.toContain(secret.slice(0, 10));
});

test('an error of another copy of the package is recognized', async () => {
  vi.resetModules();
  const copy = await import('../src/webhooks/index.ts');
  const error = new copy.WebhookError('stale', 'x');
  expect(error).not.toBeInstanceOf(WebhookError);
  expect(isWebhookError(error)).toBe(true);
  expect([new Error('x'), { name: 'WebhookError' }, null, undefined].filter(isWebhookError)).toEqual([]);
});

test('types', () => {
  expectTypeOf<Request>().toExtend<WebhookRequest>();
  expectTypeOf<IncomingMessage>().toExtend<WebhookRequest>();
  expectTypeOf<{ headers: IncomingMessage['headers']; body: Buffer }>().toExtend<WebhookRequest>();
  expectTypeOf<IncomingMessage & { body: object }>().not.toExtend<WebhookRequest>();
  expectTypeOf<{ headers: IncomingMessage['headers']; body: unknown }>().not.toExtend<WebhookRequest>();
  expectTypeOf<{ headers: IncomingMessage['headers']; body: object }>().not.toExtend<WebhookRequest>();
  expectTypeOf<'changes' | 'endpoint.disabled'>().toExtend<WebhookEvent['type']>();
  expectTypeOf<WebhookErrorCode>().not.toEqualTypeOf<string>();
  expectTypeOf(isWebhookError).guards.toEqualTypeOf<WebhookError>();
});
