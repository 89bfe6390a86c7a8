import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { runCommand } from '../src/commands/service-program.ts';
import type { Terminal } from '../src/terminal/terminal.ts';
import { shortLived } from './short-lived.ts';

/** The service's command line. */
export const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** Starts a command as its own process, which ends with the test at the latest. */
export function start(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd?: string,
): ChildProcessWithoutNullStreams {
  // With the clock and the zone of the tests.
  const { PATH, NODE_COMPILE_CACHE, TZ, LD_PRELOAD, FAKETIME } = process.env;
  const child = spawn(process.execPath, [...shortLived, '--conditions=@hr/source', main, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, TZ, LD_PRELOAD, FAKETIME, ...env },
    ...(cwd && { cwd }),
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  });
  return child;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end, inside this process. */
export function run(args: readonly string[], env?: Record<string, string>, input?: string): Promise<Ended> {
  return inThisProcess((terminal) => runCommand(args, terminal), env, input);
}

/** The JSON that a command prints. */
export async function runJson<Printed>(args: readonly string[], env?: Record<string, string>): Promise<Printed> {
  return JSON.parse((await run([...args, '--json'], env)).stdout) as Printed;
}

/** What a program does at a terminal that is none. */
export async function inThisProcess(
  program: (terminal: Terminal) => Promise<void>,
  env: Record<string, string> = {},
  input = '',
): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const terminal: Terminal = { env, stdin: Readable.from([Buffer.from(input)]), stdout, stderr, exitCode: undefined };
  const printed = Promise.all([text(stdout), text(stderr)]);
  await program(terminal);
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code: Number(terminal.exitCode ?? 0), stdout: out, stderr: err };
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
