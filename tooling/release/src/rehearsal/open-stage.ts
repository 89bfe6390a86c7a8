import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../run.ts';
import { startDemo } from './demo.ts';
import { environment } from './environment.ts';
import { startPrivateRegistry } from './private-registry.ts';
import type { PrivateRegistry } from './private-registry.ts';
import type { Stage } from './stage.ts';
import { newTeam } from './team.ts';
import { runWorkflowJob } from './workflow-job.ts';
import { copyWorkspace } from './workspace-copy.ts';

/** A copy of a workspace, an empty registry, a running HR Cloud and a team, until `ends` is disposed of. */
export async function openStage(
  workspace: string,
  report: (line: string) => void,
  ends: AsyncDisposableStack,
): Promise<Stage> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'hr-release-')));
  ends.defer(() => rm(folder, { recursive: true, force: true }));
  const copy = join(folder, 'workspace');
  const env = {
    ...environment(copy),
    npm_config_cache: join(folder, 'npm-cache'),
    // The same programs run many times.
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  };
  await copyWorkspace(workspace, copy, env);
  report('The workspace is copied and installed');
  const registry = await startPrivateRegistry(join(folder, 'registry'));
  ends.defer(() => registry.stop());
  report(`A private registry answers on ${registry.url}`);
  const demo = await startDemo(copy);
  ends.defer(() => demo.stop());
  report(`The HR Cloud answers on ${demo.url}`);

  const publisher = { ...env, ...(await signedIn(folder, registry, 'publisher')) };
  const reader = { ...env, ...(await signedIn(folder, registry, 'reader')) };
  const job = { ...env, ...(await signedOut(folder, registry)), GITHUB_ACTOR: 'maintainer' };
  const commands: string[] = [];
  return {
    copy,
    registry,
    team: await newTeam(join(folder, 'team'), reader),
    serviceUrl: demo.url,
    commands,
    report,
    maintainer(line) {
      commands.push(line);
      return run('sh', ['-c', line], { cwd: copy, env: publisher });
    },
    async workflow(name, values) {
      const expressions = {
        'vars.HR_REGISTRY': registry.url,
        'secrets.HR_REGISTRY_TOKEN': registry.tokens.publisher,
        "vars.HR_REGISTRY_PROVENANCE || 'false'": 'false',
        ...values,
      };
      commands.push(...(await runWorkflowJob(copy, name, { expressions, env: job })));
    },
  };
}

/** The environment of somebody who is signed in at the registry. */
async function signedIn(
  folder: string,
  { url, tokens }: PrivateRegistry,
  user: keyof PrivateRegistry['tokens'],
): Promise<NodeJS.ProcessEnv> {
  const file = join(folder, `${user}.npmrc`);
  await writeFile(file, `registry=${url}\n${npmrcFor(url, `\${HR_REGISTRY_TOKEN}`)}`);
  return { NPM_CONFIG_USERCONFIG: file, HR_REGISTRY_TOKEN: tokens[user] };
}

async function signedOut(folder: string, { url }: PrivateRegistry): Promise<NodeJS.ProcessEnv> {
  const file = join(folder, 'job.npmrc');
  await writeFile(file, `registry=${url}\n`);
  return { NPM_CONFIG_USERCONFIG: file };
}

/** What of an `.npmrc` gets our packages from a registry. */
export function npmrcFor(url: string, token: string): string {
  return `@hr:registry=${url}\n${url.replace('http:', '')}:_authToken=${token}\n`;
}
