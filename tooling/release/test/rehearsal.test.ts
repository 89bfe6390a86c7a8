import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inc } from 'semver';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { publishedPackages } from '../src/published-packages.ts';
import { openStage, type Stage } from '../src/rehearsal/open-stage.ts';
import type { Versions } from '../src/rehearsal/team.ts';
import { run } from '../src/run.ts';
import { runWorkflow } from './run-workflow.ts';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));
/** For each published package, what an installation contains that follows its README. */
const installations = {
  '@hr/auth': ['@hr/auth', 'oauth4webapi'],
  '@hr/client': ['@hr/auth', '@hr/client', '@hr/schemas', 'ky', 'oauth4webapi', 'zod'],
  '@hr/schemas': ['@hr/schemas', 'zod'],
  '@hr/testing': ['@hr/schemas', '@hr/testing', 'zod'],
};
const names = Object.keys(installations);
// Each job installs and builds the workspace.
vi.setConfig({ testTimeout: 900_000 });

const ends = new AsyncDisposableStack();
let stage: Stage;
let before: string;
/** What the maintainer's command printed. */
let packed: string;
/** The versions on `latest` of the main branch. */
let current: Versions;

beforeAll(async () => {
  before = await stateOf(workspace);
  stage = await openStage(workspace, ends);
});
afterAll(() => ends.disposeAsync());

test('every package is packed and checked', async () => {
  await stage.giveVersions();
  current = await versionsOf(stage.copy);
  // Apps and tooling are private.
  expect(Object.keys(current)).toEqual(names);
  packed = await stage.maintainer('pnpm release:pack');
  // Each tarball was checked.
  expect(packed.match(/@hr\/.+: \d+ files/g)).toHaveLength(names.length);
});

test('the workflow publishes and tags the same files, and only users of the registry get them', async () => {
  const list = await runWorkflow(stage, 'release.yml', 'main');
  // The same source makes the same files: elsewhere and later, with other permissions and in another time zone.
  expect(packed).toContain(`\n${list}\n`);
  expect(await tagged('latest')).toEqual(current);
  const files = list.split('\n').map((line) => line.split(' ') as [string, string, string]);
  const kinds = files.map(([, file]) => /\.(?:tgz|cdx\.json)$/.exec(file)?.[0]);
  expect(kinds).toEqual(names.flatMap(() => ['.tgz', '.cdx.json']));
  for (const [integrity, file, id] of files) {
    const [name, version] = [id.slice(0, id.lastIndexOf('@')), id.slice(id.lastIndexOf('@') + 1)];
    expect(version).toBe(current[name]);
    // oxlint-disable-next-line no-await-in-loop -- there are few
    if (file.endsWith('.tgz')) await checkAccess(name, version, integrity);
  }
  const tags = await stage.maintainer('git ls-remote --tags origin');
  for (const name of names) expect(tags).toContain(`refs/tags/${name}@${current[name]}\n`);
});

test('every package works alone', async () => {
  const { copy, team, serviceUrl } = stage;
  const projects = await team.followReadmes(copy, serviceUrl);
  const contents = projects.map(({ name, versions }) => [name, Object.keys(versions).toSorted()]);
  expect(Object.fromEntries(contents)).toEqual(installations);
  await team.typeCheckInNode(projects.map(({ folder }) => folder));
  // Each alone, because a package can declare globals that another one lacks.
  for (const { folder, name, output, versions } of projects) {
    expect(versions[name]).toBe(current[name]);
    // oxlint-disable no-await-in-loop -- there are few processors
    await team.typeCheck(folder);
    expect(await team.runProgram('node', folder)).toBe(output);
    expect(await team.runProgram('node-22', folder)).toBe(output);
    const sbom = join(copy, 'dist/release', `hr-${name.slice('@hr/'.length)}-${current[name]}.cdx.json`);
    const { components } = JSON.parse(await readFile(sbom, 'utf8')) as {
      readonly components: { readonly purl: string }[];
    };
    const listed = components.map(({ purl }) =>
      decodeURIComponent(purl.slice('pkg:npm/'.length, purl.lastIndexOf('@'))),
    );
    expect(Object.keys(versions)).toEqual(expect.arrayContaining(listed));
  }
});

test('a feature of schemas needs a changeset, and reaches users of the client without a release of it', async () => {
  const { copy, team, maintainer } = stage;
  await maintainer('git switch --create feature');
  // The types stay, so that the check of the API has little to do.
  await appendFile(join(copy, 'packages/schemas/src/checks.ts'), 'Object.assign(globalThis, { REHEARSED: true });\n');
  await maintainer('git commit --all --message "Rehearse a feature"');
  await expect(maintainer('pnpm changeset:check')).rejects.toThrow(
    '@hr/schemas changed since main without a changeset',
  );
  await maintainer('pnpm changeset add --minor @hr/schemas --message "Rehearse a feature."');
  await maintainer('pnpm changeset:check');
  await maintainer('pnpm release:version');
  await maintainer('git add --all && git commit --message "Release"');
  const minor = { '@hr/schemas': inc(current['@hr/schemas'] ?? '', 'minor') ?? '' };
  expect(await versionsOf(copy)).toEqual({ ...current, ...minor });

  // As if an earlier release had failed before it tagged the commit.
  const lost = `@hr/auth@${current['@hr/auth']}`;
  await maintainer(`git fetch --tags && git tag --delete ${lost} && git push --delete origin ${lost}`);
  await maintainer('pnpm release:publish');
  expect(await tagged('latest')).toEqual({ ...current, ...minor });

  const { folder, versions } = await team.npmInstall('@hr/client');
  expect(versions).toEqual({
    '@hr/client': current['@hr/client'],
    ...minor,
    ky: expect.any(String),
    zod: expect.any(String),
  });
  await writeFile(join(folder, 'program.ts'), "import '@hr/client'; console.log('REHEARSED' in globalThis);");
  await team.typeCheck(folder);
  expect(await team.runProgram('node', folder)).toBe('true\n');
});

test('users no longer get a version with a mistake', async () => {
  const { copy, maintainer } = stage;
  const good = current['@hr/schemas'];
  current = await versionsOf(copy);
  const bad = current['@hr/schemas'];
  await maintainer(`npm dist-tag add @hr/schemas@${good} latest`);
  await maintainer(`npm deprecate @hr/schemas@${bad} "It has a mistake: take ${good}"`);
  expect(await resolve('@hr/client')).toMatchObject({ '@hr/schemas': good });
});

test('a breaking change of schemas gives the packages that depend on it a new major version', async () => {
  const { copy, maintainer } = stage;
  const broken = names.filter((name) => name !== '@hr/auth');
  await maintainer(`pnpm changeset add --major ${broken.join(',')} --message "Rehearse a breakage."`);
  await maintainer('pnpm changeset:check');
  await stage.giveVersions();
  const major = Object.fromEntries(broken.map((name) => [name, inc(current[name] ?? '', 'major')]));
  expect(await versionsOf(copy)).toEqual({ ...current, ...major });
  await maintainer('pnpm release:publish');
  expect(await tagged('latest')).toEqual({ ...current, ...major });
  const tags = await run('git', ['ls-remote', '--tags', 'origin'], { cwd: copy });
  for (const [name, version] of Object.entries({ ...current, ...major }))
    expect(tags).toContain(`${name}@${version}\n`);
  expect(await resolve('@hr/client')).toMatchObject({ '@hr/schemas': major['@hr/schemas'] });
});

test('the workflow publishes a snapshot of each package with a changeset', async () => {
  const { maintainer } = stage;
  await maintainer('git switch --create snapshot');
  await maintainer('pnpm changeset add --patch @hr/client,@hr/schemas --message "Rehearse a snapshot."');
  await maintainer('git add --all && git commit --message "Rehearse a snapshot"');
  await runWorkflow(stage, 'snapshot.yml', 'snapshot');
  expect(Object.keys(await tagged('pr-13')).toSorted()).toEqual(['@hr/client', '@hr/schemas']);
});

test('only those who name the snapshot of a pull request get it', async () => {
  const { registry, maintainer } = stage;
  const latest = await tagged('latest');
  await maintainer('pnpm release:snapshot pr-12');
  const snapshots = await tagged('pr-12');
  expect(Object.keys(snapshots).toSorted()).toEqual(['@hr/client', '@hr/schemas']);
  expect(await tagged('latest')).toEqual(latest);
  expect(await resolve('@hr/client@pr-12')).toMatchObject(snapshots);
  // A range would match the snapshots of other pull requests.
  const { versions } = await registry.metadataOf('@hr/client');
  expect(versions[snapshots['@hr/client'] ?? '']?.dependencies?.['@hr/schemas']).toBe(snapshots['@hr/schemas']);
  await maintainer('git reset --hard && git clean --force -d');
});

test('a fix reaches users of the previous major version, and latest stays', async () => {
  const { maintainer } = stage;
  const latest = await tagged('latest');
  await maintainer(`git switch --create hotfix @hr/schemas@${current['@hr/schemas']}`);
  await maintainer('pnpm changeset add --patch @hr/schemas --message "Rehearse a fix."');
  await stage.giveVersions();
  await expect(maintainer('pnpm release:publish')).rejects.toThrow('latest of @hr/schemas would go back');
  await maintainer('pnpm release:publish --tag latest-1');
  const fixed = { '@hr/schemas': inc(current['@hr/schemas'] ?? '', 'patch') ?? '' };
  expect(await tagged('latest-1')).toEqual(fixed);
  expect(await tagged('latest')).toEqual(latest);
  expect(await resolve(`@hr/client@${current['@hr/client']}`)).toMatchObject(fixed);
});

test('the checksums of pnpm are those of the registry', async () => {
  const { maintainer } = stage;
  await maintainer('npm install --prefix .ci/pnpm --package-lock-only --omit-lockfile-registry-resolved');
  expect(await maintainer('git diff .ci')).toBe('');
});

test('the workspace stays as it is', async () => {
  expect(await stateOf(workspace)).toBe(before);
});

test('each command of the page on releasing was run', async () => {
  const page = await readFile(join(workspace, 'docs/releasing.md'), 'utf8');
  const shown = Array.from(page.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = '']) => block).join('\n');
  const ran = commandsOf(stage.commands.join('\n'));
  expect(ran).toEqual(expect.arrayContaining(commandsOf(shown)));
});

/** The pnpm and npm commands of a text, without tags, versions and messages, which differ each time. */
function commandsOf(text: string): string[] {
  const lines = text.split(/\n| && /).map((line) => line.replace(/ +#.*/, ''));
  const commands = lines.filter((line) => /^(pnpm|npm) /.test(line));
  return commands.map((line) =>
    line
      .replace(/(--tag|release:snapshot) \S+/, '$1 TAG')
      .replaceAll(/\d+\.\d+\.\d+/g, 'VERSION')
      .replace(/(changeset add --\w+) @hr\S+/, '$1 @hr/…')
      .replace(/"[^"]*"/, '"…"'),
  );
}

/** Users get the tarball that was checked. Others get nothing. */
async function checkAccess(name: string, version: string, integrity: string): Promise<void> {
  const { dist } = (await stage.registry.metadataOf(name)).versions[version] ?? {};
  expect(dist?.['integrity']).toBe(integrity);
  const address = `${stage.registry.url}${name}`;
  const anonymous = await Promise.all([
    fetch(address),
    fetch(dist?.['tarball'] ?? ''),
    fetch(address, { method: 'PUT' }),
  ]);
  expect(anonymous.map(({ status }) => status)).toEqual([401, 401, 401]);
}

/** The versions that a dist-tag points to, by the names of their packages. */
async function tagged(tag: string): Promise<Versions> {
  const all = await Promise.all(names.map(async (name) => (await stage.registry.metadataOf(name))['dist-tags'][tag]));
  return Object.fromEntries(names.flatMap((name, index) => (all[index] ? [[name, all[index]]] : [])));
}

/** The versions that an installation of a package would contain. */
async function resolve(specifier: string): Promise<Versions> {
  return (await stage.team.npmInstall('--package-lock-only', specifier)).versions;
}

async function versionsOf(folder: string): Promise<Versions> {
  const packages = await publishedPackages(folder);
  return Object.fromEntries(packages.map(({ packageJson: { name, version } }) => [name, version]));
}

/** What a release changes in a workspace. Other tests may write other files meanwhile. */
function stateOf(cwd: string): Promise<string> {
  const files = '.changeset package.json pnpm-lock.yaml "packages/*/package.json" "packages/*/CHANGELOG.md"';
  return run('sh', ['-c', `git tag && git diff HEAD -- ${files}`], { cwd });
}
