import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkDistTag } from '../src/check-dist-tag.ts';
import { checkPacked } from '../src/check-packed.ts';
import { checkRelease } from '../src/check-release.ts';
import { COMMIT_FILE, RELEASE_FOLDER } from '../src/packed-release.ts';
import { run } from '../src/run.ts';
import { untaggedReleases } from '../src/untagged-releases.ts';

let cwd: string;
const git = (...args: readonly string[]): Promise<string> =>
  run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgSign=false', ...args], {
    cwd,
  });

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'hr-check-release-'));
  await mkdir(join(cwd, '.changeset'));
  await writeFile(join(cwd, '.gitignore'), 'dist/\n');
  await git('init', '--quiet', '--initial-branch', 'main');
  await commit();
});
afterEach(() => rm(cwd, { recursive: true }));

async function commit(): Promise<void> {
  await git('add', '--all');
  await git('commit', '--quiet', '--allow-empty', '--message', 'Change something');
}

const releases = [{ name: '@hr/auth', version: '1.2.0' }];

describe('before it packs', () => {
  test('what is committed and announced passes', async () => {
    await writeFile(join(cwd, '.changeset/other.md'), "---\n'@hr/client': patch\n---\n\nOther.\n");
    await commit();
    await expect(checkRelease(cwd, releases, 'next')).resolves.toBeUndefined();
  });

  test('a change that is not committed stops it, but for a snapshot', async () => {
    await writeFile(join(cwd, 'new.ts'), '');
    await expect(checkRelease(cwd, releases, 'next')).rejects.toThrow(
      'are not committed, and would be published:\n?? new.ts',
    );
    const snapshots = [{ name: '@hr/auth', version: '0.0.0-pr-12-20261121' }];
    await expect(checkRelease(cwd, snapshots, 'pr-12')).resolves.toBeUndefined();
  });

  test('a changeset that waits for a package stops it', async () => {
    await writeFile(join(cwd, '.changeset/late.md'), "---\n'@hr/auth': minor\n---\n\nLate.\n");
    await commit();
    await expect(checkRelease(cwd, releases, 'next')).rejects.toThrow('@hr/auth: changesets have come since');
  });

  test.each(['latest', 'latest-1', 'pr-12'])('%s is a dist-tag', (tag) => {
    expect(() => checkDistTag(tag)).not.toThrow();
  });

  test.each(['v1', 'x', '1.0.0', '', 'Latest', 'a b'])('%j is none', (tag) => {
    expect(() => checkDistTag(tag)).toThrow('--tag must be a word');
  });
});

describe('before it publishes', () => {
  const tarball = 'text of a tarball';
  const integrity = 'sha256-placeholder';
  const packed = () => [
    { name: '@hr/auth', version: '1.2.0', tag: 'latest', path: join(cwd, RELEASE_FOLDER, 'auth.tgz'), integrity },
  ];

  beforeEach(async () => {
    await mkdir(join(cwd, RELEASE_FOLDER), { recursive: true });
    await writeFile(join(cwd, RELEASE_FOLDER, 'auth.tgz'), tarball);
    await writeFile(join(cwd, RELEASE_FOLDER, COMMIT_FILE), await git('rev-parse', 'HEAD'));
  });

  test('a tarball that is not the one that was checked stops it', async () => {
    await expect(checkPacked(cwd, packed())).rejects.toThrow('The tarball of @hr/auth is not the one that was checked');
  });

  test('another commit stops it', async () => {
    await commit();
    await expect(checkPacked(cwd, packed())).rejects.toThrow('The tarballs are of another commit');
  });
});

test('what the registry has and git has no tag for is found', async () => {
  const packages = ['auth', 'client', 'schemas'].map((name) => ({
    folder: join(cwd, name),
    manifest: { name: `@hr/${name}`, version: '1.2.0' },
  }));
  await git('tag', '@hr/client@1.2.0');
  expect(await untaggedReleases(cwd, packages, releases)).toEqual([{ name: '@hr/schemas', version: '1.2.0' }]);
});
