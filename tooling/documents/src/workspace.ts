import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of all that is here. Paths of this package are relative to it. */
export const workspace = fileURLToPath(new URL('../../..', import.meta.url));

/** Every page that somebody is expected to follow, by its path. */
export const pages = await readWorkspaceFiles('{*,docs/**/*,{apps,packages,tooling}/*/README,packages/*/docs/*}.md');

/** A package of the workspace, by its package.json. */
export interface Package {
  readonly folder: string;
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly private?: boolean;
  /** What of it is published. */
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, { readonly '@hr/source': string }>>;
}

/** The workspace itself and all its packages. */
export async function readPackages(): Promise<Package[]> {
  const manifests = await readWorkspaceFiles('{.,{apps,packages,tooling}/*}/package.json');
  return Array.from(manifests, ([path, text]) => ({ ...(JSON.parse(text) as Package), folder: dirname(path) }));
}

/** The files that match a pattern, by their paths. */
export async function readWorkspaceFiles(pattern: string): Promise<ReadonlyMap<string, string>> {
  const paths = globSync(pattern, { cwd: workspace }).toSorted();
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(workspace, path), 'utf8')] as const)),
  );
}
