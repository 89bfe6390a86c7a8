import { fileURLToPath } from 'node:url';
import { publishedPackages } from 'tooling-release/published-packages';

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly peerDependenciesMeta?: object;
}

/** The packages that users get from the registry. */
export const packages = (await publishedPackages(fileURLToPath(new URL('../../..', import.meta.url)))).map(
  ({ dir, packageJson }) => ({ dir, ...(packageJson as object as Manifest) }),
);

/** All that can be imported of them, such as `@hr/schemas/rules`. */
export const entryPoints = packages.flatMap(({ name, exports }) =>
  Object.keys(exports).map((subpath) => `${name}${subpath.slice(1)}`),
);

/** What their users bring themselves, if they use the part that needs it. */
export const optionalPeers = packages.flatMap(({ peerDependenciesMeta = {} }) => Object.keys(peerDependenciesMeta));
