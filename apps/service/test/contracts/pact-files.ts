import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dirname, join } from 'node:path';

const workspace = fileURLToPath(new URL('../../../../', import.meta.url));

function inWorkspace(pattern: string): string[] {
  const found = ['packages', 'apps'].flatMap((folder) => globSync(`${folder}/*/${pattern}`, { cwd: workspace }));
  return found.map((path) => join(workspace, path)).toSorted();
}

/** The pacts of every consumer in this workspace. */
export function pactFiles(): string[] {
  return inWorkspace('pacts/*.json');
}

/** The consumers in this workspace that have tests of contracts, and no pact. */
export function consumersWithoutPact(): string[] {
  const packages = inWorkspace('test/contracts/*.test.ts').map((test) => dirname(dirname(dirname(test))));
  return [...new Set(packages)].filter(
    (folder) => !pactFiles().some((file) => file.startsWith(join(folder, 'pacts/'))),
  );
}
