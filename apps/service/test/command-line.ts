import { spawn } from 'node:child_process';
import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';

/** The service's command line. */
export const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

// Halves the time that a process takes to start.
const compiled = join(tmpdir(), 'hr-compiled');

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
});

/** Starts a command as its own process. */
export function start(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd?: string,
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, ['--conditions=@hr/source', main, ...args], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiled, ...env },
    ...(cwd && { cwd }),
  });
  started.push(child);
  return child;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. */
export async function run(args: readonly string[], env?: Record<string, string>, input?: string): Promise<Ended> {
  const child = start(args, env);
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number | null, stdout, stderr };
}

/** Waits until a service tells its address. */
export async function addressOf(child: ChildProcess): Promise<string> {
  let printed = '';
  for await (const chunk of child.stderr ?? []) {
    printed += String(chunk);
    const found = /http:\/\/[\w.:]+/.exec(printed);
    if (found) return found[0];
  }
  throw new Error(`It did not start (${child.exitCode ?? child.signalCode}): ${printed}`);
}
