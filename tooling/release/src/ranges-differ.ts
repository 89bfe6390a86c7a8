import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CATALOG_FILE, readCatalog, withCatalog } from './catalog.ts';
import type { Catalog } from './catalog.ts';
import { manifestAt } from './manifest-at.ts';
import type { PublishedPackage } from './published-packages.ts';
import { attempt } from './run.ts';
import type { Manifest } from './tarball.ts';

/** Whether a package asks for other versions of what it depends on than at a commit, as the catalog has others. */
export async function rangesDiffer(commit: string, workspace: string, one: PublishedPackage): Promise<boolean> {
  const [before, { stdout: catalogBefore }, catalog] = await Promise.all([
    manifestAt(commit, workspace, one),
    attempt('git', ['show', `${commit}:${CATALOG_FILE}`], { cwd: workspace }),
    readFile(join(workspace, CATALOG_FILE), 'utf8'),
  ]);
  const now = publishedRanges(one.manifest, readCatalog(catalog));
  return !isDeepStrictEqual(before && publishedRanges(before, readCatalog(catalogBefore)), now);
}

function publishedRanges({ dependencies = {}, peerDependencies = {} }: Manifest, catalog: Catalog): object {
  return [withCatalog(dependencies, catalog), withCatalog(peerDependencies, catalog)];
}
