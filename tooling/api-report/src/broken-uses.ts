import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt } from 'tooling-release/run';
import type { Api, Export } from './api.ts';
import { comparableTypes } from './comparable-types.ts';
import { compilerOptions } from './extract.ts';
import { TOOLS, usesOf } from './uses.ts';

/** A package as it was released, and as it is now. */
export interface Compared {
  readonly name: string;
  readonly folder: string;
  readonly before: Api;
  readonly now: Api;
  /** The README of the release. */
  readonly readme: string;
}

/** A use of a released package that does not compile with its types of now. */
export interface BrokenUse {
  readonly package: string;
  /** The used export; nothing for a program of the README. */
  readonly of?: Export;
  readonly place: string;
  /** What the compiler says; `undefined` if it says so even of types that have not changed. */
  readonly reason: string | undefined;
}

/** A file of uses, which is compiled on two sides: in `again`, the types of now are the released ones. */
interface UsesFile {
  readonly package: string;
  readonly file: string;
  readonly text: (side: string) => string;
  readonly at: (line: number) => Pick<BrokenUse, 'of' | 'place'>;
}

type Files = (readonly [path: string, text: string])[];

/** What packages depend on is found from here. */
const MODULES = fileURLToPath(new URL('../node_modules/', import.meta.url));
const OPTIONS = { types: ['node'], allowImportingTsExtensions: true, noEmit: true };
const FAULT = /^([^\s(]+)\((\d+),\d+\): error TS\d+: (.*(?:\n .*)*)/gm;
const PROGRAM = /^(?:`([\w.-]+)`\n\n)?```ts\n(.*?)^```$/gms;

/** Compiles the uses of all packages in one run of the compiler. */
export async function brokenUses(packages: readonly Compared[]): Promise<BrokenUse[]> {
  const cwd = await mkdtemp(join(MODULES, '.compare-'));
  const makeFolder = (path: string): Promise<unknown> => mkdir(dirname(join(cwd, path)), { recursive: true });
  try {
    const uses = packages.flatMap((one) => [usesFile(one), ...programFiles(one)]);
    const files: Files = [
      ['package.json', '{ "type": "module" }'],
      [
        'tsconfig.json',
        JSON.stringify({ compilerOptions: { ...compilerOptions, ...OPTIONS }, include: ['again', 'now'] }),
      ],
      ['tools.d.ts', TOOLS],
      ...uses.flatMap(({ file, text }) => ['again', 'now'].map((side) => [`${side}/${file}`, text(side)] as const)),
      ...packages.flatMap(typesFiles),
    ];
    await Promise.all([
      ...files.map(([path, text]) => makeFolder(path).then(() => writeFile(join(cwd, path), text))),
      ...packages.map(async ({ name, folder }) => {
        await makeFolder(`now/node_modules/${name}`);
        await symlink(folder, join(cwd, 'now/node_modules', name));
      }),
    ]);
    const faults = await compile(cwd);
    return uses.flatMap(({ package: name, file, at }) =>
      Array.from(faults.get(`now/${file}`) ?? [], ([line, reason]) => {
        const isNew = !faults.get(`again/${file}`)?.has(line);
        return { package: name, ...at(line), reason: isNew ? reason : undefined };
      }),
    );
  } finally {
    await rm(cwd, { recursive: true });
  }
}

function usesFile({ name, before }: Compared): UsesFile {
  const uses = usesOf(before);
  const head = (side: string): string[] => [
    "import type { Removed } from '../tools.d.ts'; declare function a<T>(): T;",
    `import type * as before from '../types/before/node_modules/${name}/api.js';`,
    `import * as now from '../types/${side}/node_modules/${name}/api.js';`,
  ];
  return {
    package: name,
    file: `${name.replace('/', '-')}.ts`,
    text: (side) => [...head(side), ...uses.map(({ code }) => code)].join('\n'),
    at(line) {
      const use = uses[line - head('').length - 1];
      return use ? { of: use.of, place: `${use.of.name} of ${specifierOf(use.of.namespace, name)}` } : { place: name };
    },
  };
}

/** The programs of a README, as files of one folder. */
function programFiles({ name, readme }: Compared): UsesFile[] {
  return Array.from(readme.matchAll(PROGRAM), ([block, file, code = ''], index) => {
    const start = readme.slice(0, readme.indexOf(block) + block.indexOf('```ts')).split('\n').length;
    return {
      package: name,
      file: `${name.replace('/', '-')}/${file ?? `${index}.ts`}`,
      text: () => `${code}export {};\n`,
      at: (line) => ({ place: `README.md of ${name}, line ${start + line}` }),
    };
  });
}

/** The types that are compared, and those of the released programs. */
function typesFiles({ name, before, now }: Compared): Files {
  const released = { api: before, module: `../../../../before/node_modules/${name}/api.js` };
  return [
    ...moduleFiles('types/before', name, before, comparableTypes(before)),
    ...moduleFiles('types/again', name, before, comparableTypes(before, released)),
    ...moduleFiles('types/now', name, now, comparableTypes(now, released)),
    ...moduleFiles('again', name, before, before.code),
  ];
}

/** A package with some declarations, and a module for each entry point. */
function moduleFiles(folder: string, name: string, { exports }: Api, declarations: string): Files {
  const path = `${folder}/node_modules/${name}`;
  const entryPoints = Object.entries(Object.groupBy(exports, ({ namespace }) => namespace));
  const paths = entryPoints.map(([namespace]) => [
    `.${specifierOf(namespace, name).slice(name.length)}`,
    `./${namespace}.d.ts`,
  ]);
  return [
    [`${path}/package.json`, JSON.stringify({ name, type: 'module', exports: Object.fromEntries(paths) })],
    // In declarations without a statement that exports, all is exported.
    [`${path}/api.d.ts`, `${declarations}\nexport interface $Module {}\n`],
    ...entryPoints.map(([namespace, all = []]) => {
      const names = all.map((one) => `${one.isTypeOnly ? 'type ' : ''}${one.local} as ${one.name}`);
      return [`${path}/${namespace}.d.ts`, `export { ${names.join(', ')} } from './api.js';\n`] as const;
    }),
  ];
}

/** What the compiler finds wrong, by file and line. */
async function compile(cwd: string): Promise<Map<string, Map<number, string>>> {
  const args = [join(MODULES, 'typescript/bin/tsc'), '-p', cwd, '--pretty', 'false'];
  const { succeeded, stdout, stderr } = await attempt(process.execPath, args, { cwd });
  const faults = new Map<string, Map<number, string>>();
  for (const [, file = '', line = '', message = ''] of stdout.matchAll(FAULT)) {
    // The last line of a message is the most specific one.
    const reason =
      message
        .replaceAll(/import\("[^"]*"\)\.?/g, '')
        .split('\n')
        .at(-1)
        ?.trim() ?? '';
    const removed = /^Type '(.*)' is not assignable to type 'never'\.$/.exec(reason)?.[1];
    faults.set(file, new Map([[Number(line), removed ? `has no ${removed}` : reason], ...(faults.get(file) ?? [])]));
  }
  if (!succeeded && faults.size === 0) throw new Error(`The compiler failed:\n${stdout}${stderr}`);
  return faults;
}

/** `@hr/client/mirror` of `hr_client_mirror`. */
function specifierOf(namespace: string, name: string): string {
  return `${name}${namespace.slice(name.length - 1).replaceAll('_', '/')}`;
}
