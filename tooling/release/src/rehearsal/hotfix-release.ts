import { ensureEqual } from './ensure.ts';
import { ensureRefused } from './ensure-refused.ts';
import { giveVersions } from './give-versions.ts';
import { nextVersion } from './next-version.ts';
import { metadataOf } from './registry-access.ts';
import { releaseByWorkflow } from './release.ts';
import type { Stage } from './stage.ts';

/** A fix of a former major version reaches who is still on it, and `latest` stays where it is. */
export async function rehearseHotfix(
  stage: Stage,
  { broken, client }: { readonly broken: string; readonly client: string },
): Promise<void> {
  const { registry, team, report, maintainer } = stage;
  report('A fix of the major version before');
  const latest = async (): Promise<unknown> => (await metadataOf(registry, '@hr/schemas'))['dist-tags']['latest'];
  const before = await latest();
  await maintainer(`git switch --create hotfix @hr/schemas@${broken}`);
  await maintainer('pnpm changeset add --patch @hr/schemas --message "Rehearse a fix."');
  await giveVersions(stage);
  const fixed = nextVersion(broken, 'patch');
  await ensureRefused(stage, 'pnpm release:pack', 'and would go back to');
  const published = await releaseByWorkflow(stage, 'release', { "inputs.tag || 'latest'": 'latest-1' });
  ensureEqual('What is published', published, { '@hr/schemas': fixed });
  ensureEqual('What latest points to', await latest(), before);
  const { versions } = await team.install(`@hr/client@${client}`);
  ensureEqual('The version of @hr/schemas that the client before gets', versions['@hr/schemas'], fixed);
}
