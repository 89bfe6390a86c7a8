import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { unpack } from '@publint/pack';
import type { Package } from '@manypkg/get-packages';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const PUBLISHED = /^(package\.json|(README|CHANGELOG)\.md|docs\/[\w-]+\.md|bin\/[\w-]+\.js|dist\/.+\.(js|d\.ts))$/;
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
  const { files, rootDir } = await unpack(data);
  const texts = new Map(files.map(({ name, data: bytes }) => [name.slice(rootDir.length + 1), bytes]));
  const textOf = (name: string): string => new TextDecoder().decode(texts.get(name));
  const names = [...texts.keys()];
  const manifestText = textOf('package.json');
  const manifest = JSON.parse(manifestText) as Package['packageJson'];
  const checks: readonly (readonly [isFault: boolean, fault: string])[] = [
    ...names.map((name) => [!PUBLISHED.test(name) || TEST.test(name), `${name} is not for users`] as const),
    ...names.map((name) => [isStale(name, folder), `${name} has no source: remove dist and build again`] as const),
    ...REQUIRED.map((name) => [!texts.has(name), `it has no ${name}`] as const),
    ...Object.entries(manifest.dependencies ?? {}).map(
      ([name, range]) =>
        [
          // Snapshots depend on exactly each other.
          name.startsWith('@hr/') && /^\d/.test(range) && !manifest.version.startsWith('0.0.0-'),
          `it depends on exactly ${range} of ${name}, so that users get no fix of it: write workspace:^`,
        ] as const,
    ),
    ['devDependencies' in manifest, 'its package.json has devDependencies'],
    ['scripts' in manifest, 'its package.json has scripts'],
    [!textOf('CHANGELOG.md').includes(`\n## ${manifest.version}\n`), `its CHANGELOG.md lacks ${manifest.version}`],
    [
      /"(workspace|catalog|link|file):/.test(manifestText),
      'its package.json has ranges that work only in this workspace',
    ],
    [manifestText.includes('@hr/source'), 'its package.json names source files, which are not in it'],
    [manifest.private === true, 'it is private'],
    [manifest.publishConfig?.access !== 'restricted', 'its publishConfig.access is not restricted'],
    [data.byteLength > MAX_PACKED_BYTES, `it has ${data.byteLength} bytes; the maximum is ${MAX_PACKED_BYTES}`],
  ];
  const faults = checks.filter(([isFault]) => isFault).map(([, fault]) => fault);
  faults.push(...(await publintFaults(data)), ...(await typeFaults(data)));
  if (faults.length === 0) return `${names.length} files, ${Math.ceil(data.byteLength / 1024)} KiB`;
  throw new Error(`The tarball of ${manifest.name} is wrong: ${faults.join('; ')}.`);
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

async function typeFaults(data: Buffer): Promise<string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(data));
  if (!analysis.types) return ['it has no types'];
  return analysis.problems
    .filter((problem) => !('resolutionKind' in problem && IGNORED.has(problem.resolutionKind)))
    .map((problem) => `attw reports ${JSON.stringify(problem)}`);
}
