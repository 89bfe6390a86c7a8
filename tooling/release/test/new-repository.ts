import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { run } from '../src/run.ts';

const SETTINGS = ['user.name=Test', 'user.email=test@example.com', 'commit.gpgSign=false'];

/** A git repository with an empty workspace, for a test. */
export async function newRepository() {
  const cwd = await mkdtemp(join(tmpdir(), 'hr-repository-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const git = (...args: readonly string[]): Promise<string> =>
    run('git', [...SETTINGS.flatMap((setting) => ['-c', setting]), ...args], { cwd });
  const write = async (name: string, text = ''): Promise<void> => {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  };
  await git('init', '--quiet', '--initial-branch', 'main');
  await write('package.json', '{ "name": "root", "private": true }');
  await write('pnpm-workspace.yaml', 'packages: [packages/*, apps/*]\n');
  return {
    cwd,
    git,
    write,
    commit: async (): Promise<void> => {
      await git('add', '--all');
      await git('commit', '--quiet', '--allow-empty', '--message', 'Change something');
    },
  };
}
