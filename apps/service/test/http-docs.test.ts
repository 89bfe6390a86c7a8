import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Problem } from '@hr/schemas';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { compressedFile } from '../src/http/compressed-file.ts';
import { startService } from './service.ts';
import type { TestService } from './service.ts';

const require = createRequire(import.meta.url);
const own = (name: string) => join(import.meta.dirname, '../src/http/docs', name);
const script = 'text/javascript; charset=utf-8';
const identity = (bytes: Buffer) => bytes;

const files: [address: string, file: string, type: string][] = [
  ['/docs', own('page.html'), 'text/html; charset=utf-8'],
  ['/docs/page.css', own('page.css'), 'text/css; charset=utf-8'],
  ['/docs/page.js', own('page.js'), script],
  ['/docs/sign-in-form.js', own('sign-in-form.js'), script],
  ['/docs/curl-without-token.js', own('curl-without-token.js'), script],
  ['/docs/icon.svg', own('icon.svg'), 'image/svg+xml'],
  ['/docs/swagger-ui.css', require.resolve('swagger-ui-dist/swagger-ui.css'), 'text/css; charset=utf-8'],
  ['/docs/swagger-ui-bundle.js', require.resolve('swagger-ui-dist/swagger-ui-bundle.js'), script],
  [
    '/docs/swagger-ui-bundle.js.LICENSE.txt',
    require.resolve('swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt'),
    'text/plain; charset=utf-8',
  ],
];

describe('the documentation page', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService('postgres');
  });
  afterAll(() => service.stop());

  /** Sends the address as it is written; `fetch` would tidy it up and decompress what comes. */
  async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(service.baseUrl, { method, path, headers }, resolve).on('error', reject).end();
    });
    return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
  }

  test.each(files)('%s is that file', async (address, file, type) => {
    const { status, headers, body } = await ask(address);
    expect([status, headers['content-type'], headers['content-encoding']]).toEqual([200, type, undefined]);
    expect(body.equals(await readFile(file))).toBe(true);
  });

  test('names nothing that is not there', async () => {
    const { body } = await ask('/docs');
    const named = [...body.toString().matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address);
    const statuses = await Promise.all(named.map(async (address) => (await ask(`/${address}`)).status));
    expect(named.length).toBeGreaterThan(3);
    expect(statuses).toEqual(named.map(() => 200));
  });

  test.each(files)('%s lets nothing of other hosts in, and is in no frame', async (address) => {
    const { headers } = await ask(address);
    expect(headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; base-uri 'none'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; img-src 'self' data:; script-src 'self'; style-src 'self'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    });
  });

  test.each(['text/html,application/xhtml+xml;q=0.9', 'application/json', 'image/png', ''])(
    'a reader of %j gets it',
    async (accept) => {
      expect((await ask('/docs', { accept })).status).toBe(200);
    },
  );

  test('with a slash behind it leads to the one without', async () => {
    const { status, headers } = await ask('/docs/');
    expect([status, headers.location]).toEqual([308, '../docs']);
    expect(new URL('../docs', `${service.baseUrl}/docs/`).pathname).toBe('/docs');
  });

  test.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, *', 'gzip', gunzipSync],
    ['deflate', undefined, identity],
    ['identity', undefined, identity],
    ['gzip;q=0, br;q=0', undefined, identity],
    ['*;q=0', undefined, identity],
  ] as const)('accepting %j it is sent as %s', async (accepted, coding, decode) => {
    const plain = await ask('/docs/swagger-ui-bundle.js');
    const { headers, body } = await ask('/docs/swagger-ui-bundle.js', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(coding);
    expect(Number(headers['content-length'])).toBe(body.length);
    expect(body.length < plain.body.length / 3).toBe(coding !== undefined);
    expect(decode(body).equals(plain.body)).toBe(true);
    expect(headers.etag === plain.headers.etag).toBe(coding === undefined);
  });

  test.each([
    ['the one of the coding', (etag: string) => etag, 304],
    ['a weak one', (etag: string) => `W/${etag}`, 304],
    ['one of several', (etag: string) => `"other", ${etag}`, 304],
    ['another', () => '"other"', 200],
    ['the one of another coding', (_: string, plain: string) => plain, 200],
  ])('with an ETag that is %s', async (_, known, status) => {
    const br = { 'accept-encoding': 'br' };
    const [{ etag: plain = '' }, { etag = '' }] = [
      (await ask('/docs/page.css')).headers,
      (await ask('/docs/page.css', br)).headers,
    ];
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    const answer = await ask('/docs/page.css', { ...br, 'if-none-match': known(etag, plain) });
    expect([answer.status, answer.body.length === 0, answer.headers.etag]).toEqual([status, status === 304, etag]);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'accept-encoding' });
  });

  test.each([
    '/docs/nothing.js',
    '/docs/page.html',
    '/docs/page.css/',
    '/docs//page.css',
    '/docs/./page.css',
    '/docs/package.json',
    '/docs/swagger-ui.css.map',
    '/docs/../livez',
    '/docs/../docs-page.ts',
    '/docs/%2e%2e/docs-page.ts',
    '/docs/..%2fdocs-page.ts',
    '/docs/%2e%2e%2fdocs-page.ts',
    '/docs/%252e%252e%252fdocs-page.ts',
    '/docs/..%5cdocs-page.ts',
    '/docs/..\\docs-page.ts',
    '/docs%2fpage.css',
    '/docs/page.css%00.html',
    '/docs/%2fetc%2fpasswd',
    '/docs//etc/passwd',
    '/Docs',
  ])('%s is nothing', async (path) => {
    const { status, headers, body } = await ask(path);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      404,
      'application/problem+json',
      'no-store',
    ]);
    expect(Problem.strict().parse(JSON.parse(body.toString())).instance).toBe(path);
  });

  test.each([
    ['HEAD', '/docs'],
    ['POST', '/docs'],
    ['OPTIONS', '/docs'],
    ['HEAD', '/docs/'],
    ['HEAD', '/docs/page.css'],
    ['PUT', '/docs/page.css'],
  ])('%s %s is not allowed', async (method, path) => {
    const { status, headers } = await ask(path, {}, method);
    expect([status, headers['content-type'], headers.allow]).toEqual([405, 'application/problem+json', 'GET']);
  });
});

test('a file that could not be read is tried again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hr-docs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'late.txt');
  const file = compressedFile(path);
  await expect(file('br')).rejects.toMatchObject({ code: 'ENOENT' });
  await writeFile(path, 'there');
  expect(brotliDecompressSync((await file('br')).bytes).toString()).toBe('there');
});
