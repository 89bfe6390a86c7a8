import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

interface RunOptions {
  readonly cwd: string;
  /** Its environment; that of this process unless it is given. */
  readonly env?: NodeJS.ProcessEnv;
}

/** What a command has said, and whether it succeeded. */
interface Ended {
  readonly succeeded: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

const LIMITS = { maxBuffer: 64 * 1024 * 1024, timeout: 300_000 };

/** Runs a command to its end, whatever that is, with this Node.js as the one on the PATH. */
export function attempt(command: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const { cwd, env = process.env } = options;
  const PATH = [dirname(process.execPath), env['PATH']].join(':');
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env: { ...env, PATH }, ...LIMITS }, (error, stdout, stderr) => {
      resolve({ succeeded: error === null, stdout, stderr });
    });
  });
}

/** Runs a command that must succeed, and gives what it printed. */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { succeeded, stdout, stderr } = await attempt(command, args, options);
  if (succeeded) return stdout;
  const said = stripVTControlCharacters(`${stdout}${stderr}`).trim();
  throw new Error(`${[command, ...args].join(' ')} failed:\n${said}`);
}
