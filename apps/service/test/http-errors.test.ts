import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ProblemKind } from '@hr/schemas';
import { describe, expect, test, vi } from 'vitest';
import { DatabaseBusyError, DatabaseUnavailableError } from '../src/database/database-errors.ts';
import { anyDriver } from './drivers.ts';
import { expectProblem } from './expect-problem.ts';
import { sharedService } from './service.ts';

const persons = '/api/v1/persons';

describe.each(anyDriver)('errors on %s', (driver) => {
  const service = sharedService(driver);

  const open = (): Socket => connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  async function talk(bytes: string | Buffer): Promise<string> {
    const socket = open();
    socket.write(bytes);
    return text(socket);
  }

  test.each([
    ['/livez', { status: 'live' }],
    ['/readyz', { status: 'ready' }],
  ])('%s is answered without a token', async (path, body) => {
    const answer = await service.send('GET', path, { headers: { authorization: '' } });
    expect([answer.status, answer.headers.get('content-type'), answer.body]).toEqual([200, 'application/json', body]);
  });

  test('a service whose database is gone tells for how long it is not ready', async () => {
    vi.spyOn(service.database, 'check').mockRejectedValueOnce(new Error('gone'));
    const { status, headers } = await service.send('GET', '/readyz', { headers: { authorization: '' } });
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  });

  test.each([
    [new DatabaseBusyError(100), 429, '1'],
    [new DatabaseUnavailableError({ cause: new Error('geheim') }), 503, '5'],
    [new DatabaseUnavailableError({ reason: 'conflict' }), 503, '5'],
    [new DatabaseUnavailableError({ reason: 'statementTimeout' }), 503, null],
    [new DatabaseUnavailableError({ reason: 'full' }), 503, null],
    [new DatabaseUnavailableError({ reason: 'notReplicated', mayBeStored: true }), 503, '5'],
    [new Error('geheim: Ada König'), 500, null],
  ])('%s is answered without a word about the cause', async (fault, status, retryAfter) => {
    vi.spyOn(service.database, 'list').mockRejectedValueOnce(fault);
    const answer = await service.send('GET', persons);
    expect(answer).toMatchObject({ status, body: { status } });
    expect(answer.headers.get('retry-after')).toBe(retryAfter);
    expect(JSON.stringify(answer.body) + service.log.join('')).not.toContain('geheim');
  });

  test.each([
    ['5d3f0c1e-8b7a-4c2e-9f10-2a6b4d8e7c91', true],
    ['5D3F0C1E-8B7A-7C2E-9F10-2A6B4D8E7C91', true],
    ['run-7', false],
    ['5d3f0c1e8b7a4c2e9f102a6b4d8e7c91', false],
    ['Ada König'.normalize('NFKD').replaceAll(/[^ -~]/g, ''), false],
  ])('the request id %s is taken over: %s', async (requestId, taken) => {
    const { headers } = await service.send('GET', '/livez', { headers: { 'x-request-id': requestId } });
    expect(headers.get('x-request-id') === requestId).toBe(taken);
  });

  describe('on the bare connection', () => {
    const closing = 'Host: x\r\nConnection: close\r\n';

    test.each<[ProblemKind, string, string | Buffer]>([
      ['invalid-request', 'raw bytes in the address', Buffer.from(`GET ${persons}/ä HTTP/1.1\r\n${closing}\r\n`)],
      ['unauthorized', 'an expectation', `GET ${persons} HTTP/1.1\r\n${closing}Expect: the-unexpected\r\n\r\n`],
      ['unauthorized', 'the whole address', `GET http://x${persons} HTTP/1.1\r\n${closing}\r\n`],
      ['invalid-request', 'a fragment', `GET /livez#x HTTP/1.1\r\n${closing}\r\n`],
      ['unauthorized', 'a very long id', `PATCH ${persons}/${'x'.repeat(15_000)} HTTP/1.1\r\n${closing}\r\n`],
      ['unauthorized', 'a wrong token', `GET ${persons} HTTP/1.1\r\n${closing}Authorization: Bearer x\r\n\r\n`],
      ['headers-too-large', 'an address over 16 KiB', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
      ['headers-too-large', 'headers over 16 KiB', `GET /livez HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`],
    ])('%s: %s', async (kind, _, bytes) => {
      const [head = '', body = ''] = (await talk(bytes)).split('\r\n\r\n');
      const [start = '', ...lines] = head.split('\r\n');
      const headers = new Headers(lines.map((line) => line.split(': ') as [string, string]));
      expect(start).toMatch(/^HTTP\/1\.1 \d{3} /);
      expectProblem({ status: Number(start.split(' ')[1]), headers, body: JSON.parse(body) }, kind, {});
      expect(body).not.toContain('//x');
    });

    test('413 is read by who sends 20 MB in chunks before he reads', async () => {
      const socket = open();
      const authorization = `Authorization: Bearer ${await service.token()}\r\nContent-Type: application/json\r\n`;
      const head = `PATCH ${persons}/p-1 HTTP/1.1\r\nHost: x\r\n${authorization}Transfer-Encoding: chunked\r\n\r\n`;
      const chunks = `f4240\r\n${'x'.repeat(1_000_000)}\r\n`.repeat(20);
      const behind = `0\r\n\r\nGET /livez HTTP/1.1\r\n${closing}\r\n`;
      await new Promise((resolve) => socket.write(head + chunks + behind, resolve));
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 .*connection: close.*content-too-large[^}]*\}$/s);
    });

    test('an interim answer comes before its answer, or not at all', async () => {
      const asked = `GET ${persons} HTTP/1.1\r\nHost: x\r\n`;
      const expecting = 'Expect: 100-continue\r\n';
      const alone = await talk(`${asked}${expecting}Connection: close\r\n\r\n`);
      expect(alone).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 401 /);
      const behind = await talk(`${asked}\r\n${asked}${expecting}Connection: close\r\n\r\n`);
      expect(behind.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 401']);
    });

    test('what is answered early is not answered again when the rest of it is malformed', async () => {
      const socket = open();
      const answers = text(socket);
      socket.write(`PATCH ${persons}/p-1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe`);
      await once(socket, 'data');
      socket.write('llo\r\nno size\r\n');
      expect((await answers).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
    });

    test('a sender who goes away is no fault of ours', async () => {
      const socket = open();
      const gone = randomUUID();
      const head = `PATCH ${persons}/p-1 HTTP/1.1\r\n${closing}Content-Length: 10\r\nX-Request-Id: ${gone}\r\n`;
      const token = `Authorization: Bearer ${await service.token()}`;
      socket.write(`${head}Content-Type: application/json\r\n${token}\r\n\r\n{`);
      await service.send('GET', '/livez');
      socket.destroy();
      await expect.poll(() => service.log.find((line) => line.includes(gone))).toMatch(/"level":30.*"aborted":true/);
    });

    test('408: a request that does not come to its end', async () => {
      const accepted = once(service.server.server, 'connection') as Promise<[Socket]>;
      const answer = talk('GET /livez HTTP/1.1\r\n');
      const [socket] = await accepted;
      // What Node does after thirty seconds.
      const timeout = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      service.server.server.emit('clientError', timeout, socket);
      expect(await answer).toMatch(/^HTTP\/1\.1 408 .*request-timeout/s);
    });
  });
});
