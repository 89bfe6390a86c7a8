import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { getChangedPackagesSinceRef, getDivergedCommit } from '@changesets/git';
import { readChangesets } from '@changesets/read';
import type { Package } from '@manypkg/get-packages';
import { command } from './command.ts';
import { publishedPackages } from './published-packages.ts';
import { run } from './run.ts';

type Changeset = Awaited<ReturnType<typeof readChangesets>>[number];

const PACKAGE_NAME = /@[\w-]+\/[\w-]+/g;

if (import.meta.main) {
  await command(async (report) => {
    const { since = 'main' } = parseArgs({ options: { since: { type: 'string' } } }).values;
    await checkChangesets(process.cwd(), since);
    report(`Every published package that changed since ${since} has a changeset.`);
  });
}

/**
 * It is `changeset status` for each package: that command accepts one changeset for all of them.
 *
 * @throws {Error} If a published package changed without a changeset, or a major changeset does not name a dependent.
 */
export async function checkChangesets(cwd: string, since: string): Promise<void> {
  // A file that moves out of a package is a change of it.
  Object.assign(process.env, { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'diff.renames', GIT_CONFIG_VALUE_0: 'false' });
  const base = await getDivergedCommit(cwd, since);
  const changesets = await readChangesets(cwd);
  const known = await run('git', ['ls-tree', '--name-only', base, '.changeset/'], { cwd });
  const manifests = ['-G', '^ *"version":', base, '--', 'packages/*/package.json'];
  const released = await run('git', ['diff', '--name-only', '--diff-filter=M', ...manifests], { cwd });
  // An empty changeset names in its text the packages whose users notice nothing.
  const added = changesets.filter(({ id }) => !known.includes(`.changeset/${id}.md\n`));
  const named = new Set(
    added.flatMap(({ releases, summary }) =>
      releases.length > 0 ? releases.map(({ name }) => name) : summary.match(PACKAGE_NAME),
    ),
  );
  const config = JSON.parse(await readFile(join(cwd, '.changeset/config.json'), 'utf8')) as object;
  const changed = await getChangedPackagesSinceRef({ cwd, ref: since, ...config });
  const folders = new Set(changed.map(({ dir }) => dir));
  const packages = await publishedPackages(cwd);
  const missing = packages
    .filter(({ dir, relativeDir }) => folders.has(dir) && !released.includes(`${relativeDir}/package.json\n`))
    .map(({ packageJson }) => packageJson.name)
    .filter((name) => !named.has(name))
    .join(', ');
  if (missing !== '') {
    throw new Error(
      `${missing} changed since ${since} without a changeset. If users notice the change, run: pnpm changeset. ` +
        `If they do not, say why: pnpm changeset add --empty --message "${missing}: …"`,
    );
  }
  for (const changeset of changesets) checkDependents(packages, changeset);
}

/** Changesets releases an unnamed dependent as a patch, which is wrong if its types contain types of the dependency. */
function checkDependents(packages: readonly Package[], { id, releases }: Changeset): void {
  const named = new Map(releases.map(({ name, type }) => [name, type]));
  for (const { name, dependencies, peerDependencies } of packages.map(({ packageJson }) => packageJson)) {
    const breaking = Object.keys({ ...dependencies, ...peerDependencies }).find((one) => named.get(one) === 'major');
    if (breaking === undefined || (named.get(name) ?? 'none') !== 'none') continue;
    throw new Error(
      `${breaking} has a breaking change, and ${name} depends on it. Name ${name} in the same changeset, ` +
        `.changeset/${id}.md: as major if its users notice the change, otherwise as patch.`,
    );
  }
}
