import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const { resolve } = createRequire(import.meta.url);
const own = (name: string): string => fileURLToPath(new URL(`docs/${name}`, import.meta.url));

/** All there is, by address. */
const files: Readonly<Record<string, string>> = {
  '/docs': own('page.html'),
  '/docs/page.css': own('page.css'),
  '/docs/page.js': own('page.js'),
  '/docs/icon.svg': own('icon.svg'),
  '/docs/swagger-ui.css': resolve('swagger-ui-dist/swagger-ui.css'),
  '/docs/swagger-ui-bundle.js': resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  '/docs/swagger-ui-bundle.js.LICENSE.txt': resolve('swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt'),
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

const headers = {
  // Asked for each time: a page of one version must not meet a script of another.
  'cache-control': 'no-cache',
  // Images are the icons in the style sheet of Swagger UI.
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; img-src 'self' data:; script-src 'self'; style-src 'self'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  vary: 'accept-encoding',
};

/** Adds the documentation page, which Swagger UI makes of `/openapi.json`. It needs no token, and nothing of other hosts. */
export function addDocsPage(server: FastifyInstance): void {
  for (const [address, path] of Object.entries(files)) {
    server.get(address, async (request, reply) => {
      const file = (loaded[path] ??= await load(path));
      reply.headers({ ...headers, etag: `W/${file.tag}` });
      if (request.headers['if-none-match']?.includes(file.tag)) return reply.code(304).send();
      reply.type(types[extname(path)] ?? '');
      if (!/\bgzip(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(request.headers['accept-encoding'] ?? '')) return file.bytes;
      return reply.header('content-encoding', 'gzip').send(file.gzipped);
    });
  }
  server.get('/docs/', async (_request, reply) => reply.redirect('../docs', 308));
}

/** By path, for all servers of the process. */
const loaded: Record<string, Awaited<ReturnType<typeof load>>> = {};

async function load(path: string) {
  const bytes = await readFile(path);
  const tag = `"${hash('sha256', bytes, 'base64url')}"`;
  return { bytes, gzipped: await promisify(gzip)(bytes), tag };
}
