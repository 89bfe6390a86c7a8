import { readChangesets } from '@changesets/read';
import { lt, validRange } from 'semver';
import { publishedPackages } from './published-packages.ts';
import type { Release } from './release.ts';
import { attempt, run } from './run.ts';

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
export async function checkAnnounced(workspace: string, releases: readonly Release[]): Promise<void> {
  const changesets = await readChangesets(workspace);
  const pending = new Set(changesets.flatMap((changeset) => changeset.releases.map(({ name }) => name)));
  const names = releases.map(({ name }) => name).filter((name) => pending.has(name));
  if (names.length === 0) return;
  throw new Error(
    `${names.join(', ')}: a changeset is pending, so the changelog lacks a change. ` +
      'Run pnpm release:version again in a pull request, and release that.',
  );
}

/** @throws {Error} If `latest` would go back to an older version. */
export async function checkNewest(cwd: string, { name, version }: Release): Promise<void> {
  const { succeeded, stdout, stderr } = await attempt('pnpm', ['view', name, 'dist-tags', '--json'], { cwd });
  if (!succeeded) {
    if (stdout.includes('_404')) return;
    throw new Error(`The registry does not tell the latest version of ${name}:\n${stdout}${stderr}`);
  }
  const { latest = version } = JSON.parse(stdout) as { latest?: string };
  if (!lt(version, latest)) return;
  throw new Error(
    `latest of ${name} would go back from ${latest} to ${version}. Name another dist-tag: --tag latest-${version.split('.')[0]}`,
  );
}

/**
 * The private registry of our packages, from `.npmrc`. pnpm publishes each from its folder, so all must name the same.
 *
 * @throws {Error} If there is none: our packages must never go to the public registry.
 */
export async function registryOfScope(workspace: string): Promise<string> {
  const folders = [workspace, ...(await publishedPackages(workspace)).map(({ dir }) => dir)];
  const registries = folders.map((cwd) => run('pnpm', ['config', 'get', '@hr:registry'], { cwd }));
  const [url = '', ...others] = new Set((await Promise.all(registries)).map((line) => line.trim()));
  if (others.length > 0) {
    throw new Error(`The folders of the packages have several registries for @hr: ${[url, ...others].join(', ')}`);
  }
  if (URL.canParse(url)) return url;
  throw new Error(
    "No registry is set for @hr. Name the private one: npm config set --location=user '@hr:registry=https://…'",
  );
}
