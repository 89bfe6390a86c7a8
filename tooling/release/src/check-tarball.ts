import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData, type Package } from '@arethetypeswrong/core';
import type { Package as WorkspacePackage } from '@manypkg/get-packages';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const PUBLISHED =
  /^(package\.json|(README|CHANGELOG)\.md|docs\/[\w-]+\.md|bin\/[\w-]+\.js|contracts\/[\w-]+\.json|dist\/.+\.(js|d\.ts))$/;
const TEST = /(^|\/)(test|tests|pacts|reports)\/|[.-](test|spec)\./;
/** The README links to the other two. */
const REQUIRED = ['README.md', 'CHANGELOG.md', 'docs/using-the-packages.md'];
const BUILT = /^dist\/(.+)\.(js|d\.ts)$/;
/** What attw's profile `esm-only` leaves out. */
const IGNORED: ReadonlySet<string> = new Set(['node10', 'node16-cjs']);
/** Ten times the largest package. */
const MAX_PACKED_BYTES = 1024 * 1024;

/**
 * Checks a tarball as users get it, also with publint and attw, and returns its size in words.
 *
 * @param folder of its package
 * @throws {Error} That lists the faults.
 */
export async function checkTarball(path: string, folder: string): Promise<string> {
  const data = await readFile(path);
  const unpacked = createPackageFromTarballData(data);
  const faults = [...faultsIn(unpacked, folder), ...(await publintFaults(data)), ...(await typeFaults(unpacked))];
  if (data.byteLength > MAX_PACKED_BYTES) {
    faults.push(`it has ${data.byteLength} bytes; the maximum is ${MAX_PACKED_BYTES}`);
  }
  if (faults.length > 0) throw new Error(`The tarball of ${unpacked.packageName} is wrong: ${faults.join('; ')}.`);
  return `${unpacked.listFiles().length} files, ${Math.ceil(data.byteLength / 1024)} KiB`;
}

function* faultsIn(unpacked: Package, folder: string): Generator<string> {
  const root = `/node_modules/${unpacked.packageName}/`;
  const names = unpacked.listFiles().map((file) => file.slice(root.length));
  for (const name of names) {
    if (!PUBLISHED.test(name) || TEST.test(name)) yield `${name} is not for users`;
    if (isStale(name, folder)) yield `${name} has no source: remove dist and build again`;
    if (unpacked.readFile(`${root}${name}`).includes(folder)) yield `${name} contains the path ${folder}`;
  }
  for (const name of REQUIRED) if (!names.includes(name)) yield `it has no ${name}`;
  const text = unpacked.readFile(`${root}package.json`);
  const manifest = JSON.parse(text) as WorkspacePackage['packageJson'];
  const { version, dependencies = {}, publishConfig } = manifest;
  for (const [name, range] of Object.entries(dependencies)) {
    // Snapshots depend on exactly each other.
    if (name.startsWith('@hr/') && /^\d/.test(range) && !version.startsWith('0.0.0-'))
      yield `it depends on exactly ${range} of ${name}, so that users get no fix of it: write workspace:^`;
  }
  for (const field of ['devDependencies', 'scripts']) if (field in manifest) yield `its package.json has ${field}`;
  for (const [range] of text.matchAll(/"(workspace|catalog|link|file):[^"]*"/g))
    yield `its package.json has ${range}, which works only in this workspace`;
  if (text.includes('@hr/source')) yield 'its package.json names source files, which are not in it';
  if (JSON.stringify(publishConfig) !== '{"access":"restricted"}')
    yield 'its publishConfig is not { "access": "restricted" }';
  const changelog = unpacked.tryReadFile(`${root}CHANGELOG.md`) ?? '';
  if (!changelog.includes(`\n## ${version}\n`)) yield `its CHANGELOG.md lacks ${version}`;
}

/** Whether a file of a package, such as `dist/index.js`, was built from a source file that is gone. */
export function isStale(file: string, folder: string): boolean {
  const [, source] = BUILT.exec(file) ?? [];
  return source !== undefined && !existsSync(join(folder, 'src', `${source}.ts`));
}

async function publintFaults(data: Buffer<ArrayBuffer>): Promise<string[]> {
  const tarball = Uint8Array.from(data).buffer;
  const { messages, pkg } = await publint({ pack: { tarball }, level: 'warning', strict: true });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

async function typeFaults(unpacked: Package): Promise<string[]> {
  const analysis = await checkPackage(unpacked);
  if (!analysis.types) return ['it has no types'];
  return analysis.problems
    .filter((problem) => !('resolutionKind' in problem && IGNORED.has(problem.resolutionKind)))
    .map((problem) => `attw reports ${JSON.stringify(problem)}`);
}
