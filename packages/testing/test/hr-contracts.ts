import { execFile, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { hrContracts } from '../src/provider/command-line/hr-contracts.ts';

/** The program. */
export const bin = fileURLToPath(new URL('../bin/hr-contracts.js', import.meta.url));

export interface Place {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Outcome {
  readonly exit: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the program as a team's CI does, in the folder of its project. */
export function startProgram(
  args: readonly string[],
  { folder, env }: Place,
): { readonly child: ChildProcess; readonly outcome: Promise<Outcome> } {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const options = { cwd: folder, env: { PATH, NODE_COMPILE_CACHE, ...env } };
  const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
  const all = ['--conditions=@hr/source', bin, ...args];
  const child = execFile(process.execPath, all, options, (error, stdout, stderr) => {
    resolve({ exit: error ? error.code : 0, stdout, stderr });
  });
  return { child, outcome };
}

/** Does what the program does, in the same folder, without a process of its own: one takes many times as long. */
export async function runCommand(args: readonly string[], { folder, env = {} }: Place): Promise<Outcome> {
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((_text, done?: unknown) => {
    (done as () => void)();
    return true;
  });
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const textOf = ({ mock }: typeof stdout) => mock.calls.map(([text]) => text).join('');
  const before = process.cwd();
  process.chdir(folder);
  try {
    return { exit: await hrContracts(args, env), stdout: textOf(stdout), stderr: textOf(stderr) };
  } finally {
    process.chdir(before);
    stdout.mockRestore();
    stderr.mockRestore();
  }
}
