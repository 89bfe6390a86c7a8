import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { docstringExamples } from './docstring-examples.ts';
import { exportedNames } from './exported-names.ts';
import { programOfExample } from './program-of-example.ts';
import type { Exports } from './program-of-example.ts';
import type { Program } from './program.ts';
import { readWorkspaceFile, workspace, workspaceFiles } from './workspace.ts';
import { PROGRAMS_FOLDER } from './write-programs.ts';

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, { readonly '@hr/source': string }>>;
}

/** An entry point of a package: its source, and what it exports. */
interface EntryPoint extends Exports {
  readonly folder: string;
  readonly source: string;
}

/** Every `@example` in the sources of the packages. */
export async function examplePrograms(): Promise<Program[]> {
  const entryPoints = await readEntryPoints();
  const sources = await workspaceFiles('packages/*/src/**/*.ts');
  const programs = await Promise.all(
    sources.map(async (source) => {
      const text = await readWorkspaceFile(source);
      const examples = docstringExamples(source, text);
      if (examples.length === 0) return [];
      const modules = [
        ...nearestFirst(entryPoints, source),
        { from: fromProgram(source, builtFile(source)), names: exportedNames(text) },
        await surroundingsOf(source),
      ];
      return examples.map((example) => programOfExample(example, modules));
    }),
  );
  return programs.flat();
}

async function readEntryPoints(): Promise<EntryPoint[]> {
  const manifests = await workspaceFiles('packages/*/package.json');
  const found = await Promise.all(
    manifests.map(async (path) => {
      const { name, exports } = JSON.parse(await readWorkspaceFile(path)) as Manifest;
      const folder = dirname(path);
      return Promise.all(
        Object.entries(exports).map(async ([entry, { '@hr/source': file }]) => {
          const source = join(folder, file);
          return { from: join(name, entry), folder, source, names: exportedNames(await readWorkspaceFile(source)) };
        }),
      );
    }),
  );
  return found.flat();
}

/** The entry point beside the source, then the others of its package, then the models, then those of other packages. */
function nearestFirst(entryPoints: readonly EntryPoint[], source: string): EntryPoint[] {
  const nearness = (entry: EntryPoint): number =>
    2 * Number(source.startsWith(`${entry.folder}/`)) +
    2 * Number(source.startsWith(`${dirname(entry.source)}/`)) +
    Number(entry.from === '@hr/schemas');
  return entryPoints.toSorted((one, other) => nearness(other) - nearness(one));
}

/** An example of what is not public is for whoever works on it. */
function builtFile(source: string): string {
  return join(workspace, source.replace('/src/', '/dist/').replace(/\.ts$/, '.js'));
}

async function surroundingsOf(source: string): Promise<Exports> {
  const [, name = ''] = source.split('/');
  const path = fileURLToPath(new URL(`../surroundings/${name}.ts`, import.meta.url));
  const [exists] = await workspaceFiles(relative(workspace, path));
  return { from: fromProgram(source, path), names: exists ? exportedNames(await readWorkspaceFile(exists)) : [] };
}

/** How a program in the folder of a source imports a file. */
function fromProgram(source: string, path: string): string {
  return relative(join(PROGRAMS_FOLDER, source), path);
}
