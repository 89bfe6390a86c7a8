import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDocument } from '../src/document.ts';
import { readPublishedFolders } from '../src/published-folders.ts';
import { readWorkspaceFile, workspace } from '../src/workspace.ts';

const SHARED_PAGE = 'docs/using-the-packages.md';
const REQUIRED_LINKS = ['registry-set-up', 'typescript', 'versions-and-support'].map((at) => `${SHARED_PAGE}#${at}`);

const page = await readWorkspaceFile(SHARED_PAGE);
const packages = await readPublishedFolders();

// A README is read in node_modules, where only the files of its package are.
test.each(packages)(
  '$folder has a copy of the shared page (to update it: pnpm --filter tooling-documents test readmes -u)',
  async ({ folder }) => {
    await expect(page).toMatchFileSnapshot(join(workspace, folder, SHARED_PAGE));
  },
);

test.each(packages)('the README of $folder links to the shared page, and does not repeat it', async ({ folder }) => {
  const path = `${folder}/README.md`;
  const text = await readWorkspaceFile(path);
  const urls = readDocument(path, text).links.map(({ url }) => url);
  expect(urls).toEqual(expect.arrayContaining(REQUIRED_LINKS));
  expect(text).not.toMatch(/_authToken|registry\.example\.com|minimumReleaseAge|npmPreapprovedPackages|six months/);
});

test('the shared page links to no file, as it is in two places', () => {
  const urls = readDocument(SHARED_PAGE, page).links.map(({ url }) => url);
  expect(urls.filter((url) => !url.startsWith('#'))).toEqual([]);
});
