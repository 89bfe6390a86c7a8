import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CodeBlock } from './code-blocks.ts';
import { workspace } from './workspace.ts';

/** TypeScript that a page or a source file shows, as a file of its own: its lines have the numbers they have there. */
export interface Program {
  /** Its file, in the folder of all programs, below the path of the one that shows it. */
  readonly file: string;
  readonly text: string;
}

/** Where programs find the built packages, as a project that installed them does. */
export const PROGRAMS_FOLDER = fileURLToPath(new URL('../reports/programs', import.meta.url));

/** Where the pages say that the HR Cloud is: the demo's address. */
const DEMO_ADDRESS = 'http://127.0.0.1:4010';

/** As strict as this workspace, but with the built packages. */
const tsconfig = {
  extends: join(workspace, 'tsconfig.base.json'),
  compilerOptions: {
    lib: ['es2024', 'esnext.disposable', 'esnext.iterator'],
    types: ['node'],
    customConditions: [],
    noUnusedLocals: false,
    noUnusedParameters: false,
  },
  include: ['**/*.ts'],
};

/** Imports each program of which it gets the file, and sends what that prints. */
const RUNNER = `
  process.on('message', async (file) => {
    let printed = '';
    process.stdout.write = (text) => (printed += text) !== '';
    await import('./' + file).catch(({ stack }) => (printed += stack));
    process.send(printed);
  });`;

/** A block as it stands, that talks to another address. Blocks of a page are files of one folder. */
export function programOfBlock({ page, line, code, fileName }: CodeBlock, address: string): Program {
  const text = `${'\n'.repeat(line - 1)}${code.replaceAll(DEMO_ADDRESS, address)}`;
  return { file: `${page}/${fileName ?? `line-${line}.ts`}`, text };
}

export async function writePrograms(programs: readonly Program[]): Promise<void> {
  await rm(PROGRAMS_FOLDER, { recursive: true, force: true });
  const config = { file: 'tsconfig.json', text: JSON.stringify(tsconfig) };
  await Promise.all(
    [...programs, config].map(async ({ file, text }) => {
      const path = join(PROGRAMS_FOLDER, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }),
  );
}

/** What a TypeScript finds in the programs that were written, each with its place in the file that shows it. */
export async function typeFaults([typescript, ...flags]: string[]): Promise<string[]> {
  const compiler = fileURLToPath(new URL(`../node_modules/${typescript}/bin/tsc`, import.meta.url));
  const output = await new Promise<string>((resolve) => {
    const args = [compiler, '--pretty', 'false', ...flags];
    execFile(process.execPath, args, { cwd: PROGRAMS_FOLDER }, (_, stdout, stderr) => resolve(stdout + stderr));
  });
  const faults = output.split(/\n(?! )/).filter((fault) => fault.trim() !== '');
  return faults.map((fault) => fault.replace(/^(.+?\.(?:md|ts))\/\S+\((\d+),\d+\): error /, '$1:$2: '));
}

/**
 * Runs programs that were written, as a user's Node.js does, with the built packages. They run in one process, whose
 * start takes longer than they do.
 */
export function programRunner() {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', RUNNER], {
    cwd: PROGRAMS_FOLDER,
    env: { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  return {
    /** What it prints. */
    async run({ file }: Program): Promise<unknown> {
      child.send(file);
      const [printed] = (await Promise.race([once(child, 'message'), ended])) as unknown[];
      return printed;
    },
    /** The exit code, after the last of what programs left running has ended. */
    async stop(): Promise<unknown> {
      child.disconnect();
      return (await ended)[0];
    },
  };
}
