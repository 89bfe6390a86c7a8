import { join } from 'node:path';
import { publishedPackages } from 'tooling-release/published-packages';

/** A published package, and all that its users can import of it. */
export interface ApiPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly entryPoints: readonly EntryPoint[];
}

export interface EntryPoint {
  /** What users write to import it, such as `@hr/schemas/rules`. */
  readonly specifier: string;
  /** The file with its types. */
  readonly types: string;
  /** The file that runs. */
  readonly module: string;
}

/** The version of what has changesets, and no release yet. */
export const NEVER_RELEASED = '0.0.0';

type Exports = Readonly<Record<string, { readonly types?: string; readonly default?: string }>>;

/**
 * The published packages of a workspace.
 *
 * @throws {Error} When an entry point has no types, as nothing can be said of it then.
 */
export async function apiPackages(workspace: string): Promise<ApiPackage[]> {
  const published = await publishedPackages(workspace);
  return published.map(({ folder, manifest }) => {
    const { name, version, exports = {} } = manifest as typeof manifest & { readonly exports?: Exports };
    const entryPoints = Object.entries(exports).map(([subpath, { types, default: module }]) => {
      const specifier = `${name}${subpath.slice(1)}`;
      if (!types || !module) throw new Error(`The entry point ${specifier} must name its types and its module.`);
      return { specifier, types: join(folder, types), module: join(folder, module) };
    });
    return { name, version, folder, entryPoints };
  });
}
