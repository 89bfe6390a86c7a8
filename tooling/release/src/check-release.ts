import { readChangesets } from '@changesets/read';
import { lt } from 'semver';
import { isSnapshot } from './is-snapshot.ts';
import type { PlannedRelease } from './packed-release.ts';
import { attempt, run } from './run.ts';

/**
 * Checks that what is about to be packed is what its commit and its changelogs say.
 *
 * @throws {Error} That says why it must not be published, and what to do.
 */
export async function checkRelease(workspace: string, releases: readonly PlannedRelease[], tag: string): Promise<void> {
  await checkCommitted(workspace, releases);
  await checkAnnounced(workspace, releases);
  if (tag === 'latest') await Promise.all(releases.map((release) => checkNewest(workspace, release)));
}

/** A tag says of which commit a version was made. */
async function checkCommitted(cwd: string, releases: readonly PlannedRelease[]): Promise<void> {
  if (releases.every(({ version }) => isSnapshot(version))) return;
  const changed = (await run('git', ['status', '--porcelain'], { cwd })).trimEnd();
  if (changed !== '') throw new Error(`These changes are not committed, and would be published:\n${changed}`);
}

/** A changeset that waits is of a change that the changelog does not have. */
async function checkAnnounced(workspace: string, releases: readonly PlannedRelease[]): Promise<void> {
  const changesets = await readChangesets(workspace);
  const waiting = new Set(changesets.flatMap((changeset) => changeset.releases.map(({ name }) => name)));
  const names = releases.map(({ name }) => name).filter((name) => waiting.has(name));
  if (names.length === 0) return;
  throw new Error(
    `${names.join(', ')}: changesets have come since these versions were given, so their changelogs lack something. ` +
      'Do pnpm release:version again, in a pull request, and release that',
  );
}

async function checkNewest(cwd: string, { name, version }: PlannedRelease): Promise<void> {
  const { succeeded, stdout, stderr } = await attempt('pnpm', ['view', name, 'dist-tags', '--json'], { cwd });
  if (!succeeded) {
    if (stdout.includes('_404')) return;
    throw new Error(`The registry does not say which version of ${name} is the latest:\n${stdout}${stderr}`);
  }
  const { latest = version } = JSON.parse(stdout) as { latest?: string };
  if (!lt(version, latest)) return;
  throw new Error(
    `latest of ${name} is ${latest}, and would go back to ${version}. Name another dist-tag: --tag latest-${version.split('.')[0]}`,
  );
}
