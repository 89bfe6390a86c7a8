import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { ProblemKind } from '@hr/schemas';
import { describe, expect, test } from 'vitest';
import { expectProblem } from './expect-problem.ts';
import { openSocket, statusesIn } from './raw-http.ts';
import { sharedService } from './service.ts';

const get = 'GET /livez HTTP/1.1\r\n';
const host = 'Host: x\r\n';
const close = 'Connection: close\r\n';
const persons = '/api/v1/persons';
const list = `GET ${persons} HTTP/1.1\r\n${host}`;
const patch = `PATCH ${persons}/p-1 HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n\r\n';
/** None of them is `chunked` alone. */
const codings =
  'identity, chunked|gzip, chunked|chunked, identity|chunked, chunked|"chunked"|\vchunked|xchunked|identity||\r\n chunked';
/** What another reader could take for a request of its own. */
const smuggledId = randomUUID();
const smuggled = `${get}${host}X-Request-Id: ${smuggledId}\r\n${close}\r\n`;

const service = sharedService('postgres');

/** Sends bytes and reads until the service closes the connection. */
async function talk(bytes: string | Buffer): Promise<string> {
  const socket = openSocket(service);
  socket.write(bytes);
  return text(socket);
}

/** Sends bytes, and expects one answer: a problem of this kind. */
async function expectRefusal(bytes: string | Buffer, kind: ProblemKind): Promise<Headers> {
  const answer = await talk(bytes);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const lines = head.split('\r\n').slice(1);
  const headers = new Headers(lines.map((line) => line.split(': ') as [string, string]));
  const [status = 0, ...behind] = statusesIn(answer);
  expect(behind).toEqual([]);
  expectProblem({ status, headers, body: JSON.parse(body) }, kind, {});
  expect(answer).not.toContain(smuggledId);
  expect(answer).not.toContain('http://x');
  return headers;
}

describe('a message of which two readers could see different ends is refused and nothing behind it is taken:', () => {
  test.each([
    ['a length and chunks', `${patch}Content-Length: 5\r\n${chunked}0\r\n\r\n`],
    ['chunks and a length', `${patch}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${patch}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['the same length twice', `${patch}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
    ...['2, 2', '+2', '-2', '0x2', '', '2 2', '9'.repeat(30)].map((length) => [
      `the length ${length}`,
      `${patch}Content-Length: ${length}\r\n\r\n{}`,
    ]),
    ['a space before the colon', `${patch}Content-Length : 2\r\n\r\n{}`],
    ['a space before the colon of a coding', `${patch}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
    ...codings
      .split('|')
      .map((coding) => [
        `the coding ${JSON.stringify(coding)}`,
        `${patch}Transfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`,
      ]),
    ['codings in two lines', `${patch}Transfer-Encoding: identity\r\n${chunked}0\r\n\r\n`],
    ['codings in two lines, chunks first', `${patch}${chunked.trimEnd()}\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n`],
    ['a folded header', `${get}X: a\r\n b\r\n${host}\r\n`],
    ['a folded first header', `${get} X: a\r\n${host}\r\n`],
    ['bare line feeds', `GET /livez HTTP/1.1\nHost: x\n\n`],
    ['a bare line feed between headers', `${get}X: a\nY: b\r\n${host}\r\n`],
    ['a bare line feed at the end', `${get}${host}\n`],
    ['a bare carriage return', `${get}X: a\rY: b\r\n${host}\r\n`],
    ...['2\n{}', '2;\n{}', `2;${'x'.repeat(20_000)}\r\n{}`, '0x2\r\n{}', '-2\r\n{}', `${'f'.repeat(20)}\r\n{}`].map(
      (chunk) => [`the chunk ${JSON.stringify(chunk.slice(0, 20))}`, `${patch}${chunked}${chunk}\r\n0\r\n\r\n`],
    ),
  ])('%s', async (_, bytes) => {
    const headers = await expectRefusal(bytes + smuggled, 'invalid-request');
    expect(headers.get('connection')).toBe('close');
  });

  test('a chunk that is longer than it says', async () => {
    expect(await talk(`${patch}${chunked}2\r\n{}xx0\r\n\r\n${smuggled}`)).not.toContain(smuggledId);
  });
});

describe('refused with', () => {
  test.each<[ProblemKind, string, string | Buffer]>([
    ['invalid-request', 'an older version', 'GET /livez\r\n\r\n'],
    ['invalid-request', 'a newer version', `GET /livez HTTP/2.0\r\n${host}\r\n`],
    ['invalid-request', 'an unknown version', `GET /livez HTTP/1.2\r\n${host}\r\n`],
    ['invalid-request', 'the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['invalid-request', 'TLS', Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 3])],
    ['invalid-request', 'chunks in HTTP/1.0', `${patch.replace('1.1', '1.0')}${chunked}`],
    ['invalid-request', 'a method in small letters', `get /livez HTTP/1.1\r\n${host}\r\n`],
    ['invalid-request', 'a method that nobody knows', `FROB /livez HTTP/1.1\r\n${host}\r\n`],
    ['invalid-request', 'a tunnel', `CONNECT x:80 HTTP/1.1\r\n${host}\r\n`],
    ['invalid-request', 'a space before the method', ` ${get}${host}\r\n`],
    ['invalid-request', 'an address without a slash', `GET livez HTTP/1.1\r\n${host}\r\n`],
    ['not-found', 'an address of another scheme', `GET ftp://x/livez HTTP/1.1\r\n${host}${close}\r\n`],
    ['not-found', 'an asterisk', `OPTIONS * HTTP/1.1\r\n${host}${close}\r\n`],
    ['invalid-request', 'no host', `${get}${close}\r\n`],
    ['invalid-request', 'two hosts', `${get}${host}${host}\r\n`],
    ['invalid-request', 'a host that is none', `${get}Host: a b/c\r\n\r\n`],
    ['invalid-request', 'two tokens', `${get}${host}Authorization: Bearer x\r\nAuthorization: Bearer y\r\n\r\n`],
    ['invalid-request', 'two media types', `${patch}Content-Type: text/csv\r\nContent-Length: 2\r\n\r\n{}`],
    ['invalid-request', 'NUL in a header', `${get}X: a\0b\r\n${host}\r\n`],
    ['invalid-request', 'a control character in a header', `${get}X: a\u0001b\r\n${host}\r\n`],
    ['invalid-request', 'a space in the name of a header', `${get}X Y: a\r\n${host}\r\n`],
    ['invalid-request', 'a header without a name', `${get}: a\r\n${host}\r\n`],
    ['invalid-request', 'a header without a colon', `${get}X\r\n${host}\r\n`],
    ['headers-too-large', 'very many headers', `${get}${'a:\r\n'.repeat(3000)}${host}\r\n`],
    ['headers-too-large', 'headers over 16 KiB', `${get}X: ${'x'.repeat(17_000)}\r\n\r\n`],
    ['headers-too-large', 'an address over 16 KiB', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\n${host}\r\n`],
    ['invalid-request', 'raw bytes in the address', Buffer.from(`GET ${persons}/ä HTTP/1.1\r\n${host}${close}\r\n`)],
    ['invalid-request', 'a fragment', `GET /livez#x HTTP/1.1\r\n${host}${close}\r\n`],
    ['unauthorized', 'an expectation', `${list}Expect: the-unexpected\r\n${close}\r\n`],
    ['unauthorized', 'the whole address', `GET http://x${persons} HTTP/1.1\r\n${host}${close}\r\n`],
    ['unauthorized', 'a very long id', `PATCH ${persons}/${'x'.repeat(15_000)} HTTP/1.1\r\n${host}${close}\r\n`],
    ['unauthorized', 'a wrong token', `${list}Authorization: Bearer x\r\n${close}\r\n`],
  ])('%s: %s', async (kind, _, bytes) => {
    await expectRefusal(bytes, kind);
  });
});

describe('taken:', () => {
  test.each([
    ['a host with a port', `${get}Host: hr.example.com:4010\r\n${close}\r\n`],
    ['a host of IPv6', `${get}Host: [::1]:4010\r\n${close}\r\n`],
    ['an empty line before', `\r\n${get}${host}${close}\r\n`],
    ['a whole address', `GET http://x/livez HTTP/1.1\r\n${host}${close}\r\n`],
    ['HTTP/1.0 without a host', 'GET /livez HTTP/1.0\r\n\r\n'],
    ['an upgrade that is not known here', `${get}${host}Connection: close, Upgrade\r\nUpgrade: h2c\r\n\r\n`],
    ['a body that is not asked for', `${get}${host}${close}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`],
  ])('%s', async (_, bytes) => {
    const answer = await talk(bytes);
    expect(statusesIn(answer)).toEqual([200]);
    expect(answer).not.toContain(smuggledId);
  });

  test('chunks with an extension and trailers', async () => {
    const authorization = `Authorization: Bearer ${await service.token()}\r\n`;
    const body = '1;a=b\r\n{\r\n1;c="d"\r\n}\r\n0\r\nX-Trailer: y\r\n\r\n';
    expect(statusesIn(await talk(`${patch}${authorization}${close}${chunked}${body}`))).toEqual([404]);
  });

  test('several requests at once, answered in their order', async () => {
    const ids = Array.from({ length: 3 }, () => randomUUID());
    const requests = ids.map((id) => `${get}${host}X-Request-Id: ${id}\r\n${id === ids[2] ? close : ''}\r\n`);
    const answer = await talk(requests.join(''));
    expect(statusesIn(answer)).toEqual([200, 200, 200]);
    expect([...answer.matchAll(/x-request-id: (\S+)/g)].map(([, id]) => id)).toEqual(ids);
  });
});

test('413 is read by a sender that writes 20 MB in chunks before it reads', async () => {
  const socket = openSocket(service);
  const authorization = `Authorization: Bearer ${await service.token()}\r\n`;
  const chunks = `f4240\r\n${'x'.repeat(1_000_000)}\r\n`.repeat(20);
  const all = `${patch}${authorization}${chunked}${chunks}0\r\n\r\n${smuggled}`;
  await new Promise((resolve) => socket.write(all, resolve));
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 .*connection: close.*content-too-large[^}]*\}$/s);
});

test('an interim answer comes before its answer, or not at all', async () => {
  const expecting = `${list}Expect: 100-continue\r\n${close}\r\n`;
  expect(await talk(expecting)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 401 /);
  expect(statusesIn(await talk(`${list}\r\n${expecting}`))).toEqual([401, 401]);
});

test('what is answered early is not answered again when the rest of it is malformed', async () => {
  const socket = openSocket(service);
  const answers = text(socket);
  socket.write(`${patch}${chunked}5\r\nhe`);
  await once(socket, 'data');
  socket.write('llo\r\nno size\r\n');
  expect(statusesIn(await answers)).toEqual([401]);
});

test('a sender that goes away is no fault of ours', async () => {
  const socket = openSocket(service);
  const gone = randomUUID();
  const authorization = `Authorization: Bearer ${await service.token()}\r\n`;
  socket.write(`${patch}${authorization}${close}Content-Length: 10\r\nX-Request-Id: ${gone}\r\n\r\n{`);
  await service.send('GET', '/livez');
  socket.destroy();
  await expect.poll(() => service.log.find((line) => line.includes(gone))).toMatch(/"level":30.*"aborted":true/);
});
