import { join, relative } from 'node:path';
import { readChangesets } from '@changesets/read';
import { CATALOG_FILE } from './catalog.ts';
import { manifestAt } from './manifest-at.ts';
import { NEVER_RELEASED, publishedPackages } from './published-packages.ts';
import type { PublishedPackage } from './published-packages.ts';
import { rangesDiffer } from './ranges-differ.ts';
import { run } from './run.ts';

type Changeset = Awaited<ReturnType<typeof readChangesets>>[number];

/** What of a package its users get, or what that is made from. */
const PUBLISHED = /^(src|bin|docs)\/|^(package\.json|README\.md|tsconfig\.build\.json)$/;
const PACKAGE_NAME = /@[\w-]+\/[\w-]+/g;

/**
 * The published packages that changed since a commit or branch without a changeset that was added since, also where only
 * the catalog has another range of what they depend on. A changeset for no package says that those its text names need
 * none. A package that was never released needs but its first, and one that has a new version is being released.
 */
export async function packagesWithoutChangeset(workspace: string, since: string): Promise<string[]> {
  const base = (await run('git', ['merge-base', since, 'HEAD'], { cwd: workspace })).trim();
  const [files, all, packages] = await Promise.all([
    filesChanged(workspace, base),
    readChangesets(workspace),
    publishedPackages(workspace),
  ]);
  const named = namesIn(all.filter(({ id }) => files.includes(`.changeset/${id}.md`)));
  const awaited = namesIn(all);
  const silent = packages.filter(
    ({ manifest: { name, version } }) => !(version === NEVER_RELEASED ? awaited : named).has(name),
  );
  const missing = await Promise.all(
    silent.map(
      async (one) => (await hasChanged(workspace, base, files, one)) && !(await hasNewVersion(workspace, base, one)),
    ),
  );
  return silent.filter((_, index) => missing[index]).map(({ manifest }) => manifest.name);
}

async function hasChanged(
  workspace: string,
  base: string,
  files: readonly string[],
  one: PublishedPackage,
): Promise<boolean> {
  if (files.some((file) => PUBLISHED.test(relative(one.folder, join(workspace, file))))) return true;
  return files.includes(CATALOG_FILE) && (await rangesDiffer(base, workspace, one));
}

async function hasNewVersion(workspace: string, base: string, one: PublishedPackage): Promise<boolean> {
  const before = await manifestAt(base, workspace, one);
  return before !== undefined && before.version !== one.manifest.version;
}

/** Those of the commits, and those that are not committed yet. */
async function filesChanged(cwd: string, base: string): Promise<string[]> {
  const [changed, fresh] = await Promise.all([
    run('git', ['diff', '--name-only', '--no-renames', '-z', base], { cwd }),
    run('git', ['ls-files', '--others', '--exclude-standard', '-z'], { cwd }),
  ]);
  return `${changed}${fresh}`.split('\0').filter(Boolean);
}

function namesIn(changesets: readonly Changeset[]): Set<string> {
  return new Set(
    changesets.flatMap(({ releases, summary }) =>
      releases.length > 0 ? releases.map(({ name }) => name) : (summary.match(PACKAGE_NAME) ?? []),
    ),
  );
}
