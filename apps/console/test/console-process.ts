import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { recordsFile } from '../src/backend/config.ts';
import { Records } from '../src/backend/records.ts';
import { freePort } from './free-port.ts';
import { signInCode, type TestUser } from './start-test-console.ts';

/** A console as a process of its own, which is killed at the end. */
export interface ConsoleProcess extends AsyncDisposable {
  readonly origin: () => string;
  /** Starts a session of a person. */
  readonly session: (user?: TestUser) => string;
  /** Everything that it has written. */
  readonly output: () => string;
  readonly child: ChildProcess;
}

interface ConsoleProcessOptions {
  readonly folder: string;
  readonly baseUrl: string;
  readonly port?: string;
  /** No file can grow beyond so many blocks of 512 bytes (of 1,024, with some shells). */
  readonly maxBlocks?: number;
  /** Settings beside those of the demo. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts a console as `serve` does. */
export async function startConsoleProcess(options: ConsoleProcessOptions): Promise<ConsoleProcess> {
  const { folder, baseUrl, port = await freePort(), maxBlocks = 'unlimited', settings = {} } = options;
  const main = join(import.meta.dirname, '../src/main.ts');
  const program = [process.execPath, '--conditions=@hr/source', main, 'serve'];
  const child = spawn('sh', ['-c', `ulimit -f ${maxBlocks}; exec "$@"`, 'sh', ...program], {
    env: {
      ...process.env,
      HR_BASE_URL: baseUrl,
      HR_CONSOLE_DATA: folder,
      HR_CONSOLE_PORT: port,
      HR_CLIENT_ID: 'demo',
      HR_CLIENT_SECRET: 'demo-secret',
      HR_OPERATOR_CLIENT_ID: 'operator',
      HR_OPERATOR_CLIENT_SECRET: 'operator-secret',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const ended = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), ended]);
  if (child.exitCode !== null) throw new Error(`The console does not start: ${output}`);
  return {
    origin: () => `http://localhost:${port}`,
    session: (user) => {
      using records = new Records(recordsFile(folder));
      return records.signIn(signInCode(records, user))?.token ?? '';
    },
    output: () => output,
    child,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await ended;
    },
  };
}
