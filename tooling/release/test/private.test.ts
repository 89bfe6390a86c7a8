import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { publishedPackages } from '../src/published-packages.ts';
import { packageNames } from '../src/rehearsal/programs.ts';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));

test('the published packages are those that the rehearsal uses', async () => {
  const published = await publishedPackages(workspace);
  expect(published.map(({ manifest }) => manifest.name)).toEqual(packageNames);
});

test('apps and tooling are private, which is what keeps them from being published', async () => {
  let seen = 0;
  for await (const path of glob('{apps,tooling}/*/package.json', { cwd: workspace })) {
    const { private: kept } = JSON.parse(await readFile(`${workspace}/${path}`, 'utf8')) as { private?: boolean };
    expect({ path, private: kept }).toEqual({ path, private: true });
    seen += 1;
  }
  expect(seen).toBeGreaterThan(0);
});
