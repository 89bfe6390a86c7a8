import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { lint } from 'markdownlint/promise';
import relativeLinks, { markdownIt } from 'markdownlint-rule-relative-links';
import { pages, workspace } from './workspace.ts';
import type { Package } from './workspace.ts';

/** What is wrong with the links of the pages in a folder that lead to files and headings. */
export async function linkFaults(folder: string, names: readonly string[]): Promise<string[]> {
  const found = await lint({
    files: names.map((name) => join(folder, name)),
    config: { default: false, 'relative-links': true, 'link-fragments': true },
    customRules: [relativeLinks],
    markdownItFactory: () => markdownIt,
  });
  return Object.entries(found).flatMap(([path, faults]) =>
    faults.map(({ lineNumber, errorDetail, errorContext }) => {
      const fault = errorDetail ?? `${errorContext} should lead to a heading`;
      return `${relative(folder, path)}:${lineNumber}: ${fault}`;
    }),
  );
}

/** What is wrong with the links of a package's pages, where users read them: beside nothing but what is published. */
export async function linkFaultsOf({ folder, files = [] }: Package): Promise<string[]> {
  const published = await mkdtemp(join(tmpdir(), 'hr-published-'));
  try {
    const names = ['README.md', ...files.filter((file) => !file.startsWith('!'))];
    await Promise.all(names.map((name) => symlink(join(workspace, folder, name), join(published, name))));
    const own = pages.filter((page) => page.startsWith(`${folder}/`)).map((page) => relative(folder, page));
    const faults = await linkFaults(published, own);
    return faults.map((fault) => `${folder}/${fault}`);
  } finally {
    await rm(published, { recursive: true });
  }
}
