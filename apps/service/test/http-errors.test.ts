import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Problem } from '@hr/schemas';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DatabaseBusyError, DatabaseUnavailableError } from '../src/database/database-errors.ts';
import { drivers } from './drivers.ts';
import { startService } from './service.ts';
import type { TestService } from './service.ts';

const persons = '/api/v1/persons';
const person = `${persons}/p-1`;
const payments = '/api/v1/payrollContract/c-1/variable-payments';
const json = 'application/json';

describe.each(drivers)('errors on %s', (driver) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(driver);
  });
  afterAll(() => service.stop());

  async function talk(...bytes: (string | Buffer)[]): Promise<string> {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    for (const chunk of bytes) socket.write(chunk);
    return text(socket);
  }

  const none = { authorization: '' };

  test.each<[status: number, method: string, path: string, headers?: Record<string, string>, body?: string | object]>([
    [404, 'GET', '/', none],
    [404, 'GET', '/api/v1/nothing', none],
    [404, 'GET', '/API/v1/persons', none],
    [405, 'DELETE', persons, none],
    [405, 'HEAD', persons, none],
    [405, 'OPTIONS', persons, { ...none, origin: 'https://example.com', 'access-control-request-method': 'GET' }],
    [405, 'PROPFIND', persons, none],
    [405, 'PUT', person, { ...none, 'content-type': 'text/csv' }, 'x'],
    [405, 'GET', '/api/oauth2/token', none],
    [405, 'POST', '/livez', none],
    [401, 'GET', persons, none],
    [401, 'GET', `${persons}?x=1`, none],
    [401, 'PATCH', person, { ...none, 'content-type': 'text/csv' }, 'x'],
    [401, 'GET', '/operator/v1/variable-payments', none],
    [403, 'GET', '/operator/v1/variable-payments', { accept: 'text/html' }],
    [406, 'GET', persons, { accept: 'text/html' }],
    [406, 'GET', persons, { accept: 'application/json;q=0, */*' }],
    [406, 'PATCH', person, { accept: 'application/xml', 'content-type': 'text/csv' }, 'x'],
    [406, 'GET', '/openapi.json', { ...none, accept: 'application/yaml' }],
    [415, 'PATCH', person, { 'content-type': 'application/merge-patch+json' }, '{}'],
    [415, 'PATCH', person, { 'content-type': 'application/json; charset=latin1' }, '{}'],
    [415, 'PATCH', person, { 'content-type': 'application/json', 'content-encoding': 'gzip' }, '{}'],
    [415, 'PATCH', person, { 'content-type': 'text/plain' }, '{}'],
    [415, 'PATCH', person],
    [415, 'POST', payments],
    [413, 'PATCH', person, {}, `"${'x'.repeat(1024 * 1024)}"`],
    [400, 'PATCH', person, { 'content-type': json }],
    [400, 'PATCH', person, {}, '{'],
    [400, 'PATCH', person, {}, '{} {}'],
    [400, 'PATCH', person, {}, "{'addresses': []}"],
    [400, 'GET', `${persons}?changedsince=2026-01-01`],
    [400, 'GET', `${persons}?changedSince=2026-01-01&changedSince=2026-01-02`],
    [400, 'GET', `${persons}?changedSince=`],
    [400, 'GET', `${persons}?changedSince`],
    [400, 'GET', `${persons}?changedSince=2026-02-29`],
    [400, 'GET', `${persons}?changedSince=%zz`],
    [400, 'GET', `${persons}?changedSince=%ff`],
    [400, 'GET', `${persons}?changedSince=2026-01-01%00`],
    [400, 'GET', `${persons}?limit=10`],
    [400, 'PATCH', `${person}?dryRun=true`, {}, '{}'],
    [400, 'GET', '/api/v1/payrollContract/%/salaries/history'],
    [404, 'PATCH', person, {}, '{}'],
    [
      404,
      'PATCH',
      person,
      { 'content-type': 'Application/JSON;charset="UTF-8"', 'content-encoding': 'identity' },
      '{}',
    ],
    [404, 'GET', payments, { accept: 'text/html, application/*;q=0.1' }],
    [404, 'GET', payments, { accept: 'application/json; charset=utf-8' }],
    [404, 'GET', payments, { accept: 'application/json;profile="a;b,c";q=0.5' }],
    [404, 'GET', payments, { accept: '' }],
    [404, 'PATCH', '/api/v1/persons/nobody', { 'content-type': 'application/json; profile=x; charset=UTF-8' }, '{}'],
  ])('%i: %s %s %o', async (status, method, path, headers = {}, body) => {
    const answer = await service.send(method, path, { headers, body });
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    if (method === 'HEAD') return;
    expect(Problem.strict().parse(answer.body)).toMatchObject({
      status,
      instance: path.split('?')[0],
      requestId: answer.headers.get('x-request-id'),
    });
  });

  test.each([
    [persons, 'GET'],
    [person, 'PATCH'],
    [payments, 'GET, POST'],
    ['/api/oauth2/token', 'POST'],
    ['/operator/v1/variable-payments/1/approve', 'POST'],
  ])('%s tells that it allows %s', async (path, allow) => {
    expect((await service.send('DELETE', path)).headers.get('allow')).toBe(allow);
  });

  test('of very many faults only some are answered', async () => {
    const names = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`x${index}`, 1]));
    const { body } = await service.send('PATCH', person, { body: names });
    const { detail, errors } = Problem.parse(body);
    expect([detail, errors?.length]).toEqual([expect.stringMatching(/^\/x0 is .* And 9999 more, see errors\.$/), 50]);
  });

  test('an unknown query parameter is answered with those that there are', async () => {
    const { body } = await service.send('GET', '/api/v1/time-bookings?from=2026-01-01');
    expect(body).toMatchObject({ detail: expect.stringContaining('startDate, endDate, changedSince') as string });
  });

  test.each([
    [new DatabaseBusyError(), 429, '1'],
    [new DatabaseUnavailableError({ cause: new Error('geheim') }), 503, '5'],
    [new Error('geheim: Ada König'), 500, null],
  ])('%s is answered without a word about the cause', async (fault, status, retryAfter) => {
    vi.spyOn(service.database, 'list').mockRejectedValueOnce(fault);
    const answer = await service.send('GET', persons);
    expect(answer).toMatchObject({ status, body: { status } });
    expect(answer.headers.get('retry-after')).toBe(retryAfter);
    expect(JSON.stringify(answer.body) + service.log.join('')).not.toContain('geheim');
  });

  test.each([
    ['a-Sane.Id_1', true],
    ['x'.repeat(65), false],
    ['Ada König'.normalize('NFKD').replaceAll(/[^ -~]/g, ''), false],
  ])('the request id %s is taken over: %s', async (requestId, taken) => {
    const { headers } = await service.send('GET', '/livez', { headers: { 'x-request-id': requestId } });
    expect(headers.get('x-request-id') === requestId).toBe(taken);
  });

  describe('on the bare connection', () => {
    const closing = 'Host: x\r\nConnection: close\r\n';

    test.each([
      [400, 'no HTTP', ['no HTTP\r\n\r\n']],
      [400, 'an unknown method', [`FROB /livez HTTP/1.1\r\n${closing}\r\n`]],
      [
        400,
        'two lengths',
        [`PATCH ${person} HTTP/1.1\r\n${closing}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`],
      ],
      [400, 'raw bytes in the address', [Buffer.from(`GET ${persons}/ä HTTP/1.1\r\n${closing}\r\n`)]],
      [400, 'no host', ['GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n']],
      [400, 'a fragment', [`GET /livez#x HTTP/1.1\r\n${closing}\r\n`]],
      [431, 'large headers', [`GET /livez HTTP/1.1\r\n${closing}X: ${'x'.repeat(17_000)}\r\n\r\n`]],
      [431, 'a long address', [`GET /${'x'.repeat(17_000)} HTTP/1.1\r\n${closing}\r\n`]],
      [
        401,
        'an id as long as an address may be',
        [`PATCH ${persons}/${'x'.repeat(15_000)} HTTP/1.1\r\n${closing}\r\n`],
      ],
      [401, 'a wrong token', [`GET ${persons} HTTP/1.1\r\n${closing}Authorization: Bearer x\r\n\r\n`]],
    ])('%i: %s', async (status, _, bytes) => {
      const [head = '', body = ''] = (await talk(...bytes)).split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(head.toLowerCase()).toContain('content-type: application/problem+json\r\n');
      expect(Problem.strict().parse(JSON.parse(body))).toMatchObject({ status });
    });

    test.each([
      ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
      ['is UTF-16', Buffer.from('{}', 'utf16le')],
      ['is an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
      ['begins with a byte order mark', Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
    ])('400: a body that %s', async (_, body) => {
      const head = `PATCH ${person} HTTP/1.1\r\n${closing}Content-Type: ${json}\r\nContent-Length: ${body.length}`;
      const answer = await talk(`${head}\r\nAuthorization: Bearer ${await service.token()}\r\n\r\n`, body);
      expect(answer).toMatch(/^HTTP\/1\.1 400 .*"The body is not/s);
    });

    test('a sender who goes away is no fault of ours', async () => {
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
      const head = `PATCH ${person} HTTP/1.1\r\n${closing}Content-Type: ${json}\r\nContent-Length: 10\r\nX-Request-Id: gone`;
      socket.write(`${head}\r\nAuthorization: Bearer ${await service.token()}\r\n\r\n{`);
      await service.send('GET', '/livez');
      socket.destroy();
      await expect
        .poll(() => service.log.find((line) => line.includes('"gone"')))
        .toMatch(/"level":30.*"aborted":true/);
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
