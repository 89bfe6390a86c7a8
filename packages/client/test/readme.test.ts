import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const home = join(import.meta.dirname, '..');
const readme = await readFile(join(home, 'README.md'), 'utf8');

test('no example passes type arguments to tracingChannel, whose order differs between versions of @types/node', async () => {
  const tracing = await readFile(join(home, 'src/tracing.ts'), 'utf8');
  expect([readme, tracing].filter((text) => text.includes('tracingChannel<'))).toEqual([]);
});

test('every error code and every export is named', async () => {
  const source = await readFile(join(home, 'src/hr-error.ts'), 'utf8');
  const codes = [...source.matchAll(/^ {2}\| '([\w-]+)'/gm)].map(([, code = '']) => code);
  expect(codes.length).toBeGreaterThan(10);
  const named = new Set(readme.match(/[\w-]+/g));
  expect([...codes, ...Object.keys(await import('../src/index.ts'))].filter((name) => !named.has(name))).toEqual([]);
});
