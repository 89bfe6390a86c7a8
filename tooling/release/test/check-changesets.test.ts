import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { environment } from '../src/rehearsal/environment.ts';
import { attempt, run } from '../src/run.ts';

const program = fileURLToPath(new URL('../src/check-changesets.ts', import.meta.url));
const config = new URL('../../../.changeset/config.json', import.meta.url);
const author = { GIT_AUTHOR_NAME: 'Test', GIT_AUTHOR_EMAIL: 'test@example.com' };
const committer = { GIT_COMMITTER_NAME: 'Test', GIT_COMMITTER_EMAIL: 'test@example.com' };
const env = { ...environment(tmpdir()), ...author, ...committer, GIT_CONFIG_GLOBAL: '/dev/null' };

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'hr-changesets-'));
  await write('package.json', JSON.stringify({ name: 'root', private: true }));
  await write('pnpm-workspace.yaml', 'packages: [packages/*, apps/*]\n');
  await write('packages/auth/package.json', manifest('@hr/auth'));
  await write('packages/auth/src/index.ts', 'export {};\n');
  await write('packages/client/package.json', manifest('@hr/client', { '@hr/auth': 'workspace:^' }));
  await write('apps/service/package.json', JSON.stringify({ name: 'service', private: true }));
  await write('.changeset/earlier.md', changeset('@hr/auth', '@hr/client'));
  await cp(fileURLToPath(config), join(cwd, '.changeset/config.json'));
  await git('init', '--quiet', '--initial-branch', 'main');
  await commit();
  await git('switch', '--quiet', '--create', 'change');
});
afterEach(() => rm(cwd, { recursive: true }));

const git = (...args: readonly string[]): Promise<string> => run('git', args, { cwd, env });

async function commit(): Promise<void> {
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Change something');
}

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(cwd, name)), { recursive: true });
  await writeFile(join(cwd, name), text);
}

function manifest(name: string, dependencies: object = {}, version = '1.0.0'): string {
  return JSON.stringify({ name, version, dependencies }, undefined, 2);
}

function changeset(...names: readonly string[]): string {
  return `---\n${names.map((name) => `'${name}': patch\n`).join('')}---\n\nSomething.\n`;
}

const missing = (names: string): string =>
  `${names} changed since main without a changeset. If users notice the change, run: pnpm changeset. ` +
  `If they do not, say why: pnpm changeset add --empty --message "${names}: …"\n`;

async function check(): Promise<string> {
  const { succeeded, stderr } = await attempt(process.execPath, [program], { cwd, env });
  expect(succeeded).toBe(stderr === '');
  return stderr;
}

test('each package that changed needs a new changeset', async () => {
  await write('packages/auth/src/index.ts', 'export const changed = true;');
  await write('packages/client/README.md', '');
  await write('packages/client/test/client.test.ts', '');
  await commit();
  expect(await check()).toBe(missing('@hr/auth, @hr/client'));
  await write('.changeset/new.md', changeset('@hr/client'));
  expect(await check()).toBe(missing('@hr/auth'));
  await write('.changeset/other.md', changeset('@hr/auth'));
  expect(await check()).toBe('');
  await commit();
  expect(await check()).toBe('');
});

test('a change that no user gets needs none, and neither does a change of the base branch', async () => {
  await write('packages/auth/test/auth.test.ts', '');
  await write('packages/auth/tsconfig.json', '{}');
  await write('apps/service/src/main.ts', '');
  await commit();
  await git('switch', '--quiet', 'main');
  await write('packages/client/src/index.ts', '');
  await commit();
  await git('switch', '--quiet', 'change');
  expect(await check()).toBe('');
});

test('a file that moves out of a package is a change', async () => {
  await git('mv', 'packages/auth/src/index.ts', 'apps/service/index.ts');
  expect(await check()).toBe(missing('@hr/auth'));
});

test('a change of the report of the API needs a changeset', async () => {
  await write('packages/client/api.md', 'dependency ky ^2.2.0\n');
  await commit();
  expect(await check()).toBe(missing('@hr/client'));
});

test('an empty changeset is for the packages that its text names', async () => {
  await write('packages/auth/src/index.ts', '// A comment.');
  await write('packages/client/src/new.ts', '// A comment.');
  await commit();
  await write('.changeset/none.md', '---\n---\n\n@hr/auth: a comment.\n');
  expect(await check()).toBe(missing('@hr/client'));
  await write('.changeset/none.md', '---\n---\n\n@hr/auth, @hr/client: comments.\n');
  expect(await check()).toBe('');
});

test('a release takes the changesets and gives versions', async () => {
  await write('packages/auth/package.json', manifest('@hr/auth', {}, '1.0.1'));
  await rm(join(cwd, '.changeset/earlier.md'));
  await commit();
  expect(await check()).toBe('');
});

test.each(['dependencies', 'peerDependencies'])('a breaking changeset names packages with the %s', async (kind) => {
  const dependent = { name: '@hr/client', version: '1.0.0', [kind]: { '@hr/auth': 'workspace:^' } };
  await write('packages/client/package.json', JSON.stringify(dependent));
  await write('.changeset/client.md', changeset('@hr/client'));
  const unnamed =
    '@hr/auth has a breaking change, and @hr/client depends on it. Name @hr/client in the same changeset, ' +
    '.changeset/breaking.md: as major if its users notice the change, otherwise as patch.\n';
  await write('.changeset/breaking.md', changeset('@hr/auth').replace('patch', 'major'));
  expect(await check()).toBe(unnamed);
  const named = changeset('@hr/auth', '@hr/client').replace('patch', 'major');
  await write('.changeset/breaking.md', named.replace("'@hr/client': patch", "'@hr/client': none"));
  expect(await check()).toBe(unnamed);
  await write('.changeset/breaking.md', named);
  expect(await check()).toBe('');
});
