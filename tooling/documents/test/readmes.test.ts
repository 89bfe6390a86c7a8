import { dirname, join, relative } from 'node:path';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { pages, readPackages, workspace } from '../src/workspace.ts';

const SHARED_PAGE = 'docs/using-the-packages.md';

const published = (await readPackages()).filter((one) => !one.private);

// A README is read in node_modules, where only the files of its package are.
test.each(published)(
  '$folder has a copy of the shared page (to update it: pnpm --filter tooling-documents test readmes -u)',
  async ({ folder }) => {
    await expect(pages.get(SHARED_PAGE)).toMatchFileSnapshot(join(workspace, folder, SHARED_PAGE));
  },
);

test.each(published)('the README of $folder links to the shared page, and does not repeat it', ({ folder }) => {
  const text = pages.get(`${folder}/README.md`) ?? '';
  const headings = Array.from(text.matchAll(/\(docs\/using-the-packages\.md#(.*?)\)/g), ([, heading]) => heading);
  expect(headings).toEqual(expect.arrayContaining(['registry-set-up', 'typescript', 'versions-and-support']));
  expect(text).not.toMatch(/_authToken|registry\.example\.com|minimumReleaseAge|npmPreapprovedPackages|six months/);
});

test.each(published)('the pages of $folder link to nothing but what is published', ({ folder, files = [] }) => {
  const isPublished = (path: string): boolean => ['README.md', ...files].includes(path.split(/[/#]/)[0] ?? '');
  const own = [...pages].filter(([page]) => page.startsWith(`${folder}/`));
  const others = own.flatMap(([page, text]) => {
    const inlines = new MarkdownIt().parse(text, {}).flatMap(({ children }) => children ?? []);
    const links = inlines.flatMap((token) => token.attrGet('href') ?? []).filter((link) => !/^(?:\w+:|#)/.test(link));
    const wrong = links.filter((link) => !isPublished(relative(folder, join(dirname(page), link))));
    return wrong.map((link) => `${page}: ${link}`);
  });
  expect(others).toEqual([]);
});
