import { readChangesets } from '@changesets/read';
import { validRange } from 'semver';
import { run } from './run.ts';

/** @throws {Error} If npm would read the dist-tag as a version; `v1` is any version 1. */
export function checkTag(tag: string): void {
  if (/^[a-z][a-z0-9.-]*$/.test(tag) && validRange(tag) === null) return;
  throw new Error(
    `The dist-tag must be a word such as latest, latest-1 or pr-12, and no version: ${JSON.stringify(tag)}`,
  );
}

/** @throws {Error} If a file is not committed: the git tag of a version must name its source. */
export async function checkCommitted(cwd: string): Promise<void> {
  const changed = (await run('git', ['status', '--porcelain'], { cwd })).trimEnd();
  if (changed !== '') throw new Error(`Commit these changes, or they would be published untagged:\n${changed}`);
}

/** @throws {Error} If a changeset is pending: the changelog lacks its change. */
export async function checkAnnounced(workspace: string, packages: readonly string[]): Promise<void> {
  const changesets = await readChangesets(workspace);
  const pending = new Set(changesets.flatMap((changeset) => changeset.releases.map(({ name }) => name)));
  const names = packages.filter((name) => pending.has(name));
  if (names.length === 0) return;
  throw new Error(
    `${names.join(', ')}: a changeset is pending, so the changelog lacks a change. ` +
      'Run pnpm release:version again in a pull request, and release that.',
  );
}
