import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

/** The most that a browser loads of the console before it shows its first screen, in kB, compressed by gzip. */
const FIRST_LOAD_KB = 250;
const SCREEN = 'src/today/today-screen.tsx';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly isEntry?: boolean;
}

const dist = new URL('../../../apps/console/dist/', import.meta.url);

test('the first load of the console keeps its budget', async () => {
  const chunks = JSON.parse(await readFile(new URL('.vite/manifest.json', dist), 'utf8')) as Record<string, Chunk>;
  const entry = Object.keys(chunks).find((name) => chunks[name]?.isEntry) ?? '';
  const files = new Set<string>();
  const visited = new Set<string>();
  const add = (name: string): void => {
    const { file, imports = [], css = [] } = chunks[name] ?? { file: '' };
    if (visited.has(name)) return;
    visited.add(name);
    for (const each of [file, ...css]) files.add(each);
    imports.forEach(add);
  };
  for (const name of [entry, SCREEN]) add(name);
  // Of the font, the browser loads the file with the characters of the page.
  const font = Object.values(chunks).find(({ file }) => /inter-latin-wght-normal.*\.woff2$/.test(file));
  files.add(font?.file ?? '');

  const sizes = await Promise.all(
    [...files].map(async (file) => ({ file, kB: gzipSync(await readFile(new URL(file, dist))).byteLength / 1000 })),
  );
  const total = sizes.reduce((sum, { kB }) => sum + kB, 0);
  const told = sizes
    .toSorted((one, other) => other.kB - one.kB)
    .map(({ file, kB }) => `  ${kB.toFixed(1)} kB ${file}`)
    .join('\n');
  expect(sizes.length).toBeGreaterThan(3);
  expect(total, `The first load of the console weighs ${total.toFixed(1)} kB:\n${told}`).toBeLessThan(FIRST_LOAD_KB);
});
