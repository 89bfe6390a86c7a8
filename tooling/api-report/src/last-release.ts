import { relative } from 'node:path';
import { lte, prerelease, rcompare, valid } from 'semver';
import { attempt, run } from 'tooling-release/run';
import { readReport } from './api.ts';
import type { Api } from './api.ts';
import type { ApiReport } from './api-report.ts';

/** A package as it was released, and as it is now. */
export interface Compared extends ApiReport {
  /** The version of the last release; `undefined` before the first one, which then is as now. */
  readonly release: string | undefined;
  readonly before: Api;
  readonly now: Api;
  /** The README of the release. */
  readonly readme: string;
}

/**
 * Reads the last release of a package from its git tag.
 *
 * @param tags - all of the clone
 * @throws {Error} When the clone lacks the tags of the repository.
 */
export async function withLastRelease(cwd: string, report: ApiReport, tags: readonly string[]): Promise<Compared> {
  const release = await lastRelease(cwd, report, tags);
  const now = readReport(report.text);
  if (!release) return { ...report, release, before: now, now, readme: '' };
  const folder = `refs/tags/${report.name}@${release}:${relative(cwd, report.folder)}`;
  const paths = ['api.md', 'README.md'].map((file) => `${folder}/${file}`);
  const [text = '', readme = ''] = await Promise.all(paths.map((path) => run('git', ['show', path], { cwd })));
  return { ...report, release, before: readReport(text), now, readme };
}

/** The newest version that is not newer than the package. On the branch of a fix, this is one of the old major. */
export async function lastRelease(
  cwd: string,
  { name, version }: { readonly name: string; readonly version: string },
  tags: readonly string[],
): Promise<string | undefined> {
  const versions = tags.filter((tag) => tag.startsWith(`${name}@`)).map((tag) => tag.slice(name.length + 1));
  const releases = versions.filter((one) => valid(one) && !prerelease(one) && lte(one, version));
  const [last] = releases.toSorted(rcompare);
  if (last !== undefined) return last;
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
