import { expect, test } from 'vitest';
import { readDocument } from '../src/document.ts';
import { readWorkspaceFile, workspaceFiles } from '../src/workspace.ts';

const PAGE_FOR_TEAMS = 'docs/using-the-packages.md';
/** How the paragraph begins in which a package says what is so of it alone. */
const OWN_PARAGRAPH = /^(New |That the same seed )/;

const pageForTeams = registrySettings(await readWorkspaceFile(PAGE_FOR_TEAMS));
const paths = await workspaceFiles('packages/*/README.md');
const readmes = await Promise.all(paths.map(async (path) => ({ path, text: await readWorkspaceFile(path) })));
const [promisesOfFirst] = readmes.map(promises);

test.each(readmes)('$path sets up the registry as the page for teams does', ({ text }) => {
  const settings = registrySettings(section(text, 'Install'));
  expect(settings).toHaveLength(3);
  expect(pageForTeams).toEqual(expect.arrayContaining(settings));
});

test.each(readmes)('$path promises what the others do, and names the page for teams', (readme) => {
  expect(promises(readme)).toEqual(promisesOfFirst);
  expect(promises(readme).at(-1)).toContain(PAGE_FOR_TEAMS);
});

/** What goes into the files of package managers. */
function registrySettings(text: string): string[] {
  const { blocks } = readDocument('', text);
  return blocks.map(({ code }) => code).filter((code) => /registry\.example\.com\/?'?$|'@hr\/\*'/m.test(code));
}

/** The paragraphs on versions, whatever the package is called. */
function promises({ path, text }: (typeof readmes)[number]): string[] {
  const [, folder = ''] = path.split('/');
  const paragraphs = section(text, 'Versions')
    .replaceAll(`@hr/${folder}`, '@hr/it')
    .replaceAll(/ +#/g, ' #')
    .split('\n\n');
  return paragraphs.filter((paragraph) => !OWN_PARAGRAPH.test(paragraph));
}

function section(text: string, heading: string): string {
  return text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
}
