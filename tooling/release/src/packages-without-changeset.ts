import { join, relative } from 'node:path';
import { readChangesets } from '@changesets/read';
import { publishedPackages } from './published-packages.ts';
import type { PublishedPackage } from './published-packages.ts';
import { attempt, run } from './run.ts';

type Changeset = Awaited<ReturnType<typeof readChangesets>>[number];

/** What of a package its users get, or what that is made from. */
const PUBLISHED = /^(src|bin|docs)\/|^(package\.json|README\.md|tsconfig\.build\.json)$/;
const NEVER_RELEASED = '0.0.0';

/**
 * The published packages that changed since a commit or branch without a changeset that was added since.
 * One changeset that names no package says that none is needed. A package that was never released needs but its first,
 * and one that has a new version is being released.
 */
export async function packagesWithoutChangeset(workspace: string, since: string): Promise<string[]> {
  const base = (await run('git', ['merge-base', since, 'HEAD'], { cwd: workspace })).trim();
  const [files, all, packages] = await Promise.all([
    filesChanged(workspace, base),
    readChangesets(workspace),
    publishedPackages(workspace),
  ]);
  const added = all.filter(({ id }) => files.includes(`.changeset/${id}.md`));
  if (added.some(({ releases }) => releases.length === 0)) return [];
  const named = namesIn(added);
  const awaited = namesIn(all);
  const missing = packages
    .filter(({ folder }) => files.some((file) => PUBLISHED.test(relative(folder, join(workspace, file)))))
    .filter(({ manifest: { name, version } }) => !(version === NEVER_RELEASED ? awaited : named).has(name));
  const released = await Promise.all(missing.map((one) => hasNewVersion(workspace, base, one)));
  return missing.filter((_, index) => !released[index]).map(({ manifest }) => manifest.name);
}

async function hasNewVersion(
  workspace: string,
  base: string,
  { folder, manifest }: PublishedPackage,
): Promise<boolean> {
  const path = relative(workspace, join(folder, 'package.json'));
  const { succeeded, stdout } = await attempt('git', ['show', `${base}:${path}`], { cwd: workspace });
  return succeeded && (JSON.parse(stdout) as { version: string }).version !== manifest.version;
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
  return new Set(changesets.flatMap(({ releases }) => releases.map(({ name }) => name)));
}
