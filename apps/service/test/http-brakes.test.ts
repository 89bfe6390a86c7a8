import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { testScale } from 'tooling-vitest/test-scale';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JsonStream } from '../src/database/json-answer.ts';
import { MAX_REQUESTS_IN_FLIGHT } from '../src/http/requests-in-flight.ts';
import { newToken } from './oauth-form.ts';
import { occupy } from './occupy.ts';
import { openSocket, statusesIn } from './raw-http.ts';
import { sharedService, startService } from './service.ts';

const patch = 'PATCH /api/v1/persons/p-1 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const get = 'GET /livez HTTP/1.1\r\nHost: x\r\n';
const chunked = 'Transfer-Encoding: chunked\r\n\r\n';
const MIB = 1024 * 1024;
const salaries = '/api/v1/payrollContract/none/salaries/history';
const authorized = `${patch}Authorization: Bearer TOKEN\r\n`;
/** Shorter than what the service allows; it looks every two seconds. */
const SHORT_MS = 500;
/** No sender here is done before it. */
const DROPS = 100;

const service = sharedService('postgres');
afterEach(() => {
  vi.restoreAllMocks();
});

const open = (options?: { readonly allowHalfOpen: boolean }): Socket => openSocket(service, options);

type Limits = Partial<Record<'headersTimeout' | 'requestTimeout' | 'timeout', number>>;

/** Changes limits of the server until the test ends. */
function setLimits(limits: Limits): void {
  const { server } = service.server;
  const { headersTimeout, requestTimeout, timeout } = server;
  Object.assign(server, limits);
  onTestFinished(() => void Object.assign(server, { headersTimeout, requestTimeout, timeout }));
}

describe('a body that nobody reads', () => {
  test.each([
    ['a long one', 401, `${patch}Content-Length: 10000000000\r\n\r\n`, Buffer.alloc(MIB, ' ')],
    ['endless chunks', 401, patch + chunked, Buffer.from(`10000\r\n${' '.repeat(0x10000)}\r\n`)],
    ['endless chunks of a GET', 200, get + chunked, Buffer.from(`10000\r\n${' '.repeat(0x10000)}\r\n`)],
    ['a long one that never comes', 401, `${patch}Content-Length: 10000000000\r\n\r\n`, undefined],
  ])('closes the connection: %s', async (_, status, head, piece) => {
    // Goes on after the end of the connection, where it has something to send.
    const socket = open({ allowHalfOpen: piece !== undefined });
    let answer = '';
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(head);
    const goOn = async (bytes: Buffer): Promise<void> => {
      if (socket.destroyed) return;
      if (!socket.write(bytes)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
      await goOn(bytes);
    };
    if (piece) await goOn(piece);
    await closed;
    expect(socket.bytesWritten).toBeLessThan(128 * MIB);
    expect(statusesIn(answer)).toEqual([status]);
    expect(answer.toLowerCase()).toContain('connection: close\r\n');
  });

  test.each([
    [401, async () => 'x'],
    // When the response begins, Node has stopped to read from the connection.
    [413, () => service.token()],
  ])('of a sender that writes all of it first does not hide the response: %i', async (status, token) => {
    const authorization = `Bearer ${await token()}`;
    const headers = { authorization, 'content-type': 'application/json' };
    for (let round = 0; round < 3 * testScale; round++) {
      const socket = open();
      socket.pause();
      socket.write(`${patch}Authorization: ${authorization}\r\nContent-Length: ${16 * MIB}\r\n\r\n`);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await new Promise((resolve) => socket.write(Buffer.alloc(16 * MIB, ' '), resolve));
      // oxlint-disable-next-line no-await-in-loop
      expect(statusesIn(await text(socket))).toEqual([status]);
      // oxlint-disable-next-line no-await-in-loop
      const answer = await service.send('PATCH', '/api/v1/persons/p-1', { headers, body: ' '.repeat(4 * MIB) });
      expect(answer.status).toBe(status);
    }
  });

  test.each([
    ['has nothing behind it that is handled', 100_000, [401]],
    ['leaves the connection open when it is short', 60_000, [401, 200]],
  ])('%s', async (_, length, statuses) => {
    const socket = open();
    socket.end(`${patch}Content-Length: ${length}\r\n\r\n${' '.repeat(length)}${get}\r\n`);
    expect(statusesIn(await text(socket))).toEqual(statuses);
  });
});

test.each([
  ['at once', 0],
  // Twice the time after which Node looks for requests that take too long.
  ['slowly', 4000],
])('of very many pipelined requests that are answered %s, few are handled at the same time', async (_, wait) => {
  const { database } = service;
  const query = database.query.bind(database);
  let [running, max] = [0, 0];
  vi.spyOn(database, 'query').mockImplementation(async (...statement) => {
    // The service itself looks whether webhooks are due.
    if (statement[0].includes('webhook_endpoint')) return query(...statement);
    max = Math.max(max, ++running);
    await setTimeout(wait);
    return query(...statement).finally(() => running--);
  });
  // By the time they are answered, Node has long read a part of a request, and waits with the rest.
  setLimits({ headersTimeout: 1000 });
  // It writes all of it before it reads, more than the buffers of the system hold.
  const socket = open().pause();
  const request = `GET ${salaries} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await service.token()}\r\n\r\n`;
  await new Promise((resolve) => socket.write(request.repeat((16 * MIB) / request.length), resolve));
  const answer = await text(socket);
  const answered = statusesIn(answer);
  expect(answered.filter((status) => status === 404).length).toBeGreaterThan(0);
  expect(answered.at(-1)).toBe(429);
  expect(answer.match(/ratelimit: "\w+"/g)).toEqual(['ratelimit: "pipelined"']);
  expect(max).toBeLessThanOrEqual(50);
});

test('a client has so many requests in flight and no more, which delays no other client', async () => {
  const { promise, resolve } = Promise.withResolvers<JsonStream>();
  const answer = (): void => resolve({ json: '[]', elements: 0 } as unknown as JsonStream);
  onTestFinished(answer);
  const listed = vi.spyOn(service.database, 'list').mockImplementation(() => promise);
  const authorization = `Bearer ${await newToken(service, await service.client())}`;
  const ask = (): Promise<Response> => fetch(`${service.baseUrl}/api/v1/persons`, { headers: { authorization } });
  const waiting = Array.from({ length: MAX_REQUESTS_IN_FLIGHT }, ask);
  await expect.poll(() => listed.mock.calls.length).toBe(MAX_REQUESTS_IN_FLIGHT);
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(Object.fromEntries(refused.headers)).toMatchObject({ ratelimit: '"requests";r=0;t=1', 'retry-after': '1' });
  expect((await service.send('GET', salaries)).status).toBe(404);
  expect((await fetch(`${service.baseUrl}/readyz`)).status).toBe(200);
  answer();
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
  await expect.poll(async () => (await ask()).status).toBe(200);
});

test('one address does not take all connections', async () => {
  // Those that `fetch` keeps of the tests before this one would count, too.
  service.server.server.closeIdleConnections();
  setLimits({ headersTimeout: 120_000, requestTimeout: 120_000, timeout: 120_000 });
  const sockets: Socket[] = [];
  for (let round = 0; round < 22; round++) {
    const some = Array.from({ length: 100 }, () => open().resume());
    sockets.push(...some);
    // oxlint-disable-next-line no-await-in-loop -- more at the same time would wait in the queue of the system
    await Promise.all(some.map((socket) => once(socket, 'connect')));
  }
  const openCount = (): number => sockets.filter((socket) => !socket.destroyed).length;
  await expect.poll(openCount).toBeLessThanOrEqual(2000);
  expect(openCount()).toBeGreaterThan(1900);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await fetch(`${service.baseUrl}/livez`)).status).toBe(200);
});

test('all connections to the database are in use, and the service is ready', async () => {
  const postgres = await startService('postgres');
  const free = occupy(postgres.database, 30);
  onTestFinished(() => free().then(() => postgres.stop()));
  await expect.poll(() => postgres.database.pools().requests?.waiting).toBe(20);
  const answers = await Promise.all(Array.from({ length: 100 }, () => fetch(`${postgres.baseUrl}/readyz`)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

/** Sends drop after drop until the other side has had enough, and gives what it answered. */
async function drip(start: string, drop: string): Promise<string> {
  const socket = open();
  const answer = text(socket);
  socket.write(start);
  for (let count = 0; count < DROPS && socket.writable; count++) {
    socket.write(drop);
    // oxlint-disable-next-line no-await-in-loop -- drop after drop
    await setTimeout(100);
  }
  return answer.catch(() => '');
}

async function serves(): Promise<void> {
  expect((await service.send('PATCH', '/api/v1/persons/p-1', { body: {} })).status).toBe(404);
}

test.each([
  ['headers', 'GET /livez HTTP/1.1\r\nHost: x\r\n', 'X: y\r\n'],
  ['a body', `${authorized}Content-Length: 1000\r\n\r\n{`, ' '],
  ['chunks', `${authorized}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
])('whoever sends %s drop by drop is cut off', async (_, start, drop) => {
  // Node exchanges the two where the one for headers is the longer one.
  setLimits({ headersTimeout: SHORT_MS, ...(start.startsWith('PATCH') && { requestTimeout: SHORT_MS }) });
  const request = start.replace('TOKEN', await service.token());
  const slow = Array.from({ length: 50 }, () => drip(request, drop));
  await serves();
  for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^HTTP\/1\.1 408 .*request-timeout/s);
});

test('connections on which nothing is sent hold up nobody and are cut off', async () => {
  setLimits({ timeout: SHORT_MS * 4 });
  const idle = Array.from({ length: 1000 }, () => open());
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  await serves();
  const answers = await Promise.all(idle.map((socket) => text(socket)));
  expect(answers.join('')).toBe('');
});

test('the limits are those of the documentation', () => {
  const limits = { headersTimeout: 10_000, requestTimeout: 30_000, timeout: 30_000, keepAliveTimeout: 72_000 };
  const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = service.server.server;
  expect({ headersTimeout, requestTimeout, timeout, keepAliveTimeout }).toEqual(limits);
});
