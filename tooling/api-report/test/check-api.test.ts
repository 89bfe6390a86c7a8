import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from 'tooling-release/run';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkApi } from '../src/check-api.ts';
import { withVersion } from '../src/report-file.ts';
import { recordReleases } from '../src/record-releases.ts';
import { writeReports } from '../src/write-reports.ts';
import { madeWorkspace, write, writePackage } from './made-packages.ts';
import type { Built } from './made-packages.ts';

const documented = (declaration: string): string => `/** What it is. */\n${declaration}\n`;
const options = (line: string): string => documented(`export interface Options {\n  readonly ${line};\n}`);
const get = documented('export declare function get(id: string): void;');
const bounded = {
  version: '1.2.0',
  built: { index: `import { z } from 'zod';\n${documented('export declare const Name: z.ZodString;')}` },
  modules: {
    index: `import { z } from '${import.meta.resolve('zod')}';\nexport const Name = z.string().max(20);\n`,
  },
};

const before: Readonly<Record<string, { version: string; built: Built; manifest?: object; modules?: Built }>> = {
  announced: { version: '1.2.0', built: { index: get } },
  bounded,
  broken: { version: '1.2.0', built: { index: options('timeout?: number'), extra: get } },
  edited: { version: '1.2.0', built: { index: get } },
  installed: {
    version: '1.2.0',
    built: { index: get },
    manifest: { bin: { do: './do.js' }, engines: { node: '>=22' }, dependencies: { one: 'catalog:' } },
  },
  more: { version: '1.2.0', built: { index: get } },
  silent: { version: '0.0.0', built: { index: get } },
  stale: { version: '0.0.0', built: { index: get } },
  unrecorded: { version: '1.2.0', built: { index: get } },
  young: { version: '0.0.0', built: { index: get } },
};
const now: typeof before = {
  announced: { version: '1.2.0', built: { index: options('timeout?: number') } },
  bounded,
  broken: { version: '1.2.0', built: { index: options('timeoutMs?: number') } },
  edited: { version: '1.2.0', built: { index: 'export {};' } },
  installed: {
    version: '1.2.0',
    built: { index: get },
    manifest: { engines: { node: '>=24' }, dependencies: { one: 'catalog:' } },
  },
  more: { version: '1.2.0', built: { index: `${get}${options('timeout?: number')}` } },
  silent: {
    version: '0.0.0',
    built: {
      index: 'interface Facts {\n  a: 1;\n}\nexport declare function get(facts: Facts): void;\nexport * from "zod";',
      other: 'interface Options {\n  x?: Options;\n}\nexport {};',
    },
  },
  stale: { version: '0.0.0', built: { index: options('timeout?: number') } },
  unrecorded: { version: '1.3.0', built: { index: get } },
  young: { version: '0.0.0', built: { index: options('timeout?: number') } },
};

let workspace: Awaited<ReturnType<typeof madeWorkspace>>;
let recorded: string[];
let faults: Map<string, string[]>;

const folderOf = (name: string): string => join(workspace.folder, 'packages', name);

async function writeAll(all: typeof before): Promise<void> {
  await Promise.all(
    Object.entries(all).map(([name, { version, built, manifest, modules }]) =>
      writePackage(folderOf(name), { name: `@made/${name}`, version, ...manifest }, built, modules),
    ),
  );
}

async function announce(file: string, releases: string): Promise<void> {
  await write(join(workspace.folder, '.changeset', `${file}.md`), `---\n${releases}\n---\n\nSomething.\n`);
}

async function commitRelease(...tags: readonly string[]): Promise<void> {
  const settings = ['user.name=Test', 'user.email=test@example.com', 'commit.gpgSign=false', 'tag.gpgSign=false'];
  const git = (...args: readonly string[]): Promise<string> =>
    run('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], { cwd: workspace.folder });
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Release');
  await Promise.all(tags.map((tag) => git('tag', tag)));
}

beforeAll(async () => {
  workspace = await madeWorkspace();
  await announce('a', "'@made/announced': minor\n'@made/broken': minor\n'@made/more': patch");
  await announce('b', "'@made/announced': major");
  await announce('c', "'@made/announced': patch");
  await writeAll(before);
  await writeReports(workspace.folder);
  recorded = await recordReleases(workspace.folder);
  const bounds = join(folderOf('bounded'), 'api.released.md');
  await write(bounds, (await readFile(bounds, 'utf8')).replace('20', '255'));
  await commitRelease('@made/edited@1.2.0', '@made/announced@1.2.0', '@made/unrecorded@1.2.0');
  await writeAll(now);
  const stale = await readFile(join(folderOf('stale'), 'api.md'), 'utf8');
  await writeReports(workspace.folder);
  await write(join(folderOf('stale'), 'api.md'), stale);
  const edited = withVersion(await readFile(join(folderOf('edited'), 'api.md'), 'utf8'), '1.2.0');
  await write(join(folderOf('edited'), 'api.released.md'), edited);
  faults = await checkApi(workspace.folder);
});
afterAll(() => workspace[Symbol.asyncDispose]());

test('each release is recorded, and what has none is not', async () => {
  expect(recorded).toEqual([
    '@made/announced@1.2.0',
    '@made/bounded@1.2.0',
    '@made/broken@1.2.0',
    '@made/edited@1.2.0',
    '@made/installed@1.2.0',
    '@made/more@1.2.0',
    '@made/unrecorded@1.2.0',
  ]);
  const report = await readFile(join(folderOf('more'), 'api.released.md'), 'utf8');
  expect(report).toMatch(/^# The API of @made\/more 1\.2\.0\n/);
  expect(report).toContain('export function get(id: string): void;');
  const installed = await readFile(join(folderOf('installed'), 'api.released.md'), 'utf8');
  expect(installed).toContain('```text\nengine node >=22\nbin do\ndependency one ^1.2.0\n```\n');
});

test('a breaking change needs a major changeset', () => {
  expect(faults.get('@made/broken')).toEqual([
    `The API of @made/broken has changed since 1.2.0, so that programs of its users may not compile or run any more, or mean something else, and no changeset says major:
  Options of @made/broken has changed
    - readonly timeout?: number;
    + readonly timeoutMs?: number;
  the entry point @made/broken/extra is removed
Undo it, or say it to them:
  pnpm changeset add --major @made/broken --message "…"`,
  ]);
});

test('what breaks an installation needs a major changeset', () => {
  expect(faults.get('@made/installed')).toEqual([
    `The API of @made/installed has changed since 1.2.0, so that programs of its users may not compile or run any more, or mean something else, and no changeset says major:
  engine node of package.json has changed
    - engine node >=22
    + engine node >=24
  bin do of package.json is removed
    - bin do
Undo it, or say it to them:
  pnpm changeset add --major @made/installed --message "…"`,
  ]);
});

test('another bound needs a major changeset', () => {
  expect(faults.get('@made/bounded')).toEqual([
    `The API of @made/bounded has changed since 1.2.0, so that programs of its users may not compile or run any more, or mean something else, and no changeset says major:
  Name of @made/bounded has changed
    - {"type":"string","maxLength":255}
    + {"type":"string","maxLength":20}
Undo it, or say it to them:
  pnpm changeset add --major @made/bounded --message "…"`,
  ]);
});

test('a new export needs a minor changeset', () => {
  expect(faults.get('@made/more')).toEqual([
    `The API of @made/more has changed since 1.2.0, so that its users can do more, and no changeset says minor:
  Options of @made/more is new
Undo it, or say it to them:
  pnpm changeset add --minor @made/more --message "…"`,
  ]);
});

test('the greatest of several changesets counts', () => {
  expect(faults.get('@made/announced')).toEqual([]);
});

test('what was never released may change', () => {
  expect(faults.get('@made/young')).toEqual([]);
});

test('a report must be that of what is built', () => {
  expect(faults.get('@made/stale')).toEqual([
    `packages/stale/api.md is not what @made/stale is now, from line 14:
  - export function get(id: string): void;
  + export interface Options {
  +     readonly timeout?: number;
  + }
Write it anew: pnpm api:report`,
  ]);
});

test('a release must be recorded', () => {
  expect(faults.get('@made/unrecorded')).toEqual([
    'packages/unrecorded/api.released.md must say what @made/unrecorded 1.3.0 gave to its users: node tooling/api-report/src/record.ts',
  ]);
});

test('what is recorded of a release is what its tag says', () => {
  expect(faults.get('@made/edited')).toEqual([
    'packages/edited/api.released.md is not what it was when @made/edited@1.2.0 was released. ' +
      'Put it back: git restore --source @made/edited@1.2.0 packages/edited/api.released.md',
  ]);
});

test('an export needs a comment, and what users meet a name', () => {
  expect(faults.get('@made/silent')).toEqual([
    '@made/silent exports get without a comment that says what a caller may rely on.',
    '@made/silent lets its users meet the type Facts, and does not export it.',
    '@made/silent exports * from "zod", so that nothing says what that is: export it by name.',
  ]);
});
