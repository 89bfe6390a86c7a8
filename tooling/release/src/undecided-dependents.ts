import { readChangesets } from '@changesets/read';
import { publishedPackages } from './published-packages.ts';

/** A published package whose part in a breaking release nobody has decided. */
export interface UndecidedDependent {
  readonly name: string;
  /** The package with the breaking change, which it depends on. */
  readonly dependency: string;
}

/**
 * The packages that build on one with a `major` changeset, and that no changeset names. By itself they would get a patch,
 * which everybody takes without looking: that is wrong where the types of the one are part of the other.
 */
export async function undecidedDependents(workspace: string): Promise<UndecidedDependent[]> {
  const [changesets, packages] = await Promise.all([readChangesets(workspace), publishedPackages(workspace)]);
  const releases = changesets.flatMap((changeset) => changeset.releases);
  const named = new Set(releases.map(({ name }) => name));
  const breaking = new Set(releases.filter(({ type }) => type === 'major').map(({ name }) => name));
  return packages
    .filter(({ manifest }) => !named.has(manifest.name))
    .flatMap(({ manifest: { name, dependencies = {}, peerDependencies = {} } }) =>
      Object.keys({ ...dependencies, ...peerDependencies })
        .filter((dependency) => breaking.has(dependency))
        .map((dependency) => ({ name, dependency })),
    );
}
