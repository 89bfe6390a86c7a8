import { join, relative } from 'node:path';
import { PROGRAMS_FOLDER, type Program } from './programs.ts';
import { readPackages, readWorkspaceFiles, workspace } from './workspace.ts';

/** Names, and the module that they are imported from. */
interface Exports {
  readonly from: string;
  /** Each as it is imported: `Person`, `type Person`. */
  readonly names: readonly string[];
}

/** Every `@example` in the sources of the packages. */
export async function examplePrograms(): Promise<Program[]> {
  const sources = await readWorkspaceFiles('{packages/*/src/**/*,tooling/documents/surroundings/*}.ts');
  const exportsOf = (from: string, path: string): Exports => ({ from, names: exportedNames(sources.get(path) ?? '') });
  const packages = (await readPackages()).filter(({ folder }) => folder.startsWith('packages/'));
  const modules = packages.flatMap(({ folder, name, exports = {} }) =>
    Object.entries(exports).map(([entry, { '@hr/source': file }]) => ({
      folder,
      ...exportsOf(join(name, entry), join(folder, file)),
    })),
  );
  const models = modules.filter(({ from }) => from === '@hr/schemas');
  return Array.from(sources, ([source, text]) => {
    const own = modules.filter(({ folder }) => source.startsWith(`${folder}/`));
    // What examples speak of without making it.
    const surroundings = `tooling/documents/surroundings/${source.split('/')[1]}.ts`;
    const from = relative(join(PROGRAMS_FOLDER, source), join(workspace, surroundings));
    return examplesIn(source, text, [...own, ...models, ...modules, exportsOf(from, surroundings)]);
  }).flat();
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

/** The names that a module exports, each as it is imported: `Person`, `type Person`. */
function exportedNames(module: string): string[] {
  const lists = Array.from(module.matchAll(/^export (type )?\{([^}]*)\}/gm), ([, type = '', list = '']) =>
    Array.from(list.matchAll(/\b(?!default\b)\w+(?=\s*(?:,|$))/g), ([name]) => `${type}${name}`),
  );
  const declared = module.matchAll(/^export (?:declare |async )*(?:(type|interface)|const|function|class) (\w+)/gm);
  return [...lists.flat(), ...Array.from(declared, ([, type, name = '']) => (type ? `type ${name}` : name))];
}
