import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressOf, start } from './command-line.ts';
import { emptyDatabase } from './drivers.ts';
import { loadedPackages, recordPackages } from './loaded-packages.ts';

// What demo loads is in demo.test.ts.
test.each([
  ['--help', ['commander'], ['zod', 'schemas', 'fastify', 'pino', '@electric-sql/pglite']],
  ['serve', ['zod', 'schemas', 'fastify'], ['testing', 'fast-check', '@prometheus-io/client', 'ajv']],
])('%s loads only the packages that it needs', async (command, needed, unneeded) => {
  const folder = await mkdtemp(join(tmpdir(), 'hr-loaded-'));
  const { url, remove } = await emptyDatabase('postgres');
  const file = join(folder, 'loaded');
  const child = start([command], { HR_DATABASE: url, HR_PORT: '0', ...recordPackages(file) });
  child.stdout.resume();
  if (command === 'serve') {
    await addressOf(child);
    child.kill('SIGTERM');
  }
  expect(await once(child, 'exit')).toEqual([0, null]);
  const loaded = await loadedPackages(file);
  expect(loaded).toEqual(expect.arrayContaining(needed));
  expect(loaded.filter((name) => unneeded.includes(name))).toEqual([]);
  await remove();
  await rm(folder, { recursive: true });
});
