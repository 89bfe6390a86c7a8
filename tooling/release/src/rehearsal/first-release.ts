import { NEVER_RELEASED } from '../published-packages.ts';
import { run } from '../run.ts';
import { ensureEqual } from './ensure.ts';
import { giveVersions } from './give-versions.ts';
import { packageNames } from './programs.ts';
import { releaseByWorkflow } from './release.ts';
import type { Stage } from './stage.ts';
import { useAlone } from './use-alone.ts';
import { versionsOf } from './versions-of.ts';
import type { Versions } from './versions-of.ts';

/** Releases all that is published, and lets teams use each package alone. */
export async function rehearseFirstRelease(stage: Stage): Promise<Versions> {
  const { copy, report } = stage;
  report('Release day');
  const before = await versionsOf(copy);
  await giveVersions(stage);
  const versions = await versionsOf(copy);
  for (const name of packageNames) {
    if (before[name] === NEVER_RELEASED) ensureEqual(`The first version of ${name}`, versions[name], '1.0.0');
  }

  const published = await releaseByWorkflow(stage, 'release', { "inputs.tag || 'latest'": 'latest' });
  ensureEqual('What is published', published, versions);
  const tags = await run('git', ['ls-remote', '--tags', '--refs', 'origin'], { cwd: copy });
  const expected = packageNames.map((name) => `refs/tags/${name}@${versions[name]}`);
  ensureEqual('The tags that are pushed', tags.match(/refs.*/g)?.toSorted(), expected.toSorted());
  /* oxlint-disable no-await-in-loop -- each does two things at once, as many as there are processors */
  for (const name of packageNames) {
    const project = await stage.team.install(name);
    await useAlone(stage, name, project);
    ensureEqual(`The installed version of ${name}`, project.versions[name], versions[name]);
  }
  /* oxlint-enable no-await-in-loop */
  return versions;
}
