import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** What pages load: nothing of Node.js, no zod and no model. */
const entries = ['decimal', 'iban', 'labels', 'person-name', 'printable', 'sum-of', 'text-of'];

test.each(entries)('%s loads nothing that a browser does not have', (entry) => {
  const source = readFileSync(new URL(`../src/${entry}.ts`, import.meta.url), 'utf8');
  const loaded = Array.from(source.matchAll(/^(?:import|export) (?!type\b)[^;]*? from '(.*)';$/gm), ([, path]) => path);
  expect(loaded.filter((path) => !entries.some((name) => path === `./${name}.ts`))).toEqual([]);
});
