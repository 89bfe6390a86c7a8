import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkRelease } from '../src/check-release.ts';
import { readPackedRelease, recordCommit, RELEASE_FOLDER } from '../src/packed-release.ts';
import { environment } from '../src/rehearsal/environment.ts';
import { attempt, run } from '../src/run.ts';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));
const releases = [{ name: '@hr/auth', version: '1.2.0' }];
const snapshots = [{ name: '@hr/auth', version: '0.0.0-pr-12-20261121' }];

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'hr-check-release-'));
  await mkdir(join(cwd, '.changeset'));
  await writeFile(join(cwd, '.gitignore'), 'dist/\n');
  await run('git', ['init', '--quiet'], { cwd });
  await commit();
});
afterEach(() => rm(cwd, { recursive: true }));

async function commit(): Promise<void> {
  const settings = ['user.name=Test', 'user.email=test@example.com', 'commit.gpgSign=false'];
  const options = settings.flatMap((setting) => ['-c', setting]);
  await run('git', ['add', '--all'], { cwd });
  await run('git', [...options, 'commit', '--quiet', '--allow-empty', '--message', 'Change something'], { cwd });
}

test('a release is committed and announced', async () => {
  await writeFile(join(cwd, '.changeset/other.md'), "---\n'@hr/client': patch\n---\n\nOther.\n");
  await expect(checkRelease(cwd, releases, 'next')).rejects.toThrow('Commit these changes');
  await expect(checkRelease(cwd, snapshots, 'pr-12')).resolves.toBeUndefined();
  await commit();
  await expect(checkRelease(cwd, releases, 'latest-1')).resolves.toBeUndefined();
  await writeFile(join(cwd, '.changeset/late.md'), "---\n'@hr/auth': minor\n---\n\nLate.\n");
  await commit();
  await expect(checkRelease(cwd, releases, 'next')).rejects.toThrow('@hr/auth: a changeset is pending');
});

test.each(['v1', 'x', '1.0.0', '', 'Latest', 'a b'])('%j is no dist-tag', async (tag) => {
  await expect(checkRelease(cwd, releases, tag)).rejects.toThrow('--tag must be a word');
});

test('only tarballs of this commit that were checked are published', async () => {
  await expect(readPackedRelease(cwd)).rejects.toThrow('Nothing is packed. Run pnpm release:pack');
  const folder = join(cwd, RELEASE_FOLDER);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'auth.tgz'), 'another tarball');
  const tarball = { path: 'auth.tgz', integrity: 'sha256-placeholder' };
  await writeFile(join(folder, 'publish-plan.json'), JSON.stringify({ plan: [[{ ...releases[0], tarball }]] }));
  await recordCommit(cwd);
  await expect(readPackedRelease(cwd)).rejects.toThrow('The tarball of @hr/auth changed since its check');
  await commit();
  await expect(readPackedRelease(cwd)).rejects.toThrow('The tarballs come from another commit');
});

test.each(['pack', 'publish'])('%s stops without a private registry', async (name) => {
  const program = join(workspace, `tooling/release/src/${name}.ts`);
  const env = { ...environment(workspace), NPM_CONFIG_USERCONFIG: join(cwd, 'npmrc') };
  expect(await attempt(process.execPath, [program], { cwd, env })).toEqual({
    succeeded: false,
    stdout: '',
    stderr:
      "No registry is set for @hr. Name the private one: npm config set --location=user '@hr:registry=https://…'\n",
  });
});
