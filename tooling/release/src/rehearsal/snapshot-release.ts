import { packageNames } from './programs.ts';
import { ensureEqual } from './ensure.ts';
import { metadataOf } from './registry-access.ts';
import { releaseByWorkflow } from './release.ts';
import type { Stage } from './stage.ts';

/** A snapshot of a pull request can be tried by whoever names it, and by nobody else. */
export async function rehearseSnapshot(stage: Stage): Promise<void> {
  const { registry, team, report, maintainer } = stage;
  report('A snapshot of a pull request');
  const latest = async (): Promise<unknown> =>
    Promise.all(packageNames.map(async (name) => (await metadataOf(registry, name))['dist-tags']['latest']));
  const before = await latest();
  await maintainer('pnpm changeset add --patch @hr/client,@hr/schemas --message "Rehearse a snapshot."');
  const published = await releaseByWorkflow(stage, 'snapshot', { 'github.event.number': '12' });
  ensureEqual('The snapshots', Object.keys(published).toSorted(), ['@hr/client', '@hr/schemas']);
  ensureEqual('What latest points to', await latest(), before);

  const { versions } = await team.install('@hr/client@pr-12');
  const got = { '@hr/client': versions['@hr/client'], '@hr/schemas': versions['@hr/schemas'] };
  ensureEqual('The snapshots that a team gets', got, published);
  await maintainer('git reset --hard && git clean --force -d');
}
