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
  await symlink(join(bundle, 'bin/hr.js'), hr);
  const env = { PATH: dirname(process.execPath), ...demoEnvironment(home) };
  const { stdout } = await run(hr, ['persons', 'list', '--limit', '1', '--fields', 'id', '-o', 'csv'], { env });
  expect(stdout).toBe('id\r\n100001\r\n');
  expect((await readdir(bundle)).toSorted()).toEqual([
    'README.md',
    'bin',
    'node_modules',
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'sbom.cdx.json',
    'src',
  ]);
  const modules = await readdir(join(bundle, 'node_modules'));
  expect(modules).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(?:vitest|typescript|@lydell)$/)]));
});

test('the file of cli:executable runs without Node.js', async () => {
  const home = await homeFolder();
  const hr = join(home, 'hr');
  await run(join(workspace, 'node_modules/.bin/pnpm'), ['run', 'cli:executable', hr], { cwd: workspace });
  const env = { PATH: home, ...demoEnvironment(home) };
  const printed = async (...args: string[]) => (await run(hr, args, { env })).stdout;
  expect(await printed('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await printed('persons', 'list', '--help')).toContain('$ hr persons list');
  expect(await printed('persons', 'list', '--limit', '1', '-o', 'csv', '--fields', 'id')).toBe('id\r\n100001\r\n');
  await expect(printed('mcp', '--nothing')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^hr: /) as string,
  });
});

test('an old Node.js is an error in one line', async () => {
  // As a dependency of this app, it would run its scripts.
  const node = join(workspace, 'tooling/release/node_modules/node-22/bin/node');
  const ended = run(node, [join(import.meta.dirname, '../bin/hr.js'), '--version']);
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^hr needs Node\.js 24 or newer, this is v22\.\d+\.\d+: .*\n$/) as string,
  });
});
