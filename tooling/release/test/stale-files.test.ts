import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { staleFiles } from '../src/stale-files.ts';

test('what is built of a source that is gone must not be published', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hr-stale-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'src/fake'), { recursive: true });
  await writeFile(join(folder, 'src/fake/index.ts'), '');
  const names = ['README.md', 'dist/fake/index.js', 'dist/fake/index.d.ts', 'dist/gone.js', 'dist/fake/gone.d.ts'];
  expect(staleFiles({ files: names.map((name) => ({ name, bytes: 1 })) }, folder)).toEqual([
    'dist/gone.js has no source any more: remove dist and build again',
    'dist/fake/gone.d.ts has no source any more: remove dist and build again',
  ]);
});
