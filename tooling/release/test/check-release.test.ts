import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkRelease } from '../src/check-release.ts';
import { readPackedRelease, recordCommit, RELEASE_FOLDER } from '../src/packed-release.ts';
import { environment } from '../src/rehearsal/environment.ts';
import { attempt } from '../src/run.ts';
import { newRepository } from './new-repository.ts';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));
const releases = [{ name: '@hr/auth', version: '1.2.0' }];
const snapshots = [{ name: '@hr/auth', version: '0.0.0-pr-12-20261121' }];

test('a release is committed and announced', async () => {
  const { cwd, commit, write } = await newRepository();
  await write('.changeset/other.md', "---\n'@hr/client': patch\n---\n\nOther.\n");
  await expect(checkRelease(cwd, releases, 'next')).rejects.toThrow('Commit these changes');
  await expect(checkRelease(cwd, snapshots, 'pr-12')).resolves.toBeUndefined();
  await commit();
  await expect(checkRelease(cwd, releases, 'latest-1')).resolves.toBeUndefined();
  await write('.changeset/late.md', "---\n'@hr/auth': minor\n---\n\nLate.\n");
  await commit();
  await expect(checkRelease(cwd, releases, 'next')).rejects.toThrow('@hr/auth: a changeset is pending');
});

test.each(['v1', 'x', '1.0.0', '', 'Latest', 'a b'])('%j is no dist-tag', async (tag) => {
  await expect(checkRelease(workspace, releases, tag)).rejects.toThrow('--tag must be a word');
});

test('only tarballs of this commit that were checked are published', async () => {
  const { cwd, commit, write } = await newRepository();
  await write('.gitignore', 'dist/');
  await commit();
  const tarball = { path: 'auth.tgz', integrity: 'sha256-placeholder' };
  await write(`${RELEASE_FOLDER}/auth.tgz`, 'another tarball');
  await write(`${RELEASE_FOLDER}/publish-plan.json`, JSON.stringify({ plan: [[{ ...releases[0], tarball }]] }));
  // As after a check that failed.
  await expect(readPackedRelease(cwd)).rejects.toThrow('No tarballs have passed the checks. Run pnpm release:pack');
  await recordCommit(cwd);
  await expect(readPackedRelease(cwd)).rejects.toThrow('The tarball of @hr/auth changed since its check');
  await commit();
  await expect(readPackedRelease(cwd)).rejects.toThrow('The tarballs come from another commit');
});

test.each(['pack', 'publish'])('%s stops without a private registry', async (name) => {
  const { cwd } = await newRepository();
  const program = join(workspace, `tooling/release/src/${name}.ts`);
  const env = { ...environment(workspace), NPM_CONFIG_USERCONFIG: join(cwd, 'npmrc') };
  expect(await attempt(process.execPath, [program], { cwd, env })).toEqual({
    succeeded: false,
    stdout: '',
    stderr:
      "No registry is set for @hr. Name the private one: npm config set --location=user '@hr:registry=https://…'\n",
  });
});

test('packages with another registry than the workspace are not published', async () => {
  const { cwd, write } = await newRepository();
  await write('packages/auth/package.json', '{ "name": "@hr/auth", "version": "1.0.0" }');
  await write('npmrc', '@hr:registry=https://registry.example.com/');
  // In the folder of the package, it names no file.
  const env = { ...environment(workspace), NPM_CONFIG_USERCONFIG: 'npmrc' };
  const program = join(workspace, 'tooling/release/src/publish.ts');
  expect((await attempt(process.execPath, [program], { cwd, env })).stderr).toBe(
    'The folders of the packages have several registries for @hr: https://registry.example.com/, undefined\n',
  );
});
