import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CATALOG_FILE, readCatalog } from 'tooling-release/catalog';
import { publishedPackages } from 'tooling-release/published-packages';
import { termsOf } from './terms.ts';
import type { Term, TermsSource } from './terms.ts';

/** A published package, what its package.json says to users, and all that they can import of it. */
export interface ApiPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly terms: readonly Term[];
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

type Exports = Readonly<Record<string, { readonly types?: string; readonly default?: string }>>;

/**
 * The published packages of a workspace.
 *
 * @throws {Error} When an entry point has no types, as nothing can be said of it then.
 */
export async function apiPackages(workspace: string): Promise<ApiPackage[]> {
  const [published, catalog] = await Promise.all([
    publishedPackages(workspace),
    readFile(join(workspace, CATALOG_FILE), 'utf8').then(readCatalog),
  ]);
  return published.map(({ folder, manifest }) => {
    const source = manifest as typeof manifest & TermsSource & { readonly exports?: Exports };
    const { name, version, exports = {} } = source;
    const entryPoints = Object.entries(exports).map(([subpath, { types, default: module }]) => {
      const specifier = `${name}${subpath.slice(1)}`;
      if (!types || !module) throw new Error(`The entry point ${specifier} must name its types and its module.`);
      return { specifier, types: join(folder, types), module: join(folder, module) };
    });
    return { name, version, folder, terms: termsOf(source, catalog), entryPoints };
  });
}
