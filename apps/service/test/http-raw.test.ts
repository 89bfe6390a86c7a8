import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Problem } from '@hr/schemas';
import { beforeAll, describe, expect, test } from 'vitest';
import { openSocket, statusesIn } from './raw-http.ts';
import { startService, type TestService } from './service.ts';

const get = 'GET /livez HTTP/1.1\r\n';
const host = 'Host: x\r\n';
const close = 'Connection: close\r\n';
const patch = `PATCH /api/v1/persons/p-1 HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n\r\n';
/** None of them is `chunked` alone. */
const codings =
  'identity, chunked|gzip, chunked|chunked, identity|chunked, chunked|"chunked"|\vchunked|xchunked|identity||\r\n chunked';
/** What another reader could take for a request of its own. */
const smuggledId = randomUUID();
const smuggled = `${get}${host}X-Request-Id: ${smuggledId}\r\n${close}\r\n`;

let service: TestService;
beforeAll(async () => {
  service = await startService('postgres');
  return () => service.stop();
});

/** Sends bytes and reads until the service closes the connection. */
async function talk(bytes: string | Buffer) {
  const socket = openSocket(service);
  socket.write(bytes);
  const all = await text(socket);
  const [head = '', body = ''] = all.split('\r\n\r\n');
  return { head, body, all };
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
    const answer = await talk(bytes + smuggled);
    expect(statusesIn(answer.all)).toEqual([400]);
    expect(answer.head.toLowerCase()).toContain('connection: close');
    expect(Problem.strict().parse(JSON.parse(answer.body))).toMatchObject({ status: 400 });
    expect(answer.all).not.toContain(smuggledId);
  });

  test('a chunk that is longer than it says', async () => {
    const { all } = await talk(`${patch}${chunked}2\r\n{}xx0\r\n\r\n${smuggled}`);
    expect(all).not.toContain(smuggledId);
  });
});

describe('refused with', () => {
  test.each([
    [400, 'an older version', 'GET /livez\r\n\r\n'],
    [400, 'a newer version', `GET /livez HTTP/2.0\r\n${host}\r\n`],
    [400, 'an unknown version', `GET /livez HTTP/1.2\r\n${host}\r\n`],
    [400, 'the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    [400, 'TLS', Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 3])],
    [400, 'chunks in HTTP/1.0', `${patch.replace('1.1', '1.0')}${chunked}`],
    [400, 'a method in small letters', `get /livez HTTP/1.1\r\n${host}\r\n`],
    [400, 'a method that nobody knows', `FROB /livez HTTP/1.1\r\n${host}\r\n`],
    [400, 'a tunnel', `CONNECT x:80 HTTP/1.1\r\n${host}\r\n`],
    [400, 'a space before the method', ` ${get}${host}\r\n`],
    [400, 'an address without a slash', `GET livez HTTP/1.1\r\n${host}\r\n`],
    [404, 'an address of another scheme', `GET ftp://x/livez HTTP/1.1\r\n${host}${close}\r\n`],
    [404, 'an asterisk', `OPTIONS * HTTP/1.1\r\n${host}${close}\r\n`],
    [400, 'no host', `${get}${close}\r\n`],
    [400, 'two hosts', `${get}${host}${host}\r\n`],
    [400, 'a host that is none', `${get}Host: a b/c\r\n\r\n`],
    [400, 'two tokens', `${get}${host}Authorization: Bearer x\r\nAuthorization: Bearer y\r\n\r\n`],
    [400, 'two media types', `${patch}Content-Type: text/csv\r\nContent-Length: 2\r\n\r\n{}`],
    [400, 'NUL in a header', `${get}X: a\0b\r\n${host}\r\n`],
    [400, 'a control character in a header', `${get}X: a\u0001b\r\n${host}\r\n`],
    [400, 'a space in the name of a header', `${get}X Y: a\r\n${host}\r\n`],
    [400, 'a header without a name', `${get}: a\r\n${host}\r\n`],
    [400, 'a header without a colon', `${get}X\r\n${host}\r\n`],
    [431, 'very many headers', `${get}${'a:\r\n'.repeat(3000)}${host}\r\n`],
  ])('%i: %s', async (status, _, bytes) => {
    const answer = await talk(bytes);
    expect(statusesIn(answer.all)).toEqual([status]);
    expect(Problem.strict().parse(JSON.parse(answer.body))).toMatchObject({ status });
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
    expect(statusesIn(answer.all)).toEqual([200]);
    expect(answer.all).not.toContain(smuggledId);
  });

  test('chunks with an extension and trailers', async () => {
    const authorization = `Authorization: Bearer ${await service.token()}\r\n`;
    const body = '1;a=b\r\n{\r\n1;c="d"\r\n}\r\n0\r\nX-Trailer: y\r\n\r\n';
    expect(statusesIn((await talk(`${patch}${authorization}${close}${chunked}${body}`)).all)).toEqual([404]);
  });

  test('several requests at once, answered in their order', async () => {
    const ids = Array.from({ length: 3 }, () => randomUUID());
    const requests = ids.map((id) => `${get}${host}X-Request-Id: ${id}\r\n${id === ids[2] ? close : ''}\r\n`);
    const answer = await talk(requests.join(''));
    expect(statusesIn(answer.all)).toEqual([200, 200, 200]);
    expect([...answer.all.matchAll(/x-request-id: (\S+)/g)].map(([, id]) => id)).toEqual(ids);
  });
});
