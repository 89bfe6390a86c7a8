import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-6';
import { homeFolder, runHr, type Ended } from './run-hr.ts';

type Files = Readonly<Record<string, string>>;

/** A folder with these files. */
export async function folderWith(files: Files): Promise<string> {
  const folder = await homeFolder();
  const writes = Object.entries(files).map(async ([name, text]) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  });
  await Promise.all(writes);
  return folder;
}

const compilerOptions = {
  strict: true,
  target: 'es2024',
  lib: ['es2024'],
  module: 'nodenext',
  jsx: 'preserve',
  types: [],
};

/** A TypeScript project with these files, and with packages of this workspace. */
export async function projectWith(files: Files, packages: Files = { typescript: 'typescript-6' }): Promise<string> {
  const folder = await folderWith({ 'tsconfig.json': JSON.stringify({ compilerOptions }), ...files });
  const links = Object.entries(packages).map(async ([name, target]) => {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(fileURLToPath(new URL(`../node_modules/${target}`, import.meta.url)), link);
  });
  await Promise.all(links);
  return folder;
}

/** Runs `hr upgrade-names` in a folder. Paths in its output are relative to it. */
export async function upgrade(folder: string, ...args: readonly string[]): Promise<Ended> {
  const given = args.map((arg) => (arg.startsWith('--') ? arg : join(folder, arg)));
  const { code, stdout, stderr } = await runHr(['upgrade-names', ...given]);
  return { code, stdout: stdout.replaceAll(`${folder}/`, ''), stderr: stderr.replaceAll(`${folder}/`, '') };
}

/** The texts of files in a folder. */
export async function textsIn(folder: string, names: Iterable<string>): Promise<Record<string, string>> {
  const texts = Array.from(names, async (name) => [name, await readFile(join(folder, name), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts));
}

/** What the type check of a project finds. */
export function typeErrorsIn(folder: string): string[] {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const parsed = ts.getParsedCommandLineOfConfigFile(join(folder, 'tsconfig.json'), {}, host);
  const program = ts.createProgram(parsed?.fileNames ?? [], { ...parsed?.options, noEmit: true });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
