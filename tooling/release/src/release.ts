import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readChangesets } from '@changesets/read';
import { checkAnnounced, checkCommitted, checkNewest, checkTag, registryOfScope } from './check-release.ts';
import { checkTarball } from './check-tarball.ts';
import { command } from './command.ts';
import { publishedPackages } from './published-packages.ts';
import { run } from './run.ts';

const FOLDER = 'dist/release';

/** A version of a package that the registry does not have. */
export interface Release {
  readonly name: string;
  readonly version: string;
}

interface Plan {
  /** Groups of packages, each after those that it depends on. */
  readonly plan: readonly (readonly (Release & { readonly tarball: { readonly path: string } })[])[];
}

// Packs each package whose version the registry does not have, checks the tarballs, publishes them, and tags the commit.
if (import.meta.main) {
  await command(async (report) => {
    const options = { tag: { type: 'string' }, snapshot: { type: 'string' } } as const;
    const { snapshot, tag = snapshot ?? 'latest' } = parseArgs({ options }).values;
    const cwd = process.cwd();
    checkTag(tag);
    const registry = await registryOfScope(cwd);
    if (snapshot === undefined) await checkCommitted(cwd);
    else await giveSnapshotVersions(cwd, snapshot);

    const releases = await pack(cwd, tag, snapshot);
    const folders = new Map((await publishedPackages(cwd)).map(({ dir, packageJson }) => [packageJson.name, dir]));
    for (const { name, version, path } of releases) {
      // oxlint-disable-next-line no-await-in-loop -- the checks of a tarball need much memory
      report(`${name}@${version}: ${await checkTarball(path, folders.get(name) ?? '')}`);
    }
    await run('changeset', ['publish', '--from-pack-dir', FOLDER], { cwd });
    report(releases.length > 0 ? `Published to ${registry} as ${tag}.` : 'The registry has every version already.');
    // A release that failed before it tagged the commit gets its tags now.
    if (snapshot === undefined) await run('changeset', ['git-tag'], { cwd });
  });
}

/** Gives each package with a changeset a version of its pull request: 0.0.0-NAME-TIME. */
async function giveSnapshotVersions(cwd: string, name: string): Promise<void> {
  if ((await readChangesets(cwd)).every(({ releases }) => releases.length === 0)) {
    throw new Error('No package has a changeset, so there is no snapshot. Add one: pnpm changeset');
  }
  await run('changeset', ['version', '--snapshot', name], { cwd });
}

/** Packs what the registry does not have; of a checkout with snapshots, only them. */
async function pack(cwd: string, tag: string, snapshot: string | undefined) {
  const folder = join(cwd, FOLDER);
  await rm(folder, { recursive: true, force: true });
  const planFile = join(folder, 'plan.json');
  await run('changeset', ['publish-plan', '--output', planFile], { cwd });
  const planned = JSON.parse(await readFile(planFile, 'utf8')) as Plan;
  const isReleased = ({ version }: Release): boolean =>
    snapshot === undefined || version.startsWith(`0.0.0-${snapshot}-`);
  const groups = planned.plan.map((group) => group.filter(isReleased).map((entry) => ({ ...entry, tag })));
  await checkAnnounced(cwd, groups.flat());
  if (tag === 'latest') await Promise.all(groups.flat().map((release) => checkNewest(cwd, release)));
  await writeFile(planFile, JSON.stringify({ ...planned, plan: groups }));
  await run('changeset', ['pack', '--from-publish-plan', planFile, '--out-dir', FOLDER], { cwd });
  return packedReleases(cwd);
}

/** What the last release of a workspace packed, each with the path of its tarball. */
export async function packedReleases(workspace: string) {
  const folder = join(workspace, FOLDER);
  const { plan } = JSON.parse(await readFile(join(folder, 'publish-plan.json'), 'utf8')) as Plan;
  return plan.flat().map(({ name, version, tarball }) => ({ name, version, path: join(folder, tarball.path) }));
}
