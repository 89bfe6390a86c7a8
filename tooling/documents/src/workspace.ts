import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of all that is here. Paths of this package are relative to it. */
export const workspace = fileURLToPath(new URL('../../..', import.meta.url));

const pagePaths = await workspaceFiles('{*,docs/**/*,{apps,packages,tooling}/*/README,packages/*/docs/*}.md');

/** Every page that somebody is expected to follow, by its path. */
export const pages: ReadonlyMap<string, string> = new Map(
  await Promise.all(pagePaths.map(async (path) => [path, await readWorkspaceFile(path)] as const)),
);

/** A package of the workspace, by its package.json. */
export interface Package {
  readonly folder: string;
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
  /** What of it is published. */
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, { readonly '@hr/source': string }>>;
}

/** The workspace itself and all its packages; those in `packages` are published. */
export async function readPackages(): Promise<Package[]> {
  const paths = await workspaceFiles('{.,{apps,packages,tooling}/*}/package.json');
  return Promise.all(
    paths.map(async (path) => ({ ...(JSON.parse(await readWorkspaceFile(path)) as Package), folder: dirname(path) })),
  );
}

export function readWorkspaceFile(path: string): Promise<string> {
  return readFile(join(workspace, path), 'utf8');
}

/** The files that match a pattern, by name. */
export async function workspaceFiles(pattern: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of glob(pattern, { cwd: workspace })) paths.push(path);
  return paths.toSorted();
}
