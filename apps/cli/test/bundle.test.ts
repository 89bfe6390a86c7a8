import { execFile } from 'node:child_process';
import { readdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { demoEnvironment, homeFolder } from './run-hr.ts';

const run = promisify(execFile);
const workspace = fileURLToPath(new URL('../../..', import.meta.url));

test('the folder of cli:bundle runs with Node.js alone, by a link in the PATH', async () => {
  const home = await homeFolder();
  const bundle = join(home, 'bundle');
  await run(join(workspace, 'node_modules/.bin/pnpm'), ['run', 'cli:bundle', bundle], { cwd: workspace });
  const hr = join(home, 'hr');
  await symlink(join(bundle, 'src/main.ts'), hr);
  const env = { PATH: dirname(process.execPath), ...demoEnvironment(home) };
  const { stdout } = await run(hr, ['persons', 'list', '--limit', '1', '--fields', 'id'], { env });
  expect(stdout).toBe('{"id":"100001"}\n');
  expect((await readdir(bundle)).toSorted()).toEqual([
    'README.md',
    'node_modules',
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'src',
  ]);
  const modules = await readdir(join(bundle, 'node_modules'));
  expect(modules).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(?:vitest|typescript|@lydell)$/)]));
});
