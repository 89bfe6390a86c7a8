import { fileURLToPath } from 'node:url';
import { publishedPackages } from 'tooling-release/published-packages';

type Exports = Readonly<Record<string, unknown>>;

const manifests = (await publishedPackages(fileURLToPath(new URL('../../..', import.meta.url)))).map(
  ({ packageJson }) =>
    packageJson as typeof packageJson & { readonly exports: Exports; readonly peerDependenciesMeta?: object },
);

/** All that can be imported of the published packages, such as `@hr/schemas/rules`. */
export const entryPoints = manifests.flatMap(({ name, exports }) =>
  Object.keys(exports).map((subpath) => `${name}${subpath.slice(1)}`),
);

/** What their users bring themselves, if they use the part that needs it. */
export const optionalPeers = manifests.flatMap(({ peerDependenciesMeta = {} }) => Object.keys(peerDependenciesMeta));
