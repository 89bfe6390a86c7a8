import { join, relative } from 'node:path';
import type { Program } from './programs.ts';
import { PROGRAMS_FOLDER } from './programs.ts';
import { readPackages, readWorkspaceFile, workspace, workspaceFiles } from './workspace.ts';

/** Names, and the module that they are imported from. */
interface Exports {
  readonly from: string;
  /** Each as it is imported: `Person`, `type Person`. */
  readonly names: readonly string[];
}

/** Every `@example` in the sources of the packages. */
export async function examplePrograms(): Promise<Program[]> {
  const packages = (await readPackages()).filter(({ folder }) => folder.startsWith('packages/'));
  const entryPoints = packages.flatMap(({ folder, name, exports = {} }) =>
    Object.entries(exports).map(async ([entry, { '@hr/source': file }]) => {
      const names = exportedNames(await readWorkspaceFile(join(folder, file)));
      return { from: join(name, entry), folder, names };
    }),
  );
  const modules = await Promise.all(entryPoints);
  const models = modules.filter(({ from }) => from === '@hr/schemas');
  const sources = await workspaceFiles('packages/*/src/**/*.ts');
  const programs = sources.map(async (source) => {
    const own = modules.filter(({ folder }) => source.startsWith(`${folder}/`));
    const all = [...own, ...models, ...modules, await surroundingsOf(source)];
    return examplesIn(source, await readWorkspaceFile(source), all);
  });
  return (await Promise.all(programs)).flat();
}

/** The examples in the comments of a source file, each as a file that imports all that it names. Earlier modules win. */
export function examplesIn(source: string, text: string, modules: readonly Exports[]): Program[] {
  const examples = text.matchAll(/^ *\* @example\n(.*?)(?=^ *\* @|^ *\*\/)/gms);
  return Array.from(examples, ({ 1: lines = '', index }) => {
    // Some are fenced.
    const code = lines.replaceAll(/^ *\* ?(?:```\w*$)?/gm, '');
    const line = text.slice(0, index).split('\n').length + 1;
    const words = new Set(code.match(/\w+/g));
    const imports = modules.flatMap(({ from, names }) => {
      const used = names.filter((name) => words.delete(name.replace('type ', '')));
      return used.length > 0 ? [`import { ${used.join(', ')} } from '${from}';`] : [];
    });
    // In a block of its own, an example may declare a name that is imported.
    const [begin, end] = /^(ex|im)port /m.test(code) ? ['', ''] : ['{ ', '}'];
    const program = `${imports.join(' ')}${'\n'.repeat(line - 1)}${begin}${code}\n${end}\n`;
    return { file: `${source}/line-${line}.ts`, text: program };
  });
}

/** What the examples of a package speak of without making it. */
async function surroundingsOf(source: string): Promise<Exports> {
  const [path = ''] = await workspaceFiles(`tooling/documents/surroundings/${source.split('/')[1]}.ts`);
  const from = relative(join(PROGRAMS_FOLDER, source), join(workspace, path));
  return { from, names: path === '' ? [] : exportedNames(await readWorkspaceFile(path)) };
}

/** The names that a module exports, each as it is imported: `Person`, `type Person`. */
function exportedNames(module: string): string[] {
  const lists = Array.from(module.matchAll(/^export (type )?\{([^}]*)\}/gm), ([, type = '', list = '']) =>
    Array.from(list.matchAll(/\b(?!default\b)\w+(?=\s*(?:,|$))/g), ([name]) => `${type}${name}`),
  );
  const declared = module.matchAll(/^export (?:declare |async )*(?:(type|interface)|const|function|class) (\w+)/gm);
  return [...lists.flat(), ...Array.from(declared, ([, type, name = '']) => (type ? `type ${name}` : name))];
}
