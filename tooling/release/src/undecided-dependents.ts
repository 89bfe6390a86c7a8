import { readChangesets } from '@changesets/read';
import { publishedPackages } from './published-packages.ts';

/** A published package whose part in a breaking release nobody has decided. */
export interface UndecidedDependent {
  readonly name: string;
  /** The package with the breaking change, which it depends on. */
  readonly dependency: string;
  /** The changeset that has to say it: the name of its file, without ending. */
  readonly changeset: string;
}

/**
 * The packages that build on one with a `major` changeset which does not name them. By itself they would get a patch,
 * which everybody takes without looking: that is wrong where the types of the one are part of the other. What another
 * changeset says of them is another change.
 */
export async function undecidedDependents(workspace: string): Promise<UndecidedDependent[]> {
  const [changesets, packages] = await Promise.all([readChangesets(workspace), publishedPackages(workspace)]);
  return changesets.flatMap(({ id, releases }) => {
    const decided = new Set(releases.filter(({ type }) => type !== 'none').map(({ name }) => name));
    const breaking = new Set(releases.filter(({ type }) => type === 'major').map(({ name }) => name));
    return packages
      .filter(({ manifest }) => !decided.has(manifest.name))
      .flatMap(({ manifest: { name, dependencies = {}, peerDependencies = {} } }) =>
        Object.keys({ ...dependencies, ...peerDependencies })
          .filter((dependency) => breaking.has(dependency))
          .map((dependency) => ({ name, dependency, changeset: id })),
      );
  });
}
