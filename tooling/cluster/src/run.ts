import { execFile } from 'node:child_process';

const MOST_OUTPUT = 64 * 1024 * 1024;

interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** Runs a command to its end and gives what it printed. */
export function run([command = '', ...args]: readonly string[], { env, input = '' }: RunOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: MOST_OUTPUT };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${[command, ...args].join(' ')} failed:\n${stderr}${stdout}`));
      else resolve(stdout);
    });
    child.stdin?.on('error', () => {}).end(input);
  });
}
