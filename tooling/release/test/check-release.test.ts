import { expect, test } from 'vitest';
import { checkAnnounced, checkCommitted, checkTag } from '../src/check-release.ts';
import { newRepository } from './new-repository.ts';

const packages = ['@hr/auth'];

test('a release is committed and announced', async () => {
  const { cwd, commit, write } = await newRepository();
  await write('.changeset/other.md', "---\n'@hr/client': patch\n---\n\nOther.\n");
  await expect(checkCommitted(cwd)).rejects.toThrow('Commit these changes');
  await commit();
  await expect(checkCommitted(cwd)).resolves.toBeUndefined();
  await expect(checkAnnounced(cwd, packages)).resolves.toBeUndefined();
  await write('.changeset/late.md', "---\n'@hr/auth': minor\n---\n\nLate.\n");
  await expect(checkAnnounced(cwd, packages)).rejects.toThrow('@hr/auth: a changeset is pending');
});

test.each(['v1', 'x', '1.0.0', '', 'Latest', 'a b'])('%j is no dist-tag', (tag) => {
  expect(() => checkTag(tag)).toThrow('The dist-tag must be a word');
});
