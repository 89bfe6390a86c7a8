import { mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt } from 'tooling-release/run';
import { reachable } from './api.ts';
import { namespaceOf } from './api-report.ts';
import { comparableTypes, formsOf, type Form } from './comparable-types.ts';
import { compilerOptions } from './extract.ts';
import type { Compared } from './last-release.ts';

/** A use of a released package that does not compile with its types of now. */
export interface BrokenUse {
  readonly package: string;
  readonly place: string;
  /** The declarations on which it depends; none for a program of the README. */
  readonly names: readonly string[];
  /** What the compiler says; `undefined` if it says so even of types that have not changed. */
  readonly reason: string | undefined;
}

type Files = readonly (readonly [path: string, text: string])[];

/** What packages depend on is found from here. */
const MODULES = fileURLToPath(new URL('../node_modules/', import.meta.url));
const REMOVED = fileURLToPath(new URL('removed.ts', import.meta.url));
const OPTIONS = { ...compilerOptions, types: ['node'], allowImportingTsExtensions: true, noEmit: true };
const FAULT = /^([^\s(]+)\((\d+),\d+\): error TS\d+: (.*(?:\n .*)*)/gm;
const PROGRAM = /^(?:`([\w.-]+)`\n\n)?```ts\n(.*?)^```$/gms;
const MODULE = /(?<= from ')[^']+/g;

/** Compiles the uses of all packages in one run of the compiler. In `again`, the types of now are the released ones. */
export async function brokenUses(packages: readonly Compared[]): Promise<BrokenUse[]> {
  await using folder = await mkdtempDisposable(join(MODULES, '.compare-'));
  const makeFolder = async (path: string): Promise<string> => {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    return join(folder.path, path);
  };
  const isOurs = (module: string): boolean => packages.some(({ name }) => `${module}/`.startsWith(`${name}/`));
  const files: Files = [
    ['package.json', '{ "type": "module" }'],
    ['tsconfig.json', JSON.stringify({ compilerOptions: OPTIONS, include: ['again', 'now', 'readme'] })],
    ...packages.flatMap((one) => [...typesFiles(one, isOurs), ...useFiles(one), ...programFiles(one)]),
  ];
  await Promise.all([
    ...files.map(async ([path, text]) => writeFile(await makeFolder(path), text)),
    ...packages.map(async (one) => symlink(one.folder, await makeFolder(`readme/node_modules/${one.name}`))),
  ]);
  const faults = await compile(folder.path);
  return packages.flatMap(({ name, before }): BrokenUse[] => {
    const forms = formsOf(before);
    const [known = [], broken = [], programs = []] = ['again/', 'now/', 'readme/'].map((side) =>
      faults.filter(({ file }) => file.startsWith(`${side}${namespaceOf(name)}/`)),
    );
    const inForms = broken.map(({ line, reason }) => {
      const of = forms[line - 2]?.of;
      if (!of) throw new Error(`tooling-api-report needs what ${name} imports: ${reason}`);
      const place = `${of.name} of @${of.namespace.replaceAll('_', '/')}`;
      const names = [...reachable([of.local], before), of.namespace];
      const isKnown = known.some((fault) => fault.line === line);
      return { package: name, place, names, reason: isKnown ? undefined : reason };
    });
    // A program may need packages that only its users install.
    const judged = programs.filter(({ missing }) => missing === undefined || isOurs(missing));
    const place = `README.md of ${name}, line `;
    return [
      ...inForms,
      ...judged.map(({ line, reason }) => ({ package: name, place: place + line, names: [], reason })),
    ];
  });
}

/** The types that are compared: for each side a module with all, and one for each entry point. */
function typesFiles({ name, before, now }: Compared, isOurs: (module: string) => boolean): Files {
  const all = `${namespaceOf(name)}/all`;
  const released = { api: before, module: `../../before/${all}.js` };
  const sides = [
    ['before', before, comparableTypes(before)],
    ['again', before, comparableTypes(before, released)],
    ['now', now, comparableTypes(now, released)],
  ] as const;
  return sides.flatMap(([side, { exports }, types]) => {
    const linked = types.replaceAll(MODULE, (module) => (isOurs(module) ? `../${namespaceOf(module)}.js` : module));
    return [
      // In declarations without a statement that exports, all is exported.
      [`${side}/${all}.d.ts`, `${linked}\nexport interface $Module {}\n`],
      ...exports.map(({ namespace }): [string, string] => [
        `${side}/${namespace}.d.ts`,
        `import { ${namespace} } from './${all}.js';\nexport = ${namespace};\n`,
      ]),
    ];
  });
}

/** The uses of a package on both sides. The first line imports what they need; each other line uses a form. */
function useFiles({ name, before, now }: Compared): Files {
  const head = [
    `import type { Removed } from '${REMOVED}';`,
    `import type * as before from '../../before/${namespaceOf(name)}/all.js';`,
    "import type * as now from './all.js';",
    // What cannot be found would be `any`.
    ...(now.code.match(MODULE) ?? []).map((module) => `import type {} from '${module}';`),
    'declare function a<T>(): T; declare function use<T>(value: T): void;',
  ];
  const text = [head.join(' '), ...formsOf(before).map(usesOf)].join('\n');
  return ['again', 'now'].map((side) => [`${side}/${namespaceOf(name)}/uses.ts`, text]);
}

/**
 * What users can do with a form. They can use what it has now as what it had. To take a value from the package, the type
 * of now must be assignable to the released one; to give it one, the other way round.
 */
function usesOf({ of, name, flow, inputs = [] }: Form): string {
  const [before, now] = [`before.${name}`, `now.${name}`];
  const uses = [`use<never>(a<Removed<${before}, ${now}>>());`];
  if (flow === 'taken' || flow === 'both') uses.push(`use<${before}>(a<${now}>());`);
  if (flow === 'given' || flow === 'both') uses.push(`use<${now}>(a<${before}>());`);
  return [...uses, ...inputs.map((input) => `use(a<now.${of.namespace}.${of.name}<${input}>>());`)].join(' ');
}

/** The programs of a README, as files of one folder, each on its lines of the README. */
function programFiles({ name, readme }: Compared): Files {
  return Array.from(readme.matchAll(PROGRAM), ({ 0: block, 1: file, 2: code = '', index }) => {
    const above = readme.slice(0, index + block.lastIndexOf(code)).replaceAll(/.+/g, '');
    return [`readme/${namespaceOf(name)}/${file ?? `${index}.ts`}`, `${above}${code}export {};\n`];
  });
}

/** What the compiler finds wrong. */
async function compile(cwd: string) {
  const args = [join(MODULES, 'typescript/bin/tsc'), '-p', cwd, '--pretty', 'false', '--singleThreaded'];
  const { succeeded, stdout, stderr } = await attempt(process.execPath, args, { cwd });
  const faults = Array.from(stdout.matchAll(FAULT), ([, file = '', line, message = '']) => {
    // The last line of a message is the most specific one.
    const last = message.trim().split('\n').at(-1)?.trim() ?? '';
    const reason = last
      .replaceAll(/import\("[^"]*"\)\.?/g, '')
      .replace(/.*[Tt]ype '(".*?")' is not assignable to .*'never'\.$/, 'has no $1')
      .replace(/.* has no exported member .*/, 'is no longer exported');
    return { file, line: Number(line), reason, missing: /^Cannot find module '(.*?)'/.exec(reason)?.[1] };
  });
  if (!succeeded && faults.length === 0) throw new Error(`The compiler failed:\n${stdout}${stderr}`);
  return faults;
}
