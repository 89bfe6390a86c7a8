import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureEqual } from './ensure.ts';
import { ensureRefused } from './ensure-refused.ts';
import { giveVersions } from './give-versions.ts';
import { nextVersion } from './next-version.ts';
import { programs } from './programs.ts';
import { releaseByHand } from './release.ts';
import type { Stage } from './stage.ts';
import { changedVersions, versionsOf } from './versions-of.ts';
import type { Versions } from './versions-of.ts';

/** A minor release of schemas reaches the users of the client, which is not released again. */
export async function rehearseMinorRelease(stage: Stage): Promise<Versions> {
  const { copy, report, maintainer } = stage;
  report('A new feature of @hr/schemas');
  const before = await versionsOf(copy);
  await maintainer('git switch --create feature');
  const feature = '/** Whether there was a rehearsal. */\nexport const REHEARSED = true;\n';
  await appendFile(join(copy, 'packages/schemas/src/index.ts'), feature);
  await maintainer('pnpm api:report');
  await maintainer('git commit --all --message "Rehearse a feature"');
  await ensureRefused(stage, 'pnpm changeset:check', '@hr/schemas changed since main without a changeset');
  await maintainer('pnpm changeset add --minor @hr/schemas --message "Rehearse a feature."');
  await maintainer('git add --all && git commit --message "Rehearse a changeset"');
  await maintainer('pnpm changeset:check');
  report('  is refused without a changeset');

  await giveVersions(stage);
  const after = await versionsOf(copy);
  const minor = nextVersion(before['@hr/schemas'], 'minor');
  ensureEqual('What has a new version', changedVersions(before, after), { '@hr/schemas': minor });
  ensureEqual('What is published', await releaseByHand(stage), { '@hr/schemas': minor });
  const { versions, runProgram } = await stage.team.install('@hr/client');
  ensureEqual('The version of @hr/schemas that the client gets', versions['@hr/schemas'], minor);
  ensureEqual('The version of @hr/client', versions['@hr/client'], before['@hr/client']);
  const { prints } = programs['@hr/client'];
  ensureEqual('What the program with the client prints', await runProgram(stage.serviceUrl), [prints, prints]);
  return after;
}
