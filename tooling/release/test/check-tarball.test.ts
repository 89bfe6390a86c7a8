import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkTarball } from '../src/check-tarball.ts';
import { run } from '../src/run.ts';
import { newRepository } from './new-repository.ts';

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
  'src/index.ts': '',
  'package/CHANGELOG.md': '# @hr/auth\n\n## 1.0.0\n\nFirst.\n',
  'package/README.md': '# @hr/auth\n',
  'package/docs/using-the-packages.md': '# Using the packages\n',
  'package/dist/index.js': 'export const token = 1;\n',
  'package/dist/index.d.ts': 'export declare const token: number;\n',
};

/** Checks a tarball of the files below `package` as they are, for a package with the files below `src`. */
async function check(files: Readonly<Record<string, string>>, changes: object = {}): Promise<string> {
  const { cwd, write } = await newRepository();
  const texts = Object.entries({ ...files, 'package/package.json': JSON.stringify({ ...manifest, ...changes }) });
  await Promise.all(texts.map(([name, text]) => write(name, text.replace('FOLDER', cwd))));
  await run('tar', ['-czf', 'auth.tgz', 'package'], { cwd });
  return checkTarball(join(cwd, 'auth.tgz'), cwd);
}

test('a tarball with what users need is right', async () => {
  const fake = { 'src/fake/index.ts': '', 'package/dist/fake/index.js': 'export {};\n' };
  const more = { 'package/docs/contracts.md': '# Contracts\n', 'package/bin/hr-contracts.js': '' };
  await expect(check({ ...content, ...fake, ...more })).resolves.toBe('9 files, 1 KiB');
});

test('a snapshot depends on exactly each other package', async () => {
  const [version, changelog] = ['0.0.0-pr-12', 'package/CHANGELOG.md'];
  const changes = { version, dependencies: { '@hr/schemas': version } };
  await expect(check({ ...content, [changelog]: `\n## ${version}\n` }, changes)).resolves.toContain('files');
});

test('every fault is named', async () => {
  const names = ['src/index.ts', 'test/auth.test.ts', 'dist/auth.test.js', 'dist/test/server.js', 'dist/x-spec.js'];
  names.push('tsconfig.json', '.npmrc', 'dist/index.js.map');
  const files = {
    ...Object.fromEntries(names.map((name) => [`package/${name}`, '{}'])),
    'src/index.ts': '',
    'package/dist/index.js': content['package/dist/index.js'],
    'package/dist/index.d.ts': "export * from './gone';\n",
    'package/dist/gone.js': 'export {};\n// FOLDER/src/gone.ts\n',
    'package/docs/noise.md': randomBytes(2 ** 20).toString('base64'),
  };
  const changes = {
    version: '9.9.9',
    dependencies: { zod: 'catalog:', '@hr/schemas': '1.0.0', '@hr/client': 'workspace:^' },
    peerDependencies: { msw: 'link:../msw', pact: 'file:../pact' },
    devDependencies: { vitest: '^5.0.0' },
    scripts: { postinstall: 'node x.js' },
    publishConfig: { access: 'public' },
    exports: {
      '.': { default: './dist/index.js', types: './dist/index.d.ts' },
      './gone': './dist/missing.js',
    },
    imports: { '#own': { '@hr/source': './src/index.ts' } },
  };
  const message = await check(files, changes).catch((error: Error) => error.message);
  for (const fault of [
    'The tarball of @hr/auth is wrong: ',
    ...names.map((name) => `${name} is not for users`),
    'dist/gone.js has no source: remove dist and build again',
    'dist/gone.js contains the path /',
    ...['README.md', 'CHANGELOG.md', 'docs/using-the-packages.md'].map((name) => `it has no ${name}`),
    'it depends on exactly 1.0.0 of @hr/schemas, so that users get no fix of it: write workspace:^',
    'its package.json has devDependencies',
    'its package.json has scripts',
    ...['"catalog:"', '"workspace:^"', '"link:../msw"', '"file:../pact"'].map(
      (range) => `its package.json has ${range}, which works only in this workspace`,
    ),
    'its package.json names source files',
    'its publishConfig is not { "access": "restricted" }',
    'its CHANGELOG.md lacks 9.9.9',
    'bytes; the maximum is 1048576',
    // What publint and attw find.
    'pkg.exports["./gone"] is ./dist/missing.js but the file does not exist',
    'should be the first',
    'attw reports {"kind":"InternalResolutionError"',
  ]) {
    expect(message).toContain(fault);
  }
});
