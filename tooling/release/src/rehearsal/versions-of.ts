import { publishedPackages } from '../published-packages.ts';
import { ensureEqual } from './ensure.ts';
import { packageNames } from './programs.ts';
import type { PackageName } from './programs.ts';

export type Versions = Readonly<Record<PackageName, string>>;

/** The versions of the published packages in a workspace, by name. */
export async function versionsOf(workspace: string): Promise<Versions> {
  const packages = await publishedPackages(workspace);
  const versions = Object.fromEntries(packages.map(({ manifest: { name, version } }) => [name, version]));
  ensureEqual('The published packages', Object.keys(versions).toSorted(), packageNames);
  return versions as Versions;
}

/** The versions that changed, by name. */
export function changedVersions(before: Versions, after: Versions): Partial<Versions> {
  return Object.fromEntries(
    packageNames.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]]),
  );
}
