import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPackages, readWorkspaceFile, workspace } from '../src/workspace.ts';

const SHARED_PAGE = 'docs/using-the-packages.md';

const page = await readWorkspaceFile(SHARED_PAGE);
const published = (await readPackages()).filter(({ folder }) => folder.startsWith('packages/'));

// A README is read in node_modules, where only the files of its package are.
test.each(published)(
  '$folder has a copy of the shared page (to update it: pnpm --filter tooling-documents test readmes -u)',
  async ({ folder }) => {
    await expect(page).toMatchFileSnapshot(join(workspace, folder, SHARED_PAGE));
  },
);

test.each(published)('the README of $folder links to the shared page, and does not repeat it', async ({ folder }) => {
  const text = await readWorkspaceFile(`${folder}/README.md`);
  const headings = Array.from(text.matchAll(/\(docs\/using-the-packages\.md#(.*?)\)/g), ([, heading]) => heading);
  expect(headings).toEqual(expect.arrayContaining(['registry-set-up', 'typescript', 'versions-and-support']));
  expect(text).not.toMatch(/_authToken|registry\.example\.com|minimumReleaseAge|npmPreapprovedPackages|six months/);
});
