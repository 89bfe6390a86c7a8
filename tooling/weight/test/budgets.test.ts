import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bundle } from '../src/bundle.ts';
import { entryPoints, packages } from '../src/published-packages.ts';

/** A row of a README: an entry point or a name of the package's first one, its budget, and what it loads. */
const ROW = /^\| `([^`]+)` +\| ([\d.]+) kB +\| (.+?) *\|$/gm;
/** Below this part of its budget an import has become so light that the budget would not notice if it grew. */
const LEAST_PART = 0.75;
/** How many modules of a heavy import are named. */
const MAX_NAMED = 10;

const budgets = await Promise.all(
  packages.map(async ({ dir, name: own }) => {
    const readme = await readFile(join(dir, 'README.md'), 'utf8');
    return Array.from(readme.matchAll(ROW), ([, what = '', kB, loads = '']) => {
      const isEntryPoint = what.startsWith(own);
      const source = isEntryPoint ? `export * from '${what}';` : `export { ${what} } from '${own}';`;
      return { own, what, isEntryPoint, source, kB: Number(kB), loads };
    });
  }),
);

test('every entry point has a budget in the README of its package', () => {
  const told = budgets.flat().filter(({ isEntryPoint }) => isEntryPoint);
  expect(told.map(({ what }) => what).toSorted()).toEqual(entryPoints.toSorted());
});

test.each(budgets.flat())('$what of $own keeps its budget', async ({ own, what, source, kB, loads }) => {
  const { code, parts } = await bundle(source);
  const size = brotliCompressSync(code).byteLength / 1000;
  const heaviest = parts
    .toSorted((one, other) => other.bytes - one.bytes)
    .slice(0, MAX_NAMED)
    .map(({ name, bytes }) => `  ${(bytes / 1000).toFixed(1)} kB ${name}\n`);
  const place = `in the README of ${own}`;
  expect(
    size,
    `${what} weighs ${size} kB. If that is worth it, raise its budget ${place}. Its heaviest modules, before they are minified:\n${heaviest.join('')}`,
  ).toBeLessThanOrEqual(kB);
  expect(size, `${what} weighs ${size} kB. Lower its budget ${place}`).toBeGreaterThanOrEqual(LEAST_PART * kB);

  const others = parts.map((part) => part.name).filter((name) => !name.startsWith(`${own}/`));
  const loaded = [...new Set(others.map(packageOf))].toSorted().join(', ') || '–';
  const unsaid = others.filter((name) => !loads.includes(packageOf(name))).join(', ');
  expect(loaded, `${what} loads ${unsaid || 'less'}. If it has to, say so ${place}`).toBe(loads);
});

function packageOf(module: string): string {
  return module.startsWith('node:') ? 'Node.js' : `\`${/^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0]}\``;
}
