import { relative } from 'node:path';
import { lte, prerelease, rcompare, valid } from 'semver';
import { attempt, run } from 'tooling-release/run';

/** The last release of a package, as its git tag has it. */
export interface LastRelease {
  readonly version: string;
  /** The text that a file had. */
  readonly read: (path: string) => Promise<string>;
}

/**
 * The newest release that is not newer than a version of a package. On the branch of a fix, this is one of the old major.
 *
 * @returns `undefined` before the first release.
 * @throws {Error} When the clone lacks the tags of the repository.
 */
export async function lastRelease(cwd: string, name: string, version: string): Promise<LastRelease | undefined> {
  const tags = (await run('git', ['tag', '--list', `${name}@*`], { cwd })).split('\n').filter(Boolean);
  const versions = tags
    .map((tag) => tag.slice(name.length + 1))
    .filter((one) => valid(one) && !prerelease(one) && lte(one, version));
  const [last] = versions.toSorted(rcompare);
  if (last !== undefined) {
    const at = `refs/tags/${name}@${last}`;
    return { version: last, read: (path) => run('git', ['show', `${at}:${relative(cwd, path)}`], { cwd }) };
  }
  // A shallow clone has no tags until it fetches them.
  const isShallow = await run('git', ['rev-parse', '--is-shallow-repository'], { cwd });
  if (isShallow.trim() !== 'true') return undefined;
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
  const { stdout } = await attempt('git', ['ls-remote', '--tags', 'origin', `${name}@*`], { cwd, env });
  if (stdout === '') return undefined;
  throw new Error(
    `${name} was released, but this shallow clone has no tag of a release to compare with. ` +
      'Fetch the tags: git fetch --tags. In GitHub Actions, set fetch-depth: 0 for actions/checkout.',
  );
}
