import { relative } from 'node:path';
import { attempt, run } from 'tooling-release/run';
import { readReport, type Api } from './api.ts';
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
 * @throws {Error} When the clone lacks the tags of the repository.
 */
export async function withLastRelease(cwd: string, report: ApiReport): Promise<Compared> {
  const tag = await lastTag(cwd, report.name);
  const now = readReport(report.text);
  if (tag === '') return { ...report, release: undefined, before: now, now, readme: '' };
  const folder = `refs/tags/${tag}:${relative(cwd, report.folder)}`;
  const paths = ['api.md', 'README.md'].map((file) => `${folder}/${file}`);
  const [text = '', readme = ''] = await Promise.all(paths.map((path) => run('git', ['show', path], { cwd })));
  return { ...report, release: tag.slice(report.name.length + 1), before: readReport(text), now, readme };
}

/** The nearest tag of a version before the current commit, and of no snapshot. On the branch of a fix, it is an old one. */
export async function lastTag(cwd: string, name: string): Promise<string> {
  const versions = ['--match', `${name}@[0-9]*`, '--exclude', '*@0.0.0-*'];
  const { stdout } = await attempt('git', ['describe', '--tags', '--abbrev=0', ...versions], { cwd });
  if (stdout !== '') return stdout.trim();
  // A shallow clone has neither tags nor the commits before until it fetches them.
  const isShallow = await run('git', ['rev-parse', '--is-shallow-repository'], { cwd });
  if (isShallow.trim() !== 'true') return '';
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
  const { stdout: tags } = await attempt('git', ['ls-remote', '--tags', 'origin', `${name}@*`], { cwd, env });
  if (tags === '') return '';
  throw new Error(
    `${name} was released, but this shallow clone has no tag of a release to compare with. ` +
      'Fetch the history: git fetch --unshallow --tags. In GitHub Actions, set fetch-depth: 0 for actions/checkout.',
  );
}
