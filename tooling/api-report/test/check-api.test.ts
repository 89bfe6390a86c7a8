import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiReports } from '../src/api-report.ts';
import { checkApi } from '../src/check-api.ts';
import { lastRelease } from '../src/last-release.ts';
import { breaking, compatible } from './changes.ts';
import { makeWorkspace } from './made-workspace.ts';
import type { Built, MadeWorkspace } from './made-workspace.ts';

const documented = (code: string): string =>
  `${code.replaceAll(/(?<!\*\/\n)^(?=export (?!\{|type \{))/gm, '/** What it is. */\n')}\nexport {};\n`;
const only = (code: string, more: Partial<Built> = {}): Built => ({ types: { index: documented(code) }, ...more });
const get = only('export declare function get(id: string): void;');
const bounded = only("import { z } from 'zod';\nexport declare const Name: z.ZodString;", {
  module: `import { z } from '${import.meta.resolve('zod')}';\nexport const Name = z.string().max(20);\n`,
});
const options = (name: string): Built =>
  only(`export interface Options {\n  ${name}?: number;\n}\nexport declare function get(options: Options): void;`);
const changes = Object.entries({ ...breaking, ...compatible });

const before: Readonly<Record<string, Built>> = {
  announced: get,
  bounded,
  entry: { types: { ...get.types, extra: documented('export declare const a: 1;') } },
  installed: { ...get, manifest: { bin: { do: './do.js' }, engines: { node: '>=22' } } },
  more: get,
  options: options('timeout'),
  program: only('export declare const port: number;', {
    readme: '`run.ts`\n\n```ts\nimport { port } from "@made/program";\n\nexport const next = port + 1;\n```\n',
  }),
  released: { ...get, manifest: { version: '2.0.0' } },
  same: get,
  ...Object.fromEntries(changes.map(([, [code]], index) => [`change-${index}`, only(code)])),
};
const now: typeof before = {
  ...before,
  announced: only('export {};'),
  entry: get,
  installed: { ...get, manifest: { engines: { node: '>=24' } } },
  more: { types: { ...get.types, extra: documented('export declare const a: 1;') } },
  options: options('timeoutMs'),
  program: only('export declare const port: number | string;'),
  released: { ...only('export {};'), manifest: { version: '2.0.0' } },
  silent: {
    types: { index: 'interface Facts {\n  a: 1;\n}\nexport declare function get(facts: Facts): void;\nexport {};' },
  },
  ...Object.fromEntries(changes.map(([, [, code]], index) => [`change-${index}`, only(code)])),
};

let workspace: MadeWorkspace;
let checked: Awaited<ReturnType<typeof checkApi>>;
const STALE = /^packages.*api\.md is not the API of /;
const faultsIn = (name: string): readonly string[] =>
  checked.find((one) => one.name === `@made/${name}`)?.faults ?? ['?'];
const faultsOf = (name: string): string =>
  faultsIn(name)
    .filter((fault) => !STALE.test(fault))
    .join('\n\n');

beforeAll(async () => {
  workspace = await makeWorkspace();
  await workspace.build(before);
  const reports = await apiReports(workspace.folder);
  await Promise.all(
    reports.map(({ name, folder, text }) =>
      writeFile(join(folder, 'api.md'), name === '@made/bounded' ? text.replace('20', '255') : text),
    ),
  );
  await workspace.git('add', '--all');
  await workspace.git('commit', '--quiet', '--message', 'Release');
  const commit = await workspace.git('rev-parse', 'HEAD');
  await Promise.all(Object.keys(before).map((name) => workspace.write(`.git/refs/tags/@made/${name}@1.2.0`, commit)));
  await workspace.build(now);
  const announced = ['announced', 'options', ...changes.map((_, index) => `change-${index}`)];
  const minor = announced.map((name) => `'@made/${name}': minor\n`).join('');
  await workspace.write('.changeset/a.md', `---\n${minor}---\n\nSomething.\n`);
  await workspace.write('.changeset/b.md', "---\n'@made/announced': major\n---\n\nSomething.\n");
  checked = await checkApi(workspace.folder);
});
afterAll(() => workspace[Symbol.asyncDispose]());

test.each(Object.keys(breaking))('breaking: %s', (title) => {
  const index = changes.findIndex(([name]) => name === title);
  expect(faultsOf(`change-${index}`)).toMatch(/can break .*, but no changeset says major:/);
});

test.each(Object.keys(compatible))('compatible: %s', (title) => {
  const index = changes.findIndex(([name]) => name === title);
  expect(faultsOf(`change-${index}`)).toBe('');
});

test('the message says what has changed, what breaks and what to do', () => {
  expect(faultsOf('options')).toBe(
    `The API of @made/options has changed since 1.2.0 and can break programs of its users, but no changeset says major:
  Options
    - timeout?: number;
    + timeoutMs?: number;
  These uses no longer compile:
    Options of @made/options: has no ".timeout"
    get of @made/options: has no ".0.timeout"
Undo the change, or announce it:
  pnpm changeset add --major @made/options --message "…"`,
  );
});

test('a removed entry point, a broken program of the README and a new bound need a major changeset', () => {
  expect(faultsOf('entry')).toContain('made_entry_extra is removed');
  expect(faultsOf('program')).toContain("README.md of @made/program, line 6: Operator '+' cannot be applied");
  expect(faultsOf('bounded')).toContain(
    '  values of Name\n    - {"type":"string","maxLength":255}\n    + {"type":"string","maxLength":20}',
  );
});

test('what breaks an installation needs a major changeset', () => {
  expect(faultsOf('installed')).toContain(
    '  command do is removed\n    - ./do.js\n  engine node\n    - >=22\n    + >=24\n',
  );
});

test('a new entry point needs a minor changeset', () => {
  expect(faultsOf('more')).toMatch(/but no changeset says minor:\n[^]* {2}made_more_extra is new\n/);
});

test('a major changeset, or a major version without a tag yet, announces everything', () => {
  expect([faultsOf('announced'), faultsOf('released')]).toEqual(['', '']);
});

test('a report must be current', () => {
  expect(faultsIn('bounded').find((fault) => STALE.test(fault))).toBe(
    `packages/bounded/api.md is not the API of @made/bounded:
    - Name: {"type":"string","maxLength":255}
    + Name: {"type":"string","maxLength":20}
Update it: pnpm api:report`,
  );
  expect(faultsIn('announced')).toHaveLength(1);
  expect(faultsIn('same')).toEqual([]);
});

test('an export needs a comment, and each type in it a name', () => {
  expect(faultsOf('silent').split('\n\n')).toEqual([
    '@made/silent uses the type Facts in an export, but does not export it. Export it.',
    '@made/silent exports get without a comment. Say what a caller can rely on.',
  ]);
  expect(checked.flatMap(({ name, release }) => (release ? [] : [name]))).toEqual(['@made/silent']);
});

test('the last release is not newer than the package, and no snapshot', async () => {
  const tags = ['@made/a@1.10.0', '@made/a@2.0.0', '@made/a@0.0.0-pr-1', '@made/a@next', '@made/b@1.0.0'];
  const found = ['1.9.0', '1.10.1', '3.0.0'].map((version) =>
    lastRelease(workspace.folder, { name: '@made/a', version }, tags),
  );
  expect((await Promise.all(found)).map((x) => x)).toEqual([undefined, '1.10.0', '2.0.0']);
});

test('a shallow clone without tags is told to fetch them', async () => {
  const clone = await mkdtemp(join(tmpdir(), 'hr-clone-'));
  await workspace.git('clone', '--quiet', '--depth', '1', '--no-tags', `file://${workspace.folder}`, clone);
  const version = '1.2.0';
  await expect(lastRelease(clone, { name: '@made/more', version }, [])).rejects.toThrow('git fetch --tags');
  expect(await lastRelease(clone, { name: '@made/silent', version }, [])).toBeUndefined();
  await rm(clone, { recursive: true });
});

const packages = await checkApi(fileURLToPath(new URL('../../..', import.meta.url)));

test.each(packages)('the API of $name is reported, and changesets announce its changes', ({ faults }) => {
  expect(faults.join('\n\n')).toBe('');
});
