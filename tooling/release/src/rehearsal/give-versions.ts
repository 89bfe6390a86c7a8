import { readChangesets } from '@changesets/read';
import type { Stage } from './stage.ts';

/** Takes a copy as far as it can be published: where changesets wait, they become versions. */
export async function giveVersions({ copy, maintainer }: Stage): Promise<void> {
  if ((await readChangesets(copy)).length === 0) return;
  await maintainer('pnpm release:version');
  await maintainer('git add --all && git commit --message "Release"');
}
