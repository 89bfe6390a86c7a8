import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkTarball } from '../src/check-tarball.ts';
import { run } from '../src/run.ts';

const manifest = {
  name: '@hr/auth',
  version: '1.0.0',
  type: 'module',
  license: 'UNLICENSED',
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  publishConfig: { access: 'restricted' },
  dependencies: { oauth4webapi: '^3.8.8' },
};
const content = {
  'CHANGELOG.md': '# @hr/auth\n\n## 1.0.0\n\nFirst.\n',
  'README.md': '# @hr/auth\n',
  'docs/using-the-packages.md': '# Using the packages\n',
  'dist/index.js': 'export const token = 1;\n',
  'dist/index.d.ts': 'export declare const token: number;\n',
};

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hr-tarball-'));
  await write('src/index.ts', '');
});
afterEach(() => rm(folder, { recursive: true }));

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

/** Packs the files below `package` as they are, and returns why the tarball is wrong. */
async function check(changes: object = {}, files: Readonly<Record<string, string | undefined>> = {}): Promise<string> {
  const all = { ...content, 'package.json': JSON.stringify({ ...manifest, ...changes }), ...files };
  for (const [name, text] of Object.entries(all)) {
    // oxlint-disable-next-line no-await-in-loop -- a few small files
    if (text !== undefined) await write(`package/${name}`, text);
  }
  await run('tar', ['-czf', 'auth.tgz', 'package'], { cwd: folder });
  return checkTarball(join(folder, 'auth.tgz'), folder).then(
    () => '',
    (error: Error) => error.message.replace('The tarball of @hr/auth is wrong: ', ''),
  );
}

test('a tarball with what users need is right', async () => {
  await write('src/fake/index.ts', '');
  const files = {
    'docs/contracts.md': '# Contracts\n',
    'bin/hr-contracts.js': '',
    'dist/fake/index.js': 'export {};\n',
  };
  expect(await check({}, files)).toBe('');
});

test('a tarball must not have other files', async () => {
  const names = ['src/index.ts', 'test/auth.test.ts', 'dist/auth.test.js', 'dist/test/server.js', 'dist/x-spec.js'];
  names.push('tsconfig.json', '.npmrc', 'dist/index.js.map');
  const faults = await check({}, Object.fromEntries(names.map((name) => [name, '{}'])));
  for (const name of names) expect(faults).toContain(`${name} is not for users`);
});

test.each([
  [{ dependencies: { zod: 'catalog:' } }, 'its package.json has ranges that work only in this workspace'],
  [{ dependencies: { '@hr/schemas': 'workspace:^' } }, 'its package.json has ranges that work only in this workspace'],
  [{ peerDependencies: { msw: 'link:../msw' } }, 'its package.json has ranges that work only in this workspace'],
  [{ devDependencies: { vitest: '^5.0.0' } }, 'its package.json has devDependencies'],
  [{ scripts: { postinstall: 'node x.js' } }, 'its package.json has scripts'],
  [{ exports: { '.': { '@hr/source': './src/index.ts' } } }, 'its package.json names source files'],
  [{ private: true }, 'it is private'],
  [{ dependencies: { '@hr/schemas': '1.0.0' } }, 'it depends on exactly 1.0.0 of @hr/schemas'],
  [{ version: '9.9.9' }, 'its CHANGELOG.md lacks 9.9.9'],
  [{ publishConfig: { access: 'public' } }, 'its publishConfig.access is not restricted'],
  [{ publishConfig: undefined }, 'its publishConfig.access is not restricted'],
  // What publint and attw find.
  [{ exports: { '.': './dist/gone.js' } }, 'pkg.exports["."] is ./dist/gone.js but the file does not exist'],
  [{ exports: { '.': { default: './dist/index.js', types: './dist/index.d.ts' } } }, 'should be the first'],
  [{ exports: { '.': { types: './dist/index.d.cts', default: './dist/index.js' } } }, 'attw reports'],
])('a package.json must not have %j', async (changes, fault) => {
  expect(await check(changes)).toContain(fault);
});

test('a tarball has pages, a source for each built file, a limited size, and types that resolve', async () => {
  const noise = randomBytes(2 ** 20).toString('base64');
  const pages = { 'README.md': undefined, 'CHANGELOG.md': undefined, 'docs/using-the-packages.md': undefined };
  const built = {
    'dist/gone.js': 'export {};\n',
    'dist/index.d.ts': "export * from './gone';\n",
    'docs/noise.md': noise,
  };
  const faults = await check({}, { ...pages, ...built });
  expect(faults).toContain(
    'dist/gone.js has no source: remove dist and build again; ' +
      'it has no README.md; it has no CHANGELOG.md; it has no docs/using-the-packages.md',
  );
  expect(faults).toMatch(/it has \d+ bytes; the maximum is 1048576/);
  expect(faults).toContain('attw reports');
});
