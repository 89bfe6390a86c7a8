import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { checkChangesets } from '../src/check-changesets.ts';
import { newRepository } from './new-repository.ts';

const config = fileURLToPath(new URL('../../../.changeset/config.json', import.meta.url));

let repository: Awaited<ReturnType<typeof newRepository>>;

beforeEach(async () => {
  repository = await newRepository();
  const { cwd, git, commit, write } = repository;
  await cp(config, join(cwd, '.changeset/config.json'));
  await write('packages/auth/package.json', manifest('@hr/auth'));
  await write('packages/auth/src/index.ts', 'export {};\n');
  await write('packages/client/package.json', manifest('@hr/client', { dependencies: { '@hr/auth': 'workspace:^' } }));
  await write('apps/service/package.json', JSON.stringify({ name: 'service', private: true }));
  await changeset('earlier', { '@hr/auth': 'patch', '@hr/client': 'patch' });
  await commit();
  await git('switch', '--quiet', '--create', 'change');
});

const manifest = (name: string, fields: object = {}): string =>
  JSON.stringify({ name, version: '1.0.0', ...fields }, undefined, 2);

async function changeset(id: string, types: Readonly<Record<string, string>>, text = 'Something.'): Promise<void> {
  const lines = Object.entries(types).map(([name, type]) => `'${name}': ${type}\n`);
  await repository.write(`.changeset/${id}.md`, `---\n${lines.join('')}---\n\n${text}\n`);
}

const missing = (names: string): string =>
  `${names} changed since main without a changeset. If users notice the change, run: pnpm changeset. ` +
  `If they do not, say why: pnpm changeset add --empty --message "${names}: …"`;

const fault = (): Promise<string> =>
  checkChangesets(repository.cwd, 'main').then(
    () => '',
    (error: Error) => error.message,
  );

test('each package that changed needs a new changeset, or an empty one whose text names it', async () => {
  const { commit, git, write } = repository;
  // A file that moves out of a package, and a report of the API.
  await git('mv', 'packages/auth/src/index.ts', 'apps/service/index.ts');
  await write('packages/client/api.md', 'dependency ky ^2.2.0\n');
  await commit();
  expect(await fault()).toBe(missing('@hr/auth, @hr/client'));
  await changeset('new', { '@hr/client': 'patch' });
  expect(await fault()).toBe(missing('@hr/auth'));
  await changeset('none', {}, '@hr/auth: a comment.');
  expect(await fault()).toBe('');
  await commit();
  expect(await fault()).toBe('');
});

test('a change that no user gets, of the base branch, or of versions needs no changeset', async () => {
  const { commit, git, write } = repository;
  await write('packages/auth/test/auth.test.ts');
  await write('packages/auth/tsconfig.json', '{}');
  await write('apps/service/src/main.ts');
  await commit();
  await git('switch', '--quiet', 'main');
  await write('packages/client/src/index.ts');
  await commit();
  await git('switch', '--quiet', 'change');
  expect(await fault()).toBe('');
  // A release.
  await write('packages/auth/package.json', manifest('@hr/auth', { version: '1.0.1' }));
  await git('rm', '--quiet', '.changeset/earlier.md');
  await commit();
  expect(await fault()).toBe('');
});

test.each(['dependencies', 'peerDependencies'])('a breaking changeset names packages with the %s', async (kind) => {
  const { write } = repository;
  await write('packages/client/package.json', manifest('@hr/client', { [kind]: { '@hr/auth': 'workspace:^' } }));
  await changeset('client', { '@hr/client': 'patch' });
  const unnamed =
    '@hr/auth has a breaking change, and @hr/client depends on it. Name @hr/client in the same changeset, ' +
    '.changeset/breaking.md: as major if its users notice the change, otherwise as patch.';
  await changeset('breaking', { '@hr/auth': 'major' });
  expect(await fault()).toBe(unnamed);
  await changeset('breaking', { '@hr/auth': 'major', '@hr/client': 'none' });
  expect(await fault()).toBe(unnamed);
  await changeset('breaking', { '@hr/auth': 'major', '@hr/client': 'patch' });
  expect(await fault()).toBe('');
});
