import { ensureEqual } from './ensure.ts';
import { nextVersion } from './next-version.ts';
import { releaseByHand } from './release.ts';
import type { Stage } from './stage.ts';
import { changedVersions, versionsOf } from './versions-of.ts';

/** A breaking release of schemas takes along the packages that build on it, and no other. */
export async function rehearseMajorRelease(stage: Stage): Promise<void> {
  const { copy, team, report, maintainer } = stage;
  report('A breaking change of @hr/schemas');
  const before = await versionsOf(copy);
  await maintainer('pnpm changeset add --major @hr/schemas --message "Rehearse a breaking change."');
  await maintainer('pnpm release:version');
  await maintainer('git add --all && git commit --message "Release"');
  const expected = {
    '@hr/client': nextVersion(before['@hr/client'], 'patch'),
    '@hr/schemas': nextVersion(before['@hr/schemas'], 'major'),
    '@hr/testing': nextVersion(before['@hr/testing'], 'patch'),
  };
  ensureEqual('What has a new version', changedVersions(before, await versionsOf(copy)), expected);
  ensureEqual('What is published', await releaseByHand(stage), expected);
  const { versions } = await team.install('@hr/client');
  ensureEqual('The version of @hr/schemas that the client gets', versions['@hr/schemas'], expected['@hr/schemas']);
}
