import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { compressedFile } from './compressed-file.ts';

const require = createRequire(import.meta.url);
const own = (name: string): string => fileURLToPath(new URL(`docs/${name}`, import.meta.url));

/** All there is, by address. */
const files: Readonly<Record<string, string>> = {
  '/docs': own('page.html'),
  '/docs/page.css': own('page.css'),
  '/docs/page.js': own('page.js'),
  '/docs/sign-in-form.js': own('sign-in-form.js'),
  '/docs/curl-without-token.js': own('curl-without-token.js'),
  '/docs/icon.svg': own('icon.svg'),
  '/docs/swagger-ui.css': require.resolve('swagger-ui-dist/swagger-ui.css'),
  '/docs/swagger-ui-bundle.js': require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  '/docs/swagger-ui-bundle.js.LICENSE.txt': require.resolve('swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt'),
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

const policy = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // The icons in the style sheet of Swagger UI.
  "img-src 'self' data:",
  "script-src 'self'",
  "style-src 'self'",
];

const headers = {
  // Asked for each time: a page of one version must not meet a script of another.
  'cache-control': 'no-cache',
  'content-security-policy': policy.join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  vary: 'accept-encoding',
};

/** Adds the documentation page, which Swagger UI makes of `/openapi.json`. It needs no token, and nothing of other hosts. */
export function addDocsPage(server: FastifyInstance): void {
  for (const [address, path] of Object.entries(files)) {
    const file = compressedFile(path);
    const type = types[extname(path)] ?? '';
    server.get(address, async (request, reply) => {
      const { coding, bytes, etag } = await file(request.headers['accept-encoding']);
      reply.headers({ ...headers, etag, ...(coding !== 'identity' && { 'content-encoding': coding }) });
      if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
      return reply.type(type).send(bytes);
    });
  }
  server.get('/docs/', async (_request, reply) => reply.redirect('../docs', 308));
}
