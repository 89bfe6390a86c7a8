import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBench } from '../src/open-bench.ts';
import { parts } from '../src/parts.ts';

let bench: Awaited<ReturnType<typeof openBench>>;

beforeAll(async () => {
  bench = await openBench({ persons: 200, turns: 1, roundMs: 20, warmUps: 1 }, true);
});

afterAll(() => bench[Symbol.asyncDispose]());

// The others take too long for a test.
const short = parts.filter(({ name }) => ['lists', 'deltas', 'mirror', 'import', 'audit-filters'].includes(name));

test.for(short.map((part) => [part.name, part] as const))('%s gives figures', async ([, part]) => {
  const rows = await part.run(bench);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ figure: { value, low, high } }) => ![value, low, high].every(Number.isFinite))).toEqual([]);
});

const readPage = (name: string) => readFile(new URL(`../${name}`, import.meta.url), 'utf8');

test('the README has every part, and the results have no other', async () => {
  const names = parts.map(({ name }) => name).toSorted();
  const inReadme = [...(await readPage('README.md')).matchAll(/^\| `([\w-]+)`/gm)].map(([, name = '']) => name);
  const inResults = [...(await readPage('RESULTS.md')).matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  expect(inReadme.toSorted()).toEqual(names);
  expect(names).toEqual(expect.arrayContaining(inResults));
});
