import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from './service.ts';
import type { TestService } from './service.ts';

const path = '/api/v1/persons/p-1';
/** Shorter than what the service allows; it looks every two seconds. */
const SHORT_MS = 500;
/** No sender here is done before it. */
const DROPS = 100;

let service: TestService;
beforeAll(async () => {
  service = await startService('postgres');
});
afterAll(() => service.stop());

function open(): Socket {
  return connect(Number(new URL(service.baseUrl).port), '127.0.0.1').on('error', () => {});
}

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
  expect((await service.send('PATCH', path, { body: {} })).status).toBe(404);
}

test('headers that come drop by drop are cut off', async () => {
  const { headersTimeout } = service.server.server;
  service.server.server.headersTimeout = SHORT_MS;
  const slow = Array.from({ length: 50 }, () => drip('GET /livez HTTP/1.1\r\nHost: x\r\n', 'X: y\r\n'));
  await serves();
  for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^HTTP\/1\.1 408 .*request-timeout/s);
  service.server.server.headersTimeout = headersTimeout;
});

test('a body that comes drop by drop is cut off', async () => {
  const { headersTimeout, requestTimeout } = service.server.server;
  // Node exchanges the two where the one for headers is the longer one.
  Object.assign(service.server.server, { headersTimeout: SHORT_MS, requestTimeout: SHORT_MS });
  const head = `PATCH ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${await service.token()}\r\n`;
  const slow = [
    drip(`${head}Content-Length: 1000\r\n\r\n{`, ' '),
    drip(`${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
  ];
  await serves();
  for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^HTTP\/1\.1 408 .*request-timeout/s);
  Object.assign(service.server.server, { headersTimeout, requestTimeout });
});

test('connections on which nothing is sent hold up nobody and are cut off', async () => {
  service.server.server.timeout = SHORT_MS * 4;
  const idle = Array.from({ length: 1000 }, open);
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
