import { cp, glob, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { readChangesets } from '@changesets/read';
import { startFakeHrCloud } from '@hr/testing/fake';
import { isStale } from '../check-tarball.ts';
import { run } from '../run.ts';
import { environment } from './environment.ts';
import { startPrivateRegistry } from './private-registry.ts';
import type { PrivateRegistry } from './private-registry.ts';
import { newTeam } from './team.ts';
import type { Team } from './team.ts';

/** The place of a rehearsal. */
export interface Stage {
  /** A copy of the workspace. */
  readonly copy: string;
  readonly registry: PrivateRegistry;
  readonly team: Team;
  /** The address of a fake HR Cloud. */
  readonly serviceUrl: string;
  /** The commands of the maintainer so far. */
  readonly commands: readonly string[];
  /** Runs a command of the maintainer in the copy, and returns its output. */
  readonly maintainer: (line: string) => Promise<string>;
  /** Runs a script of a workflow in the copy, as its job does. */
  readonly job: (script: string, tag: string) => Promise<string>;
  /** Turns pending changesets into committed versions. */
  readonly giveVersions: () => Promise<void>;
  readonly releaseByHand: () => Promise<void>;
}

const INSTALL = ['install', '--offline', '--frozen-lockfile', '--ignore-scripts'];
/** What the scripts of a release need. An installation of the other workspaces would only take time. */
const INSTALLED = ['{.}', './packages/*', './tooling/release', './tooling/api-report'];
/** Many files that a release does not read. */
const OF_APPS = /^apps\/.+\/(?!package\.json$)/;
const IDENTITY = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'Maintainer'],
    [`GIT_${role}_EMAIL`, 'maintainer@example.com'],
  ]),
);

/** Copies a workspace, and starts a registry and a fake HR Cloud, until `ends` is disposed of. */
export async function openStage(workspace: string, ends: AsyncDisposableStack): Promise<Stage> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'hr-release-')));
  ends.defer(() => rm(folder, { recursive: true, force: true }));
  const copy = join(folder, 'workspace');
  const env = {
    ...environment(copy),
    npm_config_cache: join(folder, 'npm-cache'),
    // The same programs run many times.
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    pnpm_config_verify_deps_before_run: 'false',
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  await copyWorkspace(workspace, copy, { ...env, ...IDENTITY });
  const registry = await startPrivateRegistry(join(folder, 'registry'));
  ends.defer(() => registry.stop());
  const hrCloud = await startFakeHrCloud({ persons: 300, clientId: 'demo', clientSecret: 'demo-secret' });
  ends.defer(() => hrCloud.stop());

  const { publisher, reader } = registry.tokens;
  const userOf = async (name: string, npmrc: string): Promise<NodeJS.ProcessEnv> => {
    const file = join(folder, `${name}.npmrc`);
    await writeFile(file, `registry=${registry.url}\n${npmrc}`);
    return { ...env, NPM_CONFIG_USERCONFIG: file };
  };
  const maintainer = { ...(await userOf('maintainer', npmrcFor(registry.url, publisher))), ...IDENTITY };
  const secrets = { HR_REGISTRY: registry.url, HR_REGISTRY_TOKEN: publisher, GITHUB_ACTOR: 'maintainer' };
  const job = { ...(await userOf('job', '')), ...secrets };
  const commands: string[] = [];
  function type(line: string): Promise<string> {
    commands.push(line);
    return run('sh', ['-c', line], { cwd: copy, env: maintainer });
  }
  return {
    copy,
    registry,
    team: await newTeam(join(folder, 'team'), await userOf('reader', npmrcFor(registry.url, reader))),
    serviceUrl: hrCloud.url,
    commands,
    maintainer: type,
    async giveVersions() {
      if ((await readChangesets(copy)).length === 0) return;
      await type('changeset version');
      await type('git add --all && git commit --message "Release"');
    },
    async releaseByHand() {
      await type('pnpm release:pack');
      await type('pnpm release:publish');
    },
    job: (script, tag) => run(script, [tag], { cwd: copy, env: job }),
  };
}

/** The lines of an `.npmrc` that get our packages from a registry. */
export function npmrcFor(url: string, token: string): string {
  return `@hr:registry=${url}\n${url.replace('http:', '')}:_authToken=${token}\n`;
}

/**
 * Copies a workspace with its uncommitted changes and its builds, as the first commit of a repository that has an empty
 * remote.
 */
async function copyWorkspace(workspace: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const listed = (...kinds: readonly string[]): Promise<string> =>
    run('git', ['ls-files', '-z', ...kinds], { cwd: workspace });
  const deleted = new Set((await listed('--deleted')).split('\0'));
  const files = (await listed('--cached', '--others', '--exclude-standard')).split('\0');
  const options = { verbatimSymlinks: true, preserveTimestamps: true };
  await Promise.all(
    files
      .filter((file) => !deleted.has(file) && !OF_APPS.test(file))
      .map((file) => cp(join(workspace, file), join(cwd, file), options)),
  );
  for await (const build of glob('packages/*/dist', { cwd: workspace })) {
    const folder = join(workspace, build, '..');
    const filter = (path: string): boolean => !isStale(relative(folder, path), folder);
    await cp(join(workspace, build), join(cwd, build), { ...options, recursive: true, filter });
  }
  await run('git', ['init', '--quiet', '--initial-branch', 'main'], { cwd, env });
  await run('git', ['init', '--quiet', '--bare', `${cwd}.git`], { cwd, env });
  await run('git', ['remote', 'add', 'origin', `${cwd}.git`], { cwd, env });
  await run('git', ['add', '--all'], { cwd, env });
  await run('git', ['commit', '--quiet', '--message', 'Start of the rehearsal'], { cwd, env });
  const filters = INSTALLED.flatMap((filter) => ['--filter', filter]);
  await run(join(workspace, 'node_modules/.bin/pnpm'), [...INSTALL, ...filters], { cwd, env });
}
