import { parse } from 'yaml';

/** Where the catalog is, in a workspace. */
export const CATALOG_FILE = 'pnpm-workspace.yaml';

/** The ranges that each package.json takes from the catalog, by the name of what they are of. */
export type Catalog = Readonly<Record<string, string>>;

type Ranges = Readonly<Record<string, string>>;

/** The catalog in the text of its file. */
export function readCatalog(text: string): Catalog {
  return (parse(text) as { readonly catalog?: Catalog } | null)?.catalog ?? {};
}

/**
 * Ranges with those of the catalog, as they are published.
 *
 * @throws {Error} When the catalog does not have one.
 */
export function withCatalog(ranges: Ranges, catalog: Catalog): Ranges {
  return Object.fromEntries(
    Object.entries(ranges).map(([name, range]) => {
      const published = range === 'catalog:' ? catalog[name] : range;
      if (published === undefined) throw new Error(`The catalog of ${CATALOG_FILE} has no range for ${name}.`);
      return [name, published];
    }),
  );
}
