import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressOf, start } from './command-line.ts';
import { emptyDatabase } from './drivers.ts';

/** Writes the packages that a process has loaded to the file `LOADED`, at its end. */
const listPackages = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({
    load(url, context, next) {
      packages.add(/.*\\/(?:node_modules|packages)\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url)?.[1]);
      return next(url, context);
    },
  });
  process.on('exit', () => writeFileSync(process.env.LOADED, [...packages].join(' ')));
`)}`;

test.each([
  ['--help', ['commander'], ['zod', 'schemas', 'fastify', 'pino', '@electric-sql/pglite']],
  ['serve', ['zod', 'schemas', 'fastify'], ['testing', 'fast-check', '@prometheus-io/client', 'ajv']],
])('%s loads only the packages that it needs', async (command, needed, unneeded) => {
  const folder = await mkdtemp(join(tmpdir(), 'hr-loaded-'));
  const { url, remove } = await emptyDatabase('postgres');
  const LOADED = join(folder, 'loaded');
  const child = start([command], { HR_DATABASE: url, HR_PORT: '0', NODE_OPTIONS: `--import=${listPackages}`, LOADED });
  child.stdout.resume();
  if (command === 'serve') {
    await addressOf(child);
    child.kill('SIGTERM');
  }
  expect(await once(child, 'exit')).toEqual([0, null]);
  const loaded = (await readFile(LOADED, 'utf8')).split(' ');
  expect(loaded).toEqual(expect.arrayContaining(needed));
  expect(loaded.filter((name) => unneeded.includes(name))).toEqual([]);
  await remove();
  await rm(folder, { recursive: true });
});
