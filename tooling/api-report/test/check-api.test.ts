import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from 'tooling-release/run';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiReports } from '../src/api-report.ts';
import { checkApi } from '../src/check-api.ts';
import { lastTag } from '../src/last-release.ts';
import { breaking, compatible } from './changes.ts';

/** A package as it was built. */
interface Built {
  /** Its declarations, by entry point. */
  readonly types: Readonly<Record<string, string>>;
  readonly manifest?: object;
  /** Its other files. In its modules, each exported value is a number. */
  readonly files?: Readonly<Record<string, string>>;
}

const documented = (code: string): string =>
  `${code.replaceAll(/(?<!\*\/\n)^(?=export (?!\{|type \{))/gm, '/** What it is. */\n')}\nexport {};\n`;
const only = (code: string, more: Partial<Built> = {}): Built => ({ types: { index: documented(code) }, ...more });
const get = only('export declare function get(id: string): void;');
const more = { types: { ...get.types, extra: documented('export declare const a: 1;') } };
const bounded = only("import { z } from 'zod';\nexport declare const Name: z.ZodString;", {
  files: {
    'dist/index.js': `import { z } from '${import.meta.resolve('zod')}';\nexport const Name = z.string().max(20);\n`,
  },
});
const options = (name: string): Built =>
  only(`export interface Options {\n  ${name}?: number;\n}\nexport declare function get(options: Options): void;`);
const changes = Object.entries({ ...breaking, ...compatible });
const idOf = (title: string): string => `change-${changes.findIndex(([name]) => name === title)}`;
const silent =
  'interface Facts {\n  a: 1;\n}\n/** How. */\nexport interface Options { a?: 1; b?: 1 | undefined; c?: unknown }\nexport declare function get(facts: Facts): void;\nexport {};';

/** Each package as it was released, unless it was not, and as it is now. */
const packages: Readonly<Record<string, readonly [before: Built | undefined, now: Built]>> = {
  announced: [get, only('export {};')],
  bounded: [bounded, bounded],
  entry: [more, get],
  installed: [
    { ...get, manifest: { bin: { do: './do.js' }, engines: { node: '>=22' } } },
    { ...get, manifest: { engines: { node: '>=24' } } },
  ],
  more: [get, more],
  options: [options('timeout'), options('timeoutMs')],
  program: [
    only('export declare const port: number;', {
      files: {
        'README.md': '`run.ts`\n\n```ts\nimport { port } from "@made/program";\n\nexport const next = port + 1;\n```\n',
      },
    }),
    only('export declare const port: number | string;'),
  ],
  released: [get, only('export {};', { manifest: { version: '2.0.0' } })],
  same: [get, get],
  silent: [undefined, { types: { index: silent } }],
  ...Object.fromEntries(changes.map(([title, [before, now]]) => [idOf(title), [only(before), only(now)]])),
};

const folder = await mkdtemp(join(tmpdir(), 'hr-made-'));
const git = (...args: readonly string[]): Promise<string> =>
  run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

const VALUE = /(?<=^export declare (?:class|const|function) )[\w$]+/gm;

async function build(side: 0 | 1): Promise<void> {
  const files = Object.entries(packages).flatMap(([name, sides]) => {
    if (!sides[side]) return [];
    const { types, manifest, files: others } = sides[side];
    const exports = Object.fromEntries(
      Object.keys(types).map((entry) => [
        entry === 'index' ? '.' : `./${entry}`,
        { types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` },
      ]),
    );
    const facts = { name: `@made/${name}`, version: '1.2.0', type: 'module', exports, ...manifest };
    const built = Object.entries(types).flatMap(([entry, code]) => {
      const values = Array.from(new Set(code.match(VALUE)), (value) => `export const ${value} = 0;\n`);
      return [[`dist/${entry}.d.ts`, code] as const, [`dist/${entry}.js`, values.join('')] as const];
    });
    const texts = { 'package.json': JSON.stringify(facts), 'README.md': '', ...Object.fromEntries(built), ...others };
    return Object.entries(texts).map(([path, text]) => [`packages/${name}/${path}`, text] as const);
  });
  await Promise.all(files.map(([path, text]) => write(path, text)));
}

let checked: Awaited<ReturnType<typeof checkApi>>;
const STALE = /^packages.*api\.md is not the API of /;
/** The packages made here have short types. */
const REFUSES = /does not accept undefined/;
const find = (name: string) => checked.find((one) => one.name === `@made/${name}`);
const faultsOf = (name: string): string =>
  (find(name)?.faults ?? ['?']).filter((fault) => !STALE.test(fault) && !REFUSES.test(fault)).join('\n\n');

beforeAll(async () => {
  await write('package.json', '{ "private": true }');
  await write('pnpm-workspace.yaml', 'packages: [packages/*]\ncatalog:\n  one: ^1.2.0\n');
  await git('init', '--quiet');
  await build(0);
  const reports = await apiReports(folder);
  await Promise.all(
    reports.map((one) => writeFile(join(one.folder, 'api.md'), one.text.replace('maxLength":20', 'maxLength":255'))),
  );
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Release');
  const commit = await git('rev-parse', 'HEAD');
  await Promise.all(reports.map(({ name }) => write(`.git/refs/tags/${name}@1.2.0`, commit)));
  await write('.git/refs/tags/@made/same@2.0.0', await git('commit-tree', '-m', 'Elsewhere', 'HEAD^{tree}'));
  await git('commit', '--quiet', '--allow-empty', '--message', 'Change');
  await git('tag', '@made/same@next');
  await git('tag', '@made/same@0.0.0-pr-1');
  await build(1);
  const announced = ['announced', 'options', ...changes.map(([title]) => idOf(title))];
  const minor = announced.map((name) => `'@made/${name}': minor\n`).join('');
  await write('.changeset/a.md', `---\n${minor}---\n\nSomething.\n`);
  await write('.changeset/b.md', "---\n'@made/announced': major\n---\n\nSomething.\n");
  checked = await checkApi(folder);
});
afterAll(() => rm(folder, { recursive: true }));

test.each(Object.keys(breaking))('breaking: %s', (title) => {
  expect(faultsOf(idOf(title))).toMatch(/can break .*, but no changeset says major:/);
});

test.each(Object.keys(compatible))('compatible: %s', (title) => {
  expect(faultsOf(idOf(title))).toBe('');
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

test.each([
  ['entry', /says major:\n[^]* {2}made_entry_extra is removed\n/],
  ['program', /says major:\n[^]*README\.md of @made\/program, line 6: Operator '\+' cannot be applied/],
  ['bounded', /says major:\n {2}values of Name\n {4}- .*"maxLength":255\}\n {4}\+ .*"maxLength":20\}\n/],
  ['installed', /says major:\n {2}command do is removed\n {4}- .\/do.js\n {2}engine node\n {4}- >=22\n {4}\+ >=24\n/],
  ['more', /says minor:\n[^]* {2}made_more_extra is new\n/],
])('the change of %s needs a changeset', (name, fault) => {
  expect(faultsOf(name)).toMatch(fault);
});

test('a major changeset, or a major version without a tag yet, announces everything', () => {
  expect([faultsOf('announced'), faultsOf('released')]).toEqual(['', '']);
});

test('a report must be current', () => {
  expect(find('bounded')?.faults.find((fault) => STALE.test(fault))).toBe(
    `packages/bounded/api.md is not the API of @made/bounded:
    - Name: {"type":"string","maxLength":255}
    + Name: {"type":"string","maxLength":20}
Update it: pnpm api:report`,
  );
  const stale = (name: string) => find(name)?.faults.filter((fault) => STALE.test(fault)).length;
  expect([stale('announced'), stale('same')]).toEqual([1, 0]);
});

test('an option accepts undefined', () => {
  expect(find('silent')?.faults.filter((fault) => REFUSES.test(fault))).toEqual([
    '@made/silent: Options has the option a, which does not accept undefined under exactOptionalPropertyTypes. Add "| undefined" to its type.',
  ]);
});

test('an export needs a comment, and each type in it a name', () => {
  expect(faultsOf('silent').split('\n\n')).toEqual([
    '@made/silent uses the type Facts in an export, but does not export it. Export it.',
    '@made/silent exports get without a comment. Say what a caller can rely on.',
  ]);
});

test('the last release is before this commit, and no snapshot', () => {
  expect([find('same')?.release, find('silent')?.release]).toEqual(['1.2.0', undefined]);
});

test('a shallow clone without tags is told to fetch them', async () => {
  const clone = await mkdtemp(join(tmpdir(), 'hr-clone-'));
  await git('clone', '--quiet', '--depth', '1', '--no-tags', `file://${folder}`, clone);
  await expect(lastTag(clone, '@made/more')).rejects.toThrow('git fetch --unshallow --tags');
  expect(await lastTag(clone, '@made/silent')).toBe('');
  await rm(clone, { recursive: true });
});

const ours = await checkApi(fileURLToPath(new URL('../../..', import.meta.url)));

test.each(ours)('the API of $name is reported, and changesets announce its changes', ({ faults }) => {
  expect(faults.join('\n\n')).toBe('');
});
