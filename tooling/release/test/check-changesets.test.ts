import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { environment } from '../src/rehearsal/environment.ts';
import { attempt, run } from '../src/run.ts';

const program = fileURLToPath(new URL('../src/check-changesets.ts', import.meta.url));

let workspace: string;

beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'hr-changesets-'));
  await write('packages/auth/package.json', JSON.stringify({ name: '@hr/auth', version: '1.2.0' }));
  await write('packages/auth/src/index.ts', '');
  await write('packages/client/package.json', JSON.stringify({ name: '@hr/client', version: '1.0.0', ...ranges }));
  await write('pnpm-workspace.yaml', catalog('^2.1.0', '^5.0.0', '^4.0.0'));
  await write('packages/young/package.json', JSON.stringify({ name: '@hr/young', version: '0.0.0' }));
  await write('apps/service/package.json', JSON.stringify({ name: 'service', private: true }));
  await write('.changeset/earlier.md', changeset('@hr/auth', '@hr/young'));
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('config', 'user.name', 'Test');
  await git('config', 'user.email', 'test@example.com');
  await commit();
  await git('switch', '--quiet', '--create', 'change');
});
afterEach(() => rm(workspace, { recursive: true }));

const env = environment(tmpdir());
const git = (...args: readonly string[]): Promise<string> => run('git', args, { cwd: workspace, env });

async function commit(): Promise<void> {
  await git('add', '--all');
  await git('-c', 'commit.gpgSign=false', 'commit', '--quiet', '--message', 'Change something');
}

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(workspace, name)), { recursive: true });
  await writeFile(join(workspace, name), text);
}

function changeset(...names: readonly string[]): string {
  return `---\n${names.map((name) => `'${name}': patch\n`).join('')}---\n\nSomething.\n`;
}

const ranges = {
  dependencies: { '@hr/auth': 'workspace:^', ky: 'catalog:' },
  peerDependencies: { vitest: 'catalog:' },
  devDependencies: { zod: 'catalog:' },
};

function catalog(ky: string, vitest: string, zod: string): string {
  return `catalog:\n  ky: ${ky}\n  vitest: ${vitest}\n  zod: ${zod}\n`;
}

const passes = { succeeded: true, stderr: '' };
const misses = (names: string): object => ({
  succeeded: false,
  stderr:
    `${names} changed since main without a changeset. Say what it means for their users: pnpm changeset; ` +
    `or that it means nothing, and why: pnpm changeset add --empty --message "${names}: …"\n`,
});

async function check(): Promise<object> {
  const { succeeded, stderr } = await attempt(process.execPath, [program], { cwd: workspace, env });
  return { succeeded, stderr };
}

test('nothing has changed', async () => {
  expect(await check()).toEqual(passes);
});

test('each package that changed needs a changeset of its own, committed or not', async () => {
  await write('packages/auth/src/index.ts', 'export const changed = true;');
  await write('packages/client/src/new.ts', '');
  expect(await check()).toEqual(misses('@hr/auth, @hr/client'));
  await write('.changeset/new.md', changeset('@hr/client'));
  expect(await check()).toEqual(misses('@hr/auth'));
  await commit();
  expect(await check()).toEqual(misses('@hr/auth'));
  await write('.changeset/other.md', changeset('@hr/auth'));
  expect(await check()).toEqual(passes);
  await commit();
  expect(await check()).toEqual(passes);
});

test('what users do not get needs none', async () => {
  await write('packages/auth/test/auth.test.ts', '');
  await write('packages/auth/pacts/auth.json', '{}');
  await write('apps/service/src/main.ts', '');
  expect(await check()).toEqual(passes);
});

test('what was removed or moved away is a change', async () => {
  await git('mv', 'packages/auth/src/index.ts', 'apps/service/index.ts');
  expect(await check()).toEqual(misses('@hr/auth'));
});

test('a changeset without packages says of those it names that no release is needed, and of no others', async () => {
  await write('packages/auth/src/index.ts', '// A comment.');
  await write('packages/client/src/new.ts', '// A comment.');
  await write('.changeset/none.md', '---\n---\n');
  expect(await check()).toEqual(misses('@hr/auth, @hr/client'));
  await write('.changeset/none.md', '---\n---\n\n@hr/auth: a comment.\n');
  expect(await check()).toEqual(misses('@hr/client'));
  await write('.changeset/none.md', '---\n---\n\n@hr/auth, @hr/client: comments.\n');
  expect(await check()).toEqual(passes);
});

test.each([
  ['a dependency', catalog('^2.2.0', '^5.0.0', '^4.0.0')],
  ['a peer dependency', catalog('^2.1.0', '^6.0.0', '^4.0.0')],
])('another range of %s in the catalog is a change', async (_, changed) => {
  await write('pnpm-workspace.yaml', changed);
  expect(await check()).toEqual(misses('@hr/client'));
  await commit();
  expect(await check()).toEqual(misses('@hr/client'));
  await write('.changeset/new.md', changeset('@hr/client'));
  expect(await check()).toEqual(passes);
});

test('another range of what only the development needs is none', async () => {
  await write('pnpm-workspace.yaml', catalog('^2.1.0', '^5.0.0', '^4.1.0'));
  expect(await check()).toEqual(passes);
});

test('a range that the catalog does not have is told', async () => {
  await write('pnpm-workspace.yaml', 'catalog:\n  ky: ^2.1.0\n');
  const stderr = 'The catalog of pnpm-workspace.yaml has no range for vitest.\n';
  expect(await check()).toEqual({ succeeded: false, stderr });
});

test('a package that was never released needs but its first changeset', async () => {
  await write('packages/young/src/index.ts', '');
  expect(await check()).toEqual(passes);
});

test('a release changes versions, and what it takes the changesets for', async () => {
  await write('packages/auth/package.json', JSON.stringify({ name: '@hr/auth', version: '1.2.1' }));
  await rm(join(workspace, '.changeset/earlier.md'));
  await commit();
  expect(await check()).toEqual(passes);
});

test.each(['dependencies', 'peerDependencies'])(
  'a breaking change must say in its changeset what it is in %s of others',
  async (kind) => {
    const manifest = { name: '@hr/client', version: '1.0.0', [kind]: { '@hr/auth': 'workspace:^' } };
    await write('packages/client/package.json', JSON.stringify(manifest));
    await write('.changeset/client.md', changeset('@hr/client'));
    await commit();
    await git('branch', '--force', 'main');
    const decided = changeset('@hr/auth', '@hr/client').replace('patch', 'major');
    const undecided = {
      succeeded: false,
      stderr:
        '@hr/auth has a breaking change, and @hr/client builds on it. Say in the same changeset, ' +
        '.changeset/breaking.md, what that is for the users of @hr/client: major where they notice, else patch.\n',
    };
    await write('.changeset/breaking.md', changeset('@hr/auth').replace('patch', 'major'));
    expect(await check()).toEqual(undecided);
    await write('.changeset/breaking.md', decided.replace("'@hr/client': patch", "'@hr/client': none"));
    expect(await check()).toEqual(undecided);
    await write('.changeset/breaking.md', decided);
    expect(await check()).toEqual(passes);
  },
);

test('what others did on the base branch meanwhile is not asked for', async () => {
  await git('switch', '--quiet', 'main');
  await write('packages/client/src/index.ts', '');
  await commit();
  await git('switch', '--quiet', 'change');
  expect(await check()).toEqual(passes);
});
