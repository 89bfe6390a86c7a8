import { join, relative } from 'node:path';
import { lint } from 'markdownlint/promise';
import relativeLinks, { markdownIt } from 'markdownlint-rule-relative-links';
import { workspace } from './workspace.ts';

/** What is wrong with the links that lead to files and headings, in texts by the paths of their pages. */
export async function linkFaults(texts: ReadonlyMap<string, string>): Promise<string[]> {
  const found = await lint({
    strings: Object.fromEntries(Array.from(texts, ([page, text]) => [join(workspace, page), text])),
    config: { default: false, 'relative-links': true, 'link-fragments': true },
    customRules: [relativeLinks],
    markdownItFactory: () => markdownIt,
  });
  return Object.entries(found).flatMap(([path, faults]) =>
    faults.map(({ lineNumber, errorDetail, errorContext }) => {
      const fault = errorDetail ?? `${errorContext} should lead to a heading`;
      return `${relative(workspace, path)}:${lineNumber}: ${fault}`;
    }),
  );
}
