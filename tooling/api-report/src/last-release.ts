import { lte, prerelease, rcompare, valid } from 'semver';
import { attempt, run } from 'tooling-release/run';

/** The last release of a package, by its git tag. */
export interface LastRelease {
  readonly version: string;
  readonly tag: string;
}

/**
 * The newest release that is not newer than a version of a package. On the branch of a fix, this is one of the old major.
 *
 * @param tags - all of the clone
 * @returns `undefined` before the first release.
 * @throws {Error} When the clone lacks the tags of the repository.
 */
export async function lastRelease(
  cwd: string,
  { name, version }: { readonly name: string; readonly version: string },
  tags: readonly string[],
): Promise<LastRelease | undefined> {
  const [last] = tags
    .filter((tag) => tag.startsWith(`${name}@`))
    .map((tag) => tag.slice(name.length + 1))
    .filter((one) => valid(one) && !prerelease(one) && lte(one, version))
    .toSorted(rcompare);
  if (last !== undefined) return { version: last, tag: `refs/tags/${name}@${last}` };
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

/** The texts of objects of git, such as `HEAD:package.json`, read by one process. */
export async function readObjects(cwd: string, names: readonly string[]): Promise<Map<string, string>> {
  const args = ['-c', 'printf "%s\\n" "$@" | git cat-file --batch', 'sh', ...names];
  const output = Buffer.from(names.length > 0 ? await run('sh', args, { cwd }) : '');
  let start = 0;
  return new Map(
    names.map((name) => {
      const header = output.toString('utf8', start, output.indexOf('\n', start));
      const size = Number(header.split(' ')[2]);
      if (Number.isNaN(size)) throw new Error(`git cannot read ${name}: ${header}`);
      const begin = start + Buffer.byteLength(header) + 1;
      start = begin + size + 1;
      return [name, output.toString('utf8', begin, begin + size)];
    }),
  );
}
