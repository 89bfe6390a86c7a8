import { canIDeploy } from '../broker/can-i-deploy.ts';
import { publishPacts } from '../broker/publish-pacts.ts';
import { recordDeployment } from '../broker/record-deployment.ts';
import { canIDeployOffline } from '../deploy/can-i-deploy-offline.ts';
import { recordDeploymentOffline } from '../deploy/record-deployment-offline.ts';
import type { Release } from '../deploy/release.ts';
import { driftText } from '../drift/drift-text.ts';
import { expectNoDrift } from '../drift/expect-no-drift.ts';
import { usage, UsageError } from './read-arguments.ts';
import type { Task } from './read-arguments.ts';

/** What the program can do; each gives what to say once it is done. */
export const commands = {
  async drift({ neededPacts }: Task): Promise<string> {
    const { notes, unheld } = await expectNoDrift({ pacts: neededPacts() });
    return [
      'The contracts are what the API says.',
      ...(notes.length > 0 ? [`To know:\n${driftText(notes)}`] : []),
      ...(unheld.length > 0 ? [`What the API says of used fields, and no matcher holds:\n${driftText(unheld)}`] : []),
    ].join('\n\n');
  },

  async publish({ neededPacts, needed, knowledge }: Task): Promise<string> {
    const publication = { pacts: neededPacts(), version: needed('version'), branch: needed('branch') };
    const known = knowledge();
    if (!('broker' in known)) throw new UsageError('publish needs a broker: without one, commit the contracts.');
    await publishPacts({ broker: known.broker, ...publication });
    return `The contracts of version ${publication.version} are published.`;
  },

  async 'can-i-deploy'(task: Task): Promise<string> {
    const release = releaseOf(task);
    const known = task.knowledge();
    await ('broker' in known ? canIDeploy({ ...known, ...release }) : canIDeployOffline({ ...known, ...release }));
    return `${nameOf(release)} may be deployed to ${release.environment}.`;
  },

  async 'record-deployment'(task: Task): Promise<string> {
    const release = releaseOf(task);
    const known = task.knowledge();
    await ('broker' in known
      ? recordDeployment({ ...known, ...release })
      : recordDeploymentOffline({ ...known, ...release }));
    return `${nameOf(release)} is recorded as deployed to ${release.environment}.`;
  },

  async help(): Promise<string> {
    return usage.trimEnd();
  },
};

function releaseOf({ needed, pacts }: Task) {
  const [participant, version, environment] = [needed('participant'), needed('version'), needed('environment')];
  return { participant, version, environment, pacts };
}

function nameOf({ participant, version }: Release): string {
  return `${participant} ${version}`;
}
