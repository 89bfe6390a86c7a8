import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const home = join(import.meta.dirname, '..');
const readme = await readFile(join(home, 'README.md'), 'utf8');
const named = new Set(readme.match(/[\w-]+/g));

test('no example passes type arguments to tracingChannel, whose order differs between versions of @types/node', async () => {
  const tracing = await readFile(join(home, 'src/tracing.ts'), 'utf8');
  expect([readme, tracing].filter((text) => text.includes('tracingChannel<'))).toEqual([]);
});

test.each(['hr-error.ts', 'webhooks/webhook-error.ts'])('every error code of %s is named', async (file) => {
  const source = await readFile(join(home, 'src', file), 'utf8');
  const codes = [...source.matchAll(/^ {2}\| '([\w-]+)'/gm)].map(([, code = '']) => code);
  expect(codes.length).toBeGreaterThan(7);
  expect(codes.filter((code) => !named.has(code))).toEqual([]);
});

test('every export is named', async () => {
  const exports = { ...(await import('../src/index.ts')), ...(await import('../src/webhooks/index.ts')) };
  expect(Object.keys(exports).filter((name) => !named.has(name))).toEqual([]);
});
