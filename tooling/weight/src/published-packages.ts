import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const manifests = new Map(
  ['@hr/schemas', '@hr/auth', '@hr/client', '@hr/testing'].map((name) => {
    const path = findPackageJSON(name, import.meta.url);
    if (path === undefined) throw new Error(`${name} is not installed.`);
    return [name, JSON.parse(readFileSync(path, 'utf8')) as Manifest];
  }),
);

/** All that can be imported of the published packages, such as `@hr/schemas/rules`. */
export const entryPoints = [...manifests].flatMap(([name, manifest]) =>
  Object.keys(manifest.exports).map((subpath) => `${name}${subpath.slice(1)}`),
);

/** What their users bring themselves. */
export const peers = [...manifests.values()].flatMap((manifest) => Object.keys(manifest.peerDependencies ?? {}));
