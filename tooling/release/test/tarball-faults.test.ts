import { expect, test } from 'vitest';
import { tarballFaults } from '../src/tarball-faults.ts';
import type { Tarball } from '../src/tarball.ts';

const manifest = {
  name: '@hr/auth',
  version: '1.0.0',
  publishConfig: { access: 'restricted' },
  dependencies: { oauth4webapi: '^3.8.8' },
};
const changelog = '# @hr/auth\n\n## 1.0.0\n\nFirst.\n';

function tarballWith(changes: object = {}, files: readonly string[] = [], packedBytes = 1000): Tarball {
  const pages = ['README.md', 'CHANGELOG.md', 'docs/using-the-packages.md'];
  const names = ['package.json', ...pages, 'dist/index.js', 'dist/index.d.ts', ...files];
  return {
    manifest: { ...manifest, ...changes },
    files: names.map((name) => ({ name, bytes: 1 })),
    changelog,
    packedBytes,
  };
}

test('a tarball of what users need has no faults', () => {
  expect(tarballFaults(tarballWith({}, ['docs/contracts.md', 'bin/hr-contracts.js']))).toEqual([]);
});

test.each([
  'src/index.ts',
  'test/auth.test.ts',
  'dist/auth.test.js',
  'dist/test/server.js',
  'tsconfig.json',
  '.npmrc',
  'dist/x-spec.js',
  'dist/index.js.map',
])('a tarball must not have %s', (name) => {
  expect(tarballFaults(tarballWith({}, [name]))).toEqual([`${name} is not for its users`]);
});

test.each([
  [{ dependencies: { zod: 'catalog:' } }, 'its package.json has ranges that only this workspace knows'],
  [{ dependencies: { '@hr/schemas': 'workspace:^' } }, 'its package.json has ranges that only this workspace knows'],
  [{ peerDependencies: { msw: 'link:../msw' } }, 'its package.json has ranges that only this workspace knows'],
  [{ devDependencies: { vitest: '^5.0.0' } }, 'its package.json has devDependencies'],
  [{ scripts: { postinstall: 'node x.js' } }, 'its package.json has scripts'],
  [{ exports: { '.': { '@hr/source': './src/index.ts' } } }, 'its package.json names source, which is not in it'],
  [{ private: true }, 'it is private'],
  [
    { dependencies: { '@hr/schemas': '1.0.0' } },
    'it asks for one version of @hr/schemas, and would get no fix of it: write workspace:^',
  ],
  [{ version: '9.9.9' }, 'its CHANGELOG.md does not tell of 9.9.9'],
  [{ publishConfig: { access: 'public' } }, 'its publishConfig.access is not restricted'],
  [{ publishConfig: undefined }, 'its publishConfig.access is not restricted'],
])('a package.json must not say %j', (changes, fault) => {
  expect(tarballFaults(tarballWith(changes))).toEqual([fault]);
});

test('what is far too large or lacks its pages is not published', () => {
  expect(tarballFaults(tarballWith({}, [], 2 ** 21))).toEqual(['it has 2097152 bytes, and may have 1048576']);
  expect(tarballFaults({ ...tarballWith(), files: [{ name: 'package.json', bytes: 1 }] })).toEqual([
    'it has no README.md',
    'it has no CHANGELOG.md',
    'it has no docs/using-the-packages.md',
  ]);
});
