import { readFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { Problem } from '@hr/schemas';
import { describe, expect, test } from 'vitest';
import { sharedService } from './service.ts';

const require = createRequire(import.meta.url);
const own = (name: string) => join(import.meta.dirname, '../src/http/docs', name);
const script = 'text/javascript; charset=utf-8';
const license = require.resolve('swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt');

const files: [address: string, file: string, type: string][] = [
  ['/docs', own('page.html'), 'text/html; charset=utf-8'],
  ['/docs/page.css', own('page.css'), 'text/css; charset=utf-8'],
  ['/docs/page.js', own('page.js'), script],
  ['/docs/icon.svg', own('icon.svg'), 'image/svg+xml'],
  ['/docs/swagger-ui.css', require.resolve('swagger-ui-dist/swagger-ui.css'), 'text/css; charset=utf-8'],
  ['/docs/swagger-ui-bundle.js', require.resolve('swagger-ui-dist/swagger-ui-bundle.js'), script],
  ['/docs/swagger-ui-bundle.js.LICENSE.txt', license, 'text/plain; charset=utf-8'],
];

describe('the documentation page', () => {
  const service = sharedService('postgres');

  /** Sends the address as it is written; `fetch` would tidy it up and decompress what comes. */
  async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(service.baseUrl, { method, path, headers }, resolve).on('error', reject).end();
    });
    return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
  }

  test.each(files)(
    '%s is that file, lets nothing of other hosts in, and is in no frame',
    async (address, file, type) => {
      const { status, headers, body } = await ask(address);
      expect([status, headers['content-encoding']]).toEqual([200, undefined]);
      expect(body.equals(await readFile(file))).toBe(true);
      expect(headers).toMatchObject({
        'content-type': type,
        'cache-control': 'no-cache',
        'content-security-policy':
          "default-src 'none'; base-uri 'none'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; img-src 'self' data:; script-src 'self'; style-src 'self'",
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        vary: 'accept-encoding',
      });
    },
  );

  test.each(['text/html,application/xhtml+xml;q=0.9', 'image/png', ''])('a reader of %j gets it', async (accept) => {
    expect((await ask('/docs', { accept })).status).toBe(200);
  });

  test('with a slash behind it leads to the one without', async () => {
    const { status, headers } = await ask('/docs/');
    expect([status, headers.location]).toEqual([308, '../docs']);
    expect(new URL('../docs', `${service.baseUrl}/docs/`).pathname).toBe('/docs');
  });

  test.each([
    ['gzip', true],
    ['deflate, br;q=1.0, gzip;q=0.8', true],
    ['br', false],
    ['identity', false],
    ['gzip;q=0, br', false],
    ['*;q=0', false],
  ])('accepting %j, gzip is %s', async (accepted, isGzip) => {
    const plain = await ask('/docs/swagger-ui-bundle.js');
    const { headers, body } = await ask('/docs/swagger-ui-bundle.js', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(isGzip ? 'gzip' : undefined);
    expect(Number(headers['content-length'])).toBe(body.length);
    expect(body.length < plain.body.length / 3).toBe(isGzip);
    expect((isGzip ? gunzipSync(body) : body).equals(plain.body)).toBe(true);
  });

  test.each([
    ['its own', (etag: string) => etag, 304],
    ['one of several', (etag: string) => `"other", ${etag}`, 304],
    ['its own without W/', (etag: string) => etag.replace('W/', ''), 304],
    ['another', () => 'W/"other"', 200],
  ])('with an ETag that is %s', async (_, known, status) => {
    const gzip = { 'accept-encoding': 'gzip' };
    const { etag = '' } = (await ask('/docs/page.css')).headers;
    expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
    const answer = await ask('/docs/page.css', { ...gzip, 'if-none-match': known(etag) });
    expect([answer.status, answer.body.length === 0, answer.headers.etag]).toEqual([status, status === 304, etag]);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'accept-encoding' });
  });

  const files404 = [
    'nothing.js',
    'page.html',
    'page.css/',
    '/page.css',
    './page.css',
    'package.json',
    'swagger-ui.css.map',
  ];
  const outside = ['../livez', '../docs-page.ts', '%2e%2e/docs-page.ts', '..%2fdocs-page.ts', '%2e%2e%2fdocs-page.ts'];
  const encoded = ['%252e%252e%252fdocs-page.ts', '..%5cdocs-page.ts', '..\\docs-page.ts', 'page.css%00.html'];
  const paths = [...files404, ...outside, ...encoded, '%2fetc%2fpasswd', '/etc/passwd'].map((name) => `/docs/${name}`);

  test.each([...paths, '/docs%2fpage.css', '/Docs'])('%s is nothing', async (path) => {
    const { status, headers, body } = await ask(path);
    expect(status).toBe(404);
    expect(headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' });
    expect(Problem.strict().parse(JSON.parse(body.toString())).instance).toBe(path);
  });

  test.each(['HEAD /docs', 'POST /docs', 'OPTIONS /docs', 'HEAD /docs/', 'HEAD /docs/page.css', 'PUT /docs/page.css'])(
    '%s is not allowed',
    async (asked) => {
      const [method = '', path = ''] = asked.split(' ');
      const { status, headers } = await ask(path, {}, method);
      expect([status, headers['content-type'], headers.allow]).toEqual([405, 'application/problem+json', 'GET']);
    },
  );
});
