import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkAnnounced, checkCommitted, checkTag } from '../src/check-release.ts';
import { environment } from '../src/rehearsal/environment.ts';
import { run } from '../src/run.ts';
import { newRepository } from './new-repository.ts';

const program = fileURLToPath(new URL('../src/release.ts', import.meta.url));
const workspace = fileURLToPath(new URL('../../..', import.meta.url));
const releases = [{ name: '@hr/auth', version: '1.2.0' }];

test('a release is committed and announced', async () => {
  const { cwd, commit, write } = await newRepository();
  await write('.changeset/other.md', "---\n'@hr/client': patch\n---\n\nOther.\n");
  await expect(checkCommitted(cwd)).rejects.toThrow('Commit these changes');
  await commit();
  await expect(checkCommitted(cwd)).resolves.toBeUndefined();
  await expect(checkAnnounced(cwd, releases)).resolves.toBeUndefined();
  await write('.changeset/late.md', "---\n'@hr/auth': minor\n---\n\nLate.\n");
  await expect(checkAnnounced(cwd, releases)).rejects.toThrow('@hr/auth: a changeset is pending');
});

test.each(['v1', 'x', '1.0.0', '', 'Latest', 'a b'])('%j is no dist-tag', (tag) => {
  expect(() => checkTag(tag)).toThrow('The dist-tag must be a word');
});

test('nothing is published without a private registry, or if a package has another one', async () => {
  const { cwd, write } = await newRepository();
  await write('packages/auth/package.json', '{ "name": "@hr/auth", "version": "1.0.0" }');
  await write('npmrc', '@hr:registry=https://registry.example.com/');
  const faultWith = (NPM_CONFIG_USERCONFIG: string): Promise<string> =>
    run(process.execPath, [program], { cwd, env: { ...environment(workspace), NPM_CONFIG_USERCONFIG } });
  await expect(faultWith('none')).rejects.toThrow(
    "No registry is set for @hr. Name the private one: npm config set --location=user '@hr:registry=https://…'",
  );
  // In the folder of the package, it names no file.
  await expect(faultWith('npmrc')).rejects.toThrow(
    'The folders of the packages have several registries for @hr: https://registry.example.com/, undefined',
  );
});
