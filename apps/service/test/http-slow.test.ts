import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { openSocket } from './raw-http.ts';
import { startService } from './service.ts';
import type { TestService } from './service.ts';

const path = '/api/v1/persons/p-1';
const patch = `PATCH ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer TOKEN\r\n`;
/** Shorter than what the service allows; it looks every two seconds. */
const SHORT_MS = 500;
/** No sender here is done before it. */
const DROPS = 100;

let service: TestService;
beforeAll(async () => {
  service = await startService('postgres');
  return service.stop;
});

/** Sends drop after drop until the other side has had enough, and gives what it answered. */
async function drip(start: string, drop: string): Promise<string> {
  const socket = openSocket(service);
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
  expect((await service.send('PATCH', path, { body: {} })).status).toBe(404);
}

test.each([
  ['headers', 'GET /livez HTTP/1.1\r\nHost: x\r\n', 'X: y\r\n'],
  ['a body', `${patch}Content-Length: 1000\r\n\r\n{`, ' '],
  ['chunks', `${patch}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
])('whoever sends %s drop by drop is cut off', async (_, start, drop) => {
  const { headersTimeout, requestTimeout } = service.server.server;
  // Node exchanges the two where the one for headers is the longer one.
  const limits = { headersTimeout: SHORT_MS, ...(start.startsWith('PATCH') && { requestTimeout: SHORT_MS }) };
  Object.assign(service.server.server, limits);
  const request = start.replace('TOKEN', await service.token());
  const slow = Array.from({ length: 50 }, () => drip(request, drop));
  await serves();
  for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^HTTP\/1\.1 408 .*request-timeout/s);
  Object.assign(service.server.server, { headersTimeout, requestTimeout });
});

test('connections on which nothing is sent hold up nobody and are cut off', async () => {
  service.server.server.timeout = SHORT_MS * 4;
  const idle = Array.from({ length: 1000 }, () => openSocket(service));
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  await serves();
  const answers = await Promise.all(idle.map((socket) => text(socket)));
  expect(answers.join('')).toBe('');
  service.server.server.timeout = 30_000;
});

test('the limits are those of the documentation', () => {
  const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = service.server.server;
  expect({ headersTimeout, requestTimeout, timeout, keepAliveTimeout }).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    timeout: 30_000,
    keepAliveTimeout: 72_000,
  });
});
