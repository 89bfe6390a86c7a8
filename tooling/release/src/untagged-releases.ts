import type { PlannedRelease } from './packed-release.ts';
import type { PublishedPackage } from './published-packages.ts';
import { run } from './run.ts';

/** What the registry has and git has no tag for, as a publication broke off before its tags were pushed. */
export async function untaggedReleases(
  workspace: string,
  packages: readonly PublishedPackage[],
  missing: readonly PlannedRelease[],
): Promise<PlannedRelease[]> {
  const tags = new Set((await run('git', ['tag'], { cwd: workspace })).split('\n'));
  return packages
    .map(({ manifest: { name, version } }) => ({ name, version }))
    .filter(({ name }) => !missing.some((release) => release.name === name))
    .filter(({ name, version }) => !tags.has(`${name}@${version}`));
}
