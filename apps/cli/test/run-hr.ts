import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { inject, onTestFinished } from 'vitest';
import { run } from '../src/program.ts';

/** How a command ended, and what it printed. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly signal?: AbortSignal;
}

/** A folder for a test, `HR_HOME` of its commands. It is removed when the test ends. */
export async function homeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hr-cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** The environment of a command: the client `demo` of the shared demo, and a folder of its own. */
export function demoEnvironment(home: string): Record<string, string> {
  return {
    HR_HOME: home,
    HR_BASE_URL: inject('demoUrl'),
    HR_CLIENT_ID: 'demo',
    HR_CLIENT_SECRET: 'demo-secret',
  };
}

/** Runs a command in this process, without a terminal. */
export async function runHr(
  args: readonly string[],
  { env = {}, stdin = '', signal }: RunOptions = {},
): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const terminal = { env: { HR_KEYCHAIN: 'off', ...env }, stdin: Readable.from([stdin]), stdout, stderr, exitCode: 0 };
  const printed = Promise.all([text(stdout), text(stderr)]);
  await run(args, terminal, signal);
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code: terminal.exitCode, stdout: out, stderr: err };
}
