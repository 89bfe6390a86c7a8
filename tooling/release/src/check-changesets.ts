import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { getChangedPackagesSinceRef, getDivergedCommit } from '@changesets/git';
import { readChangesets } from '@changesets/read';
import { command } from './command.ts';
import { publishedPackages } from './published-packages.ts';
import { run } from './run.ts';

type Changeset = Awaited<ReturnType<typeof readChangesets>>[number];

const PACKAGE_NAME = /@[\w-]+\/[\w-]+/g;

// Fails if a published package changed without a changeset, or a major changeset does not name the dependents.
// It is `changeset status` for each package: that command accepts one changeset for all of them.
await command(async (report) => {
  const { since = 'main' } = parseArgs({ options: { since: { type: 'string' } } }).values;
  const cwd = process.cwd();
  const changesets = await readChangesets(cwd);
  const missing = (await packagesWithoutChangeset(cwd, since, changesets)).join(', ');
  if (missing !== '') {
    throw new Error(
      `${missing} changed since ${since} without a changeset. If users notice the change, run: pnpm changeset. ` +
        `If they do not, say why: pnpm changeset add --empty --message "${missing}: …"`,
    );
  }
  const [dependent] = await unnamedDependents(cwd, changesets);
  if (dependent) throw new Error(dependent);
  report(`Every published package that changed since ${since} has a changeset.`);
});

/** The names of the published packages that changed since a commit, and that no new changeset names. */
async function packagesWithoutChangeset(
  cwd: string,
  since: string,
  changesets: readonly Changeset[],
): Promise<string[]> {
  // A file that moves out of a package is a change of it.
  Object.assign(process.env, { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'diff.renames', GIT_CONFIG_VALUE_0: 'false' });
  const base = await getDivergedCommit(cwd, since);
  const git = (...args: readonly string[]): Promise<string> => run('git', args, { cwd });
  const { changedFilePatterns } = JSON.parse(await readFile('.changeset/config.json', 'utf8')) as Config;
  const [changed, known, released] = await Promise.all([
    getChangedPackagesSinceRef({ cwd, ref: since, changedFilePatterns }),
    git('ls-tree', '--name-only', base, '.changeset/'),
    git('diff', '--name-only', '--diff-filter=M', '-G', '^ *"version":', base, '--', 'packages/*/package.json'),
  ]);
  const added = changesets.filter(({ id }) => !known.split('\n').includes(`.changeset/${id}.md`));
  // An empty changeset names in its text the packages whose users notice nothing.
  const named = new Set(
    added.flatMap(({ releases, summary }) =>
      releases.length > 0 ? releases.map(({ name }) => name) : summary.match(PACKAGE_NAME),
    ),
  );
  return changed
    .filter(({ dir, packageJson }) => !packageJson.private && !released.includes(`${relative(cwd, dir)}/package.json`))
    .map(({ packageJson }) => packageJson.name)
    .filter((name) => !named.has(name))
    .toSorted();
}

interface Config {
  readonly changedFilePatterns: readonly string[];
}

/**
 * For each package that depends on one with a `major` changeset which does not name it, a message. Changesets would
 * release it as a patch, which is wrong if its types contain types of the dependency.
 */
async function unnamedDependents(cwd: string, changesets: readonly Changeset[]): Promise<string[]> {
  const packages = await publishedPackages(cwd);
  return changesets.flatMap(({ id, releases }) => {
    const typeOf = (name: string): string => releases.find((release) => release.name === name)?.type ?? 'none';
    return packages
      .filter(({ manifest }) => typeOf(manifest.name) === 'none')
      .flatMap(({ manifest: { name, dependencies, peerDependencies } }) =>
        Object.keys({ ...dependencies, ...peerDependencies })
          .filter((dependency) => typeOf(dependency) === 'major')
          .map(
            (dependency) =>
              `${dependency} has a breaking change, and ${name} depends on it. Name ${name} in the same changeset, ` +
              `.changeset/${id}.md: as major if its users notice the change, otherwise as patch.`,
          ),
      );
  });
}
