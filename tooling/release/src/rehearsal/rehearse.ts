import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../run.ts';
import { startDemo } from './demo.ts';
import { ensureEqual } from './ensure.ts';
import { environment } from './environment.ts';
import { rehearseFirstRelease } from './first-release.ts';
import { rehearseHotfix } from './hotfix-release.ts';
import { rehearseMajorRelease } from './major-release.ts';
import { rehearseMinorRelease } from './minor-release.ts';
import { startPrivateRegistry } from './private-registry.ts';
import type { PrivateRegistry } from './private-registry.ts';
import { rehearseSnapshot } from './snapshot-release.ts';
import { newTeam } from './team.ts';
import { rehearseUndo } from './undo-release.ts';
import { copyWorkspace } from './workspace-copy.ts';

/**
 * Rehearses releases on a copy of a workspace, with a registry of its own: nothing leaves this machine, and the
 * workspace stays as it is.
 *
 * @returns The lines that a maintainer typed.
 * @throws {Error} That says which step failed.
 */
export async function rehearse(workspace: string, report: (line: string) => void): Promise<readonly string[]> {
  const before = await stateOf(workspace);
  await using ends = new AsyncDisposableStack();
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

  const typed: string[] = [];
  const publisher = { ...env, ...(await signedIn(folder, registry, 'publisher')) };
  const stage = {
    copy,
    registry,
    team: await newTeam(join(folder, 'team'), { ...env, ...(await signedIn(folder, registry, 'reader')) }),
    serviceUrl: demo.url,
    report,
    maintainer(line: string) {
      typed.push(line);
      return run('sh', ['-c', line], { cwd: copy, env: publisher });
    },
  };
  const first = await rehearseFirstRelease(stage);
  const minor = await rehearseMinorRelease(stage);
  await rehearseUndo(stage, { good: first['@hr/schemas'], bad: minor['@hr/schemas'] });
  await rehearseMajorRelease(stage);
  await rehearseSnapshot(stage);
  await rehearseHotfix(stage, { broken: minor['@hr/schemas'], client: minor['@hr/client'] });

  await checkRequestsBehind(registry);
  ensureEqual('The workspace', await stateOf(workspace), before);
  report('Nothing of ours left this machine, and the workspace is as it was');
  return typed;
}

/** The environment of somebody who is signed in at the registry. */
async function signedIn(
  folder: string,
  { url, tokens }: PrivateRegistry,
  user: 'publisher' | 'reader',
): Promise<NodeJS.ProcessEnv> {
  const file = join(folder, `${user}.npmrc`);
  const host = url.replace('http:', '');
  await writeFile(file, `registry=${url}\n@hr:registry=${url}\n${host}:_authToken=\${HR_REGISTRY_TOKEN}\n`);
  return { NPM_CONFIG_USERCONFIG: file, HR_REGISTRY_TOKEN: tokens[user] };
}

/** Checks that the registry behind was asked for other people's packages, and given nothing. */
async function checkRequestsBehind(registry: PrivateRegistry): Promise<void> {
  const requests = await registry.requestsBehind();
  ensureEqual('What was asked of the registry behind for other packages', requests.length > 0, true);
  const wrong = requests.filter(({ method, url }) => method !== 'GET' || /@hr(\/|%2f)/i.test(url));
  ensureEqual('What the registry behind was given, or asked of ours', wrong, []);
}

/** What a release changes in a workspace. */
async function stateOf(cwd: string): Promise<string[]> {
  const paths = ['.changeset', 'packages/*/package.json', 'packages/*/CHANGELOG.md', 'package.json', 'pnpm-lock.yaml'];
  const args = [['status', '--porcelain', '--', ...paths], ['diff', '--', ...paths], ['tag'], ['rev-parse', 'HEAD']];
  return Promise.all(args.map((one) => run('git', one, { cwd })));
}
