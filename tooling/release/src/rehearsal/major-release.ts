import { run } from '../run.ts';
import { ensureEqual } from './ensure.ts';
import { ensureRefused } from './ensure-refused.ts';
import { giveVersions } from './give-versions.ts';
import { nextVersion } from './next-version.ts';
import { releaseByHand } from './release.ts';
import type { Stage } from './stage.ts';
import { changedVersions, versionsOf } from './versions-of.ts';

/** A breaking release of schemas takes along the packages that build on it, as breaking, and no other. */
export async function rehearseMajorRelease(stage: Stage): Promise<void> {
  const { copy, team, report, maintainer } = stage;
  report('A breaking change of @hr/schemas');
  const before = await versionsOf(copy);
  await maintainer('pnpm changeset add --major @hr/schemas --message "Rehearse a breaking change."');
  // Else it would be taken for a patch of what builds on it.
  await ensureRefused(stage, 'pnpm changeset:check', '@hr/schemas has a breaking change, and @hr/client builds on it');
  await maintainer('git clean --force --quiet .changeset');
  await maintainer(
    'pnpm changeset add --major @hr/schemas,@hr/client,@hr/testing --message "Rehearse what it breaks."',
  );
  await maintainer('pnpm changeset:check');
  await giveVersions(stage);
  const expected = {
    '@hr/client': nextVersion(before['@hr/client'], 'major'),
    '@hr/schemas': nextVersion(before['@hr/schemas'], 'major'),
    '@hr/testing': nextVersion(before['@hr/testing'], 'major'),
  };
  ensureEqual('What has a new version', changedVersions(before, await versionsOf(copy)), expected);
  ensureEqual('What is published', await releaseByHand(stage), expected);
  await rehearseLostTag(stage, `@hr/testing@${expected['@hr/testing']}`);
  const { versions } = await team.install('@hr/client');
  ensureEqual('The version of @hr/schemas that the client gets', versions['@hr/schemas'], expected['@hr/schemas']);
}

/** A publication that broke off before its tags were pushed is mended by doing it again. */
async function rehearseLostTag({ copy, maintainer }: Stage, tag: string): Promise<void> {
  await run('git', ['tag', '--delete', tag], { cwd: copy });
  await maintainer('pnpm release:pack');
  await maintainer('pnpm release:publish');
  await run('git', ['rev-parse', '--verify', `refs/tags/${tag}`], { cwd: copy });
}
