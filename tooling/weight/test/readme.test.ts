import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { budgets } from '../src/budgets.ts';

test.each(['schemas', 'auth', 'client', 'testing'])('the README of @hr/%s tells its budgets', async (folder) => {
  const readme = await readFile(new URL(`../../../packages/${folder}/README.md`, import.meta.url), 'utf8');
  const told = Array.from(readme.matchAll(/`([^`\n]+)`[\s|]+([\d.]+)\skB/g), ([, what, kB]) => [what, Number(kB)]);
  const here = budgets.filter(({ from }) => from === `@hr/${folder}` || from.startsWith(`@hr/${folder}/`));
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(here.map(({ from, name = from, kB }) => [name, kB])));
});
