import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readChangesets } from '@changesets/read';
import { inc } from 'semver';
import { readPackedRelease } from '../packed-release.ts';
import { publishedPackages } from '../published-packages.ts';
import { run } from '../run.ts';
import { checkAccess, metadataOf } from './check-access.ts';
import { ensureEqual } from './ensure-equal.ts';
import { openStage } from './open-stage.ts';
import type { Stage } from './open-stage.ts';
import { consumers } from './team.ts';

type Name = keyof typeof consumers;
type Versions = Readonly<Record<Name, string>>;

const names = Object.keys(consumers) as Name[];

/**
 * Rehearses releases on a copy of a workspace, with a local registry. It publishes nothing outside this machine, and
 * leaves the workspace as it is.
 *
 * @returns The commands of the maintainer.
 * @throws {Error} That says which step failed.
 */
export async function rehearse(workspace: string, report: (line: string) => void): Promise<readonly string[]> {
  const before = await stateOf(workspace);
  await using ends = new AsyncDisposableStack();
  const stage = await openStage(workspace, report, ends);
  await play(stage).catch(async (error: unknown) => {
    const warnings = (await stage.registry.log()).filter(({ level }) => level >= 40);
    throw new Error([error, 'Warnings of the registry:', ...warnings.map((one) => JSON.stringify(one))].join('\n'), {
      cause: error,
    });
  });
  const requests = (await stage.registry.log()).filter(({ uri }) => uri !== undefined);
  ensureEqual('Whether the public registry was asked for other packages', requests.length > 0, true);
  const wrong = requests.filter(({ method, uri = '' }) => method !== 'GET' || /@hr(\/|%2f)/i.test(uri));
  ensureEqual('The requests to the public registry that upload, or ask for our packages', wrong, []);
  ensureEqual('The state of the workspace', await stateOf(workspace), before);
  report('Nothing of ours left this machine, and the workspace is as it was');
  return stage.commands;
}

async function play(stage: Stage): Promise<void> {
  const first = await releaseAll(stage);
  const minor = await releaseFeature(stage, first);
  await undoRelease(stage, { good: first['@hr/schemas'], bad: minor });
  await releaseBreakingChange(stage, { ...first, '@hr/schemas': minor });
  await releaseSnapshot(stage);
  await releaseHotfix(stage, { broken: minor, client: first['@hr/client'] });
}

/** Publishes every package, and uses each alone. */
async function releaseAll(stage: Stage): Promise<Versions> {
  const { copy, registry, team, report } = stage;
  report('Release of every package');
  await giveVersions(stage);
  const versions = await versionsOf(copy);
  ensureEqual('What is published', await releaseByHand(stage), versions);
  const released = await readPackedRelease(copy);
  await Promise.all(released.map((one) => checkAccess(registry, one)));
  report('  only its users can read the registry, and only the publisher can publish');

  const projects = await Promise.all(names.map((name) => team.install(name)));
  for (const project of projects) {
    const { installs } = consumers[project.name];
    ensureEqual(`What ${project.name} installs`, Object.keys(project.versions).toSorted(), installs);
    ensureEqual(`The installed version of ${project.name}`, project.versions[project.name], versions[project.name]);
  }
  await team.typeCheck(projects);
  await team.runPrograms(projects, stage.serviceUrl);
  report('  each package alone compiles with TypeScript 6 and 7, and runs on Node.js 22 and 24');
  return versions;
}

/** A new feature of schemas reaches users of the client, which gets no new version. */
async function releaseFeature(stage: Stage, before: Versions): Promise<string> {
  const { copy, team, report, maintainer } = stage;
  report('A new feature of @hr/schemas');
  await maintainer('git switch --create feature');
  const feature = '/** Whether there was a rehearsal. */\nexport const REHEARSED = true;\n';
  await appendFile(join(copy, 'packages/schemas/src/index.ts'), feature);
  await maintainer('pnpm api:report');
  await maintainer('git commit --all --message "Rehearse a feature"');
  await ensureRefused(stage, 'pnpm changeset:check', '@hr/schemas changed since main without a changeset');
  await maintainer('pnpm changeset add --minor @hr/schemas --message "Rehearse a feature."');
  await maintainer('pnpm changeset:check');
  await maintainer('pnpm release:version');
  await maintainer('git add --all && git commit --message "Release"');
  const version = inc(before['@hr/schemas'], 'minor') ?? '';
  ensureEqual('The versions', await versionsOf(copy), { ...before, '@hr/schemas': version });

  // As if an earlier release had failed before it tagged the commit.
  const lost = `@hr/auth@${before['@hr/auth']}`;
  await run('git', ['tag', '--delete', lost], { cwd: copy });
  ensureEqual('What is published', await releaseByHand(stage), { '@hr/schemas': version });
  await run('git', ['rev-parse', '--verify', `refs/tags/${lost}`], { cwd: copy });

  const project = await team.install('@hr/client');
  ensureEqual('The version of @hr/schemas that the client gets', project.versions['@hr/schemas'], version);
  ensureEqual('The version of @hr/client', project.versions['@hr/client'], before['@hr/client']);
  const main = `import '@hr/client'; import { REHEARSED } from '@hr/schemas'; console.log(REHEARSED);`;
  const args = ['--input-type=module', '--eval', main];
  ensureEqual('The feature', await run(process.execPath, args, { cwd: project.folder }), 'true\n');
  return version;
}

/** Users stop getting a version with a mistake, and those who installed it keep it. */
async function undoRelease(
  { team, report, maintainer }: Stage,
  { good, bad }: { readonly good: string; readonly bad: string },
): Promise<void> {
  report('A release with a mistake');
  await maintainer(`npm dist-tag add @hr/schemas@${good} latest`);
  await maintainer(`npm deprecate @hr/schemas@${bad} "It has a mistake: take ${good}"`);
  const versions = await team.resolve('@hr/client');
  ensureEqual('The version of @hr/schemas that the client gets', versions['@hr/schemas'], good);
}

/** A breaking change of schemas gives the packages that depend on it a new major version. */
async function releaseBreakingChange(stage: Stage, before: Versions): Promise<void> {
  const { copy, team, report, maintainer, job } = stage;
  report('A breaking change of @hr/schemas');
  await maintainer('pnpm changeset add --major @hr/schemas --message "Rehearse a breaking change."');
  await ensureRefused(stage, 'pnpm changeset:check', '@hr/schemas has a breaking change, and @hr/client depends on it');
  await maintainer('git clean --force --quiet .changeset');
  await maintainer('pnpm changeset add --major @hr/schemas,@hr/client,@hr/testing --message "Rehearse a breakage."');
  await maintainer('pnpm changeset:check');
  await giveVersions(stage);
  const major = (name: Name): string => inc(before[name], 'major') ?? '';
  const expected = {
    '@hr/client': major('@hr/client'),
    '@hr/schemas': major('@hr/schemas'),
    '@hr/testing': major('@hr/testing'),
  };
  ensureEqual('The versions', await versionsOf(copy), { ...before, ...expected });
  await job('.ci/release', 'latest');
  ensureEqual('What is published', await packedVersions(stage), expected);
  const tags = await run('git', ['ls-remote', '--tags', '--refs', 'origin'], { cwd: copy });
  const pushed = Object.entries({ ...before, ...expected }).map(([name, version]) => `refs/tags/${name}@${version}`);
  ensureEqual(
    'The missing git tags',
    pushed.filter((tag) => !tags.includes(tag)),
    [],
  );
  const versions = await team.resolve('@hr/client');
  ensureEqual('The version of @hr/schemas that the client gets', versions['@hr/schemas'], expected['@hr/schemas']);
}

/** Only those who name the snapshot of a pull request get it. */
async function releaseSnapshot(stage: Stage): Promise<void> {
  const { registry, team, report, maintainer, job } = stage;
  report('A snapshot of a pull request');
  const latest = async (): Promise<unknown> =>
    Promise.all(names.map(async (name) => (await metadataOf(registry, name))['dist-tags']['latest']));
  const before = await latest();
  await maintainer('pnpm changeset add --patch @hr/client,@hr/schemas --message "Rehearse a snapshot."');
  await job('.ci/snapshot', 'pr-12');
  const published = await packedVersions(stage);
  ensureEqual('The snapshots', Object.keys(published).toSorted(), ['@hr/client', '@hr/schemas']);
  ensureEqual('The versions that latest points to', await latest(), before);
  const versions = await team.resolve('@hr/client@pr-12');
  const got = { '@hr/schemas': versions['@hr/schemas'], '@hr/client': versions['@hr/client'] };
  ensureEqual('The snapshots that a team gets', got, published);
  await maintainer('git reset --hard && git clean --force -d');
}

/** A fix of an old major version reaches its users, and `latest` stays. */
async function releaseHotfix(
  stage: Stage,
  { broken, client }: { readonly broken: string; readonly client: string },
): Promise<void> {
  const { registry, team, report, maintainer, job } = stage;
  report('A fix of the previous major version');
  const before = (await metadataOf(registry, '@hr/schemas'))['dist-tags']['latest'];
  await maintainer(`git switch --create hotfix @hr/schemas@${broken}`);
  await maintainer('pnpm changeset add --patch @hr/schemas --message "Rehearse a fix."');
  await giveVersions(stage);
  const fixed = inc(broken, 'patch') ?? '';
  await ensureRefused(stage, 'pnpm release:pack', 'latest of @hr/schemas would go back');
  await job('.ci/release', 'latest-1');
  ensureEqual('What is published', await packedVersions(stage), { '@hr/schemas': fixed });
  const after = (await metadataOf(registry, '@hr/schemas'))['dist-tags'];
  ensureEqual('The dist-tags', [after['latest'], after['latest-1']], [before, fixed]);
  const versions = await team.resolve(`@hr/client@${client}`);
  ensureEqual('The version of @hr/schemas that the old client gets', versions['@hr/schemas'], fixed);
}

/** Turns pending changesets into committed versions. The API was checked with the first release. */
export async function giveVersions({ copy, maintainer }: Stage): Promise<void> {
  if ((await readChangesets(copy)).length === 0) return;
  await maintainer('changeset version');
  await maintainer('git add --all && git commit --message "Release"');
}

export async function releaseByHand(stage: Stage): Promise<Readonly<Record<string, string>>> {
  await stage.maintainer('pnpm release:pack');
  await stage.maintainer('pnpm release:publish');
  return packedVersions(stage);
}

/** The versions that the last release published, by name. */
async function packedVersions({ copy, registry, report }: Stage): Promise<Readonly<Record<string, string>>> {
  const released = await readPackedRelease(copy);
  for (const { name, version, tag } of released) {
    // oxlint-disable-next-line no-await-in-loop -- a few packages
    const { 'dist-tags': tags } = await metadataOf(registry, name);
    ensureEqual(`The version of ${name} that ${tag} points to`, tags[tag], version);
    report(`  ${name}@${version} is published as ${tag}`);
  }
  return Object.fromEntries(released.map(({ name, version }) => [name, version]));
}

async function ensureRefused({ maintainer }: Stage, line: string, reason: string): Promise<void> {
  const output = await maintainer(line).catch(String);
  if (!output.includes(reason)) throw new Error(`${line} must be refused because "${reason}", and was not: ${output}`);
}

async function versionsOf(workspace: string): Promise<Versions> {
  const packages = await publishedPackages(workspace);
  const versions = Object.fromEntries(packages.map(({ manifest: { name, version } }) => [name, version]));
  ensureEqual('The published packages', Object.keys(versions).toSorted(), names);
  return versions as Versions;
}

/** What a release changes in a workspace. Other tests may write other files meanwhile. */
async function stateOf(cwd: string): Promise<readonly string[]> {
  const files = ['.changeset', 'packages/*/package.json', 'packages/*/CHANGELOG.md', 'package.json', 'pnpm-lock.yaml'];
  const git = (...args: readonly string[]): Promise<string> => run('git', args, { cwd });
  return Promise.all([
    git('rev-parse', 'HEAD'),
    git('tag'),
    git('diff', 'HEAD', '--', ...files),
    git('ls-files', '--others', '--', ...files),
  ]);
}
