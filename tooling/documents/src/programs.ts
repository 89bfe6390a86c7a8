import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { CodeBlock } from './code-blocks.ts';

/** TypeScript that a file of the workspace shows, as a file of its own: its lines have the numbers they have there. */
export interface Program {
  readonly shownIn: string;
  /** Its file, in the folder of all programs. */
  readonly file: string;
  readonly text: string;
}

/** Where programs find the built packages, as a project that installed them does. */
export const PROGRAMS_FOLDER = fileURLToPath(new URL('../reports/programs', import.meta.url));

/** Where the pages say that the HR Cloud is: the demo's address. */
const DEMO_ADDRESS = 'http://127.0.0.1:4010';

/** As strict as a project of a user can be. */
const compilerOptions = {
  noEmit: true,
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024', 'esnext.disposable', 'esnext.iterator'],
  types: ['node'],
  allowImportingTsExtensions: true,
  strict: true,
  erasableSyntaxOnly: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
};

/** A block as it stands, that talks to another address. Blocks of a page are files of one folder. */
export function programOfBlock({ page, line, code, fileName }: CodeBlock, address: string): Program {
  const text = `${'\n'.repeat(line - 1)}${code.replaceAll(DEMO_ADDRESS, address)}`;
  return { shownIn: page, file: `${page}/${fileName ?? `line-${line}.ts`}`, text };
}

export async function writePrograms(programs: readonly Program[]): Promise<void> {
  await rm(PROGRAMS_FOLDER, { recursive: true, force: true });
  const config = { file: 'tsconfig.json', text: JSON.stringify({ compilerOptions, include: ['**/*.ts'] }) };
  await Promise.all(
    [...programs, config].map(async ({ file, text }) => {
      const path = join(PROGRAMS_FOLDER, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }),
  );
}

/** What a TypeScript finds in the programs that were written, each with its place in the file that shows it. */
export async function typeFaults(programs: readonly Program[], typescript: string): Promise<string[]> {
  const compiler = fileURLToPath(new URL(`../node_modules/${typescript}/bin/tsc`, import.meta.url));
  // It fails with what it finds.
  const { stdout, stderr } = await runNode([compiler, '--pretty', 'false']).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  const faults = `${stdout}${stderr}`.split(/\n(?! )/).filter((fault) => fault.trim() !== '');
  return faults.map((fault) => {
    const [, file, line, what = ''] = /^(.+?)\((\d+),\d+\): error (.*)/s.exec(fault) ?? [];
    const program = programs.find((each) => each.file === file);
    return program ? `${program.shownIn}:${line}: ${what}` : fault;
  });
}

/** What a program that was written prints: as a user's Node.js runs it, with the built packages. */
export async function runProgram({ file }: Program): Promise<string> {
  return (await runNode([file])).stdout;
}

function runNode(args: readonly string[]) {
  const env = { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '' };
  return promisify(execFile)(process.execPath, args, { cwd: PROGRAMS_FOLDER, env });
}
