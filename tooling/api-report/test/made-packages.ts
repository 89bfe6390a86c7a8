import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { apiPackages } from '../src/api-package.ts';
import { apiReports } from '../src/api-reports.ts';
import type { ApiReport } from '../src/api-reports.ts';

/** Files of a package as it was built: their declarations, by name without ending. One with `_` is no entry point. */
export type Built = Readonly<Record<string, string>>;

const VALUE = /^export declare (?:abstract )?(?:class|const|function) ([\w$]+)/gm;
const EXPORTS = /^export (?!type)(?:\{[^}]*\} from .*|default .*)$/gm;

export async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** Writes a package as it was built. Its values are numbers, but for those of the modules that are given. */
export async function writePackage(folder: string, manifest: object, built: Built, modules: Built = {}): Promise<void> {
  const names = Object.keys(built).filter((name) => !name.startsWith('_'));
  const exports = Object.fromEntries(
    names.map((name) => [
      name === 'index' ? '.' : `./${name}`,
      { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
    ]),
  );
  await write(join(folder, 'package.json'), JSON.stringify({ type: 'module', exports, ...manifest }));
  for (const [name, declarations] of Object.entries(built)) {
    const values = new Set(Array.from(declarations.matchAll(VALUE), ([, value]) => value));
    const module = [
      ...Array.from(values, (value) => `export const ${value} = 0;`),
      ...(declarations.match(EXPORTS) ?? []),
    ];
    // oxlint-disable-next-line no-await-in-loop -- a few small files
    await write(join(folder, 'dist', `${name}.d.ts`), `${declarations}\n`);
    // oxlint-disable-next-line no-await-in-loop
    await write(
      join(folder, 'dist', `${name}.js`),
      modules[name] ??
        `${module.join('\n').replaceAll(/^export default (?:class|function).*$/gm, 'export default 0;')}\n`,
    );
  }
}

/** A new folder for a workspace. It is removed with the value. */
export async function madeWorkspace(): Promise<AsyncDisposable & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'hr-made-'));
  await write(join(folder, 'pnpm-workspace.yaml'), 'catalog:\n  one: ^1.2.0\n');
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** The reports of packages of the same name, in their order. One compiler reads them. */
export async function reportsOf(packages: readonly Built[]): Promise<ApiReport[]> {
  await using workspace = await madeWorkspace();
  const folderOf = (index: number): string => join(workspace.folder, 'packages', String(index).padStart(4, '0'));
  await Promise.all(packages.map((built, index) => writePackage(folderOf(index), { name: 'made' }, built)));
  return await apiReports(await apiPackages(workspace.folder));
}
