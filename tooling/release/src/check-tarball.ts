import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { unpack } from '@publint/pack';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { isSnapshot } from './packed-release.ts';
import type { Manifest } from './published-packages.ts';

/** The content of a tarball. */
interface Tarball {
  readonly manifest: Manifest;
  readonly files: readonly string[];
  readonly changelog: string;
  readonly packedBytes: number;
}

const PUBLISHED = /^(package\.json|(README|CHANGELOG)\.md|docs\/[\w-]+\.md|bin\/[\w-]+\.js|dist\/.+\.(js|d\.ts))$/;
const TEST = /(^|\/)(test|tests|pacts|reports)\/|[.-](test|spec)\./;
/** The README links to the other two. */
const REQUIRED = ['README.md', 'CHANGELOG.md', 'docs/using-the-packages.md'];
const BUILT = /^dist\/(.+)\.(js|d\.ts)$/;
const DEVELOPMENT = ['devDependencies', 'scripts'];
const IGNORED: ReadonlySet<string> = new Set(['node10', 'node16-cjs']);
/** Ten times the largest package. */
const MAX_PACKED_BYTES = 1024 * 1024;

/**
 * Checks a tarball as users get it, also with publint and attw.
 *
 * @param folder of its package
 * @throws {Error} That lists the faults.
 */
export async function checkTarball(path: string, folder: string): Promise<Tarball> {
  const data = await readFile(path);
  const { files, rootDir } = await unpack(data);
  const textOf = (file: string): string =>
    new TextDecoder().decode(files.find(({ name }) => name === `${rootDir}/${file}`)?.data);
  const tarball: Tarball = {
    manifest: JSON.parse(textOf('package.json')) as Manifest,
    files: files.map(({ name }) => name.slice(rootDir.length + 1)),
    changelog: textOf('CHANGELOG.md'),
    packedBytes: data.byteLength,
  };
  const faults = [...tarballFaults(tarball, folder), ...(await publintFaults(data)), ...(await typeFaults(data))];
  if (faults.length === 0) return tarball;
  throw new Error(`The tarball of ${tarball.manifest.name} is wrong: ${faults.join('; ')}.`);
}

/** What is wrong with the files and the package.json of a tarball. */
function tarballFaults({ manifest, files, changelog, packedBytes }: Tarball, folder: string): string[] {
  const { version, dependencies = {} } = manifest;
  const text = JSON.stringify(manifest);
  const faults: readonly (readonly [isFault: boolean, fault: string])[] = [
    ...files.map((name) => [!PUBLISHED.test(name) || TEST.test(name), `${name} is not for users`] as const),
    ...files.map((name) => [isStale(name, folder), `${name} has no source: remove dist and build again`] as const),
    ...REQUIRED.map((name) => [!files.includes(name), `it has no ${name}`] as const),
    ...Object.entries(dependencies).map(
      ([name, range]) =>
        [
          name.startsWith('@hr/') && /^\d/.test(range) && !isSnapshot(manifest),
          `it depends on exactly ${range} of ${name}, so that users get no fix of it: write workspace:^`,
        ] as const,
    ),
    ...DEVELOPMENT.map((key) => [key in manifest, `its package.json has ${key}`] as const),
    [!changelog.split('\n').includes(`## ${version}`), `its CHANGELOG.md lacks ${version}`],
    [/"(workspace|catalog|link|file):/.test(text), 'its package.json has ranges that work only in this workspace'],
    [text.includes('@hr/source'), 'its package.json names source files, which are not in it'],
    [manifest.private === true, 'it is private'],
    [manifest.publishConfig?.access !== 'restricted', 'its publishConfig.access is not restricted'],
    [packedBytes > MAX_PACKED_BYTES, `it has ${packedBytes} bytes; the maximum is ${MAX_PACKED_BYTES}`],
  ];
  return faults.filter(([isFault]) => isFault).map(([, fault]) => fault);
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

/** The problems that attw reports for ES modules: its profile `esm-only`. */
async function typeFaults(data: Buffer): Promise<string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(data));
  if (!analysis.types) return ['it has no types'];
  const problems = analysis.problems.filter(
    (problem) => !('resolutionKind' in problem && IGNORED.has(problem.resolutionKind)),
  );
  return problems.map((problem) => `attw reports ${JSON.stringify(problem)}`);
}
