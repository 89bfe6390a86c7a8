import { globSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../../../../', import.meta.url));

/** The pacts that other teams have handed in. */
export const inboxFolder = join(workspace, 'apps/service/contracts');

function inWorkspace(pattern: string): string[] {
  const found = ['packages', 'apps'].flatMap((folder) => globSync(`${folder}/*/${pattern}`, { cwd: workspace }));
  return found.map((path) => join(workspace, path)).toSorted();
}

/** The folders with pacts of consumers: those of this workspace, and the inbox when there is more in it than Markdown. */
export function pactFolders(inbox: string = inboxFolder): string[] {
  const isUsed = readdirSync(inbox).some((name) => !/^\.|\.md$/i.test(name));
  return [...inWorkspace('pacts'), ...(isUsed ? [inbox] : [])];
}

/** The consumers in this workspace that have tests of contracts, and no pact. */
export function consumersWithoutPact(): string[] {
  const packages = inWorkspace('test/contracts/*.test.ts').map((test) => dirname(dirname(dirname(test))));
  return [...new Set(packages)].filter((folder) => !pactFolders().includes(join(folder, 'pacts')));
}
