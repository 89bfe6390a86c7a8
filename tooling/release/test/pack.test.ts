import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { environment } from '../src/rehearsal/environment.ts';
import { run } from '../src/run.ts';
import { newRepository } from './new-repository.ts';

const program = fileURLToPath(new URL('../src/pack.ts', import.meta.url));
const workspace = fileURLToPath(new URL('../../..', import.meta.url));

test('a version is packed until its commit has the tag, and never if another commit has it', async () => {
  const { cwd, git, commit, write } = await newRepository();
  const env = { ...environment(workspace), GITHUB_OUTPUT: join(cwd, '.git/output') };
  const pack = (): Promise<string> => run(process.execPath, [program], { cwd, env });
  await write('packages/auth/package.json', '{ "name": "@hr/auth", "version": "1.0.0" }');
  await write('.changeset/config.json', '{}');
  await write('.gitignore', 'dist\n');
  await commit();
  // It packs, and checks.
  await expect(pack()).rejects.toThrow('The tarball of @hr/auth is wrong: ');
  await git('tag', '@hr/auth@1.0.0');
  await commit();
  expect(await pack()).toBe('Every version has its git tag, so there is nothing to publish.\n');
  // Of an empty list, no job publishes.
  expect(await readFile(env.GITHUB_OUTPUT, 'utf8')).toBe('release<<END\nEND\n');
  await git('checkout', '--quiet', '--orphan', 'other');
  await commit();
  await expect(pack()).rejects.toThrow(
    'The tag @hr/auth@1.0.0 is on a commit that this branch does not contain, so nothing is packed. Release on the ' +
      'branch that has it; if the tag is wrong, remove it: git push --delete origin @hr/auth@1.0.0',
  );
});
