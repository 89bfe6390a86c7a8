import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { readChangesets } from '@changesets/read';
import { startFakeHrCloud } from '@hr/testing/fake';
import { isStale } from '../check-tarball.ts';
import { run } from '../run.ts';
import { environment } from './environment.ts';
import { startPrivateRegistry } from './private-registry.ts';
import { newTeam } from './team.ts';

/** The place of a rehearsal. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Copies the files that git knows or would add, by another index. A release reads nothing but the manifest of an app. */
const COPY_FILES = `
  cp "$(git rev-parse --git-path index)" "$0.index"
  export GIT_INDEX_FILE="$0.index"
  git add --all
  git archive "$(git write-tree)" . ':(exclude,glob)apps/*/*/**' | tar -x -C "$0"
`;
const START = `
  git init --quiet --bare "$0"
  git init --quiet --initial-branch main
  git remote add origin "$0"
  git config user.name Maintainer
  git config user.email maintainer@example.com
  git add --all
  git commit --quiet --message 'Start of the rehearsal'
`;
/** What the scripts of a release need. An installation of the other workspaces would only take time. */
const INSTALLED = ['{.}', './packages/*', './tooling/release', './tooling/api-report'];

/** Copies a workspace, and starts a registry and a fake HR Cloud, until `ends` is disposed of. */
export async function openStage(workspace: string, ends: AsyncDisposableStack) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'hr-release-')));
  ends.defer(() => rm(folder, { recursive: true, force: true }));
  const copy = join(folder, 'workspace');
  const registry = await startPrivateRegistry(join(folder, 'registry'), ends);
  const hrCloud = await startFakeHrCloud({ persons: 300, clientId: 'demo', clientSecret: 'demo-secret' });
  ends.defer(() => hrCloud.stop());
  const npmrc = join(folder, 'npmrc');
  const signIn = `@hr:registry=${registry.url}\n${registry.url.replace('http:', '')}:_authToken=${registry.token}\n`;
  await writeFile(npmrc, `registry=${registry.url}\n${signIn}`);
  const common = {
    npm_config_cache: join(folder, 'npm-cache'),
    npm_config_update_notifier: 'false',
    // The same programs run many times.
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    pnpm_config_verify_deps_before_run: 'false',
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  const env = { ...environment(copy), ...common, NPM_CONFIG_USERCONFIG: npmrc };
  await copyWorkspace(workspace, copy, env);
  /** The commands of the maintainer so far. */
  const commands: string[] = [];
  /** Runs a command of the maintainer in the copy, and returns its output. */
  function maintainer(line: string): Promise<string> {
    commands.push(line);
    return run('sh', ['-c', line], { cwd: copy, env });
  }
  return {
    folder,
    copy,
    /** The part of the environment that does not depend on who runs a command. */
    common,
    registry,
    team: await newTeam(join(folder, 'team'), env),
    /** The address of a fake HR Cloud. */
    serviceUrl: hrCloud.url,
    commands: commands as readonly string[],
    maintainer,
    /** How npm signs in. */
    signIn,
    /** Turns pending changesets into committed versions. */
    async giveVersions() {
      if ((await readChangesets(copy)).length === 0) return;
      await maintainer('changeset version');
      await maintainer('git add --all && git commit --message "Release"');
    },
  };
}

/** Copies a workspace with its uncommitted changes and its builds, as the first commit of a repository with a remote. */
async function copyWorkspace(workspace: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  await mkdir(cwd);
  await run('sh', ['-euc', COPY_FILES, cwd], { cwd: workspace });
  for (const build of globSync('packages/*/dist', { cwd: workspace })) {
    const folder = join(workspace, build, '..');
    const filter = (path: string): boolean => !isStale(relative(folder, path), folder);
    // oxlint-disable-next-line no-await-in-loop -- small folders
    await cp(join(workspace, build), join(cwd, build), { recursive: true, filter });
  }
  await run('sh', ['-euc', START, `${cwd}.git`], { cwd, env });
  const filters = INSTALLED.flatMap((filter) => ['--filter', filter]);
  const pnpm = join(workspace, 'node_modules/.bin/pnpm');
  await run(pnpm, ['install', '--offline', '--frozen-lockfile', ...filters], { cwd, env });
}
