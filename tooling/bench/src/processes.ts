import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

/** A process that ends when it goes out of scope. */
export interface Running<Ready> extends AsyncDisposable {
  readonly child: ChildProcess;
  /** What the process has reported when it was ready. */
  readonly ready: Ready;
  /** Rejects when the process ends. */
  readonly ended: Promise<never>;
}

const main = createRequire(import.meta.url).resolve('service/src/main.ts');

/** Runs a command of the service as `pnpm service` does, by default without its log. */
export function spawnService(
  command: string,
  environment: Readonly<Record<string, string>>,
  log: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  return spawn(process.execPath, ['--liftoff-only', '--conditions=@hr/source', main, command], {
    env: { ...process.env, HR_PORT: '0', ...environment },
    stdio: ['ignore', log, 'pipe'],
  });
}

/** Starts the service on a database, or on those of `HR_ENVIRONMENTS`; it is ready with its origin. */
export async function startService(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Running<string>> {
  const child = spawnService('serve', { HR_DATABASE: databaseUrl, ...settings });
  const lines = createInterface({ input: child.stderr as NodeJS.ReadableStream });
  const [line] = (await Promise.race([once(lines, 'line'), exitedEarly(child)])) as [string];
  const [origin] = /http:[^\s,]+/.exec(line) ?? [];
  if (origin === undefined) throw new Error(`The service does not start: ${line}`);
  return running(child, origin);
}

/** Starts a program of the folder `servers`, which sends a message when it is ready. */
export async function startProgram<Ready>(
  name: string,
  args: readonly string[] = [],
  execArgv: readonly string[] = ['--conditions=@hr/source'],
): Promise<Running<Ready>> {
  const child = fork(new URL(`servers/${name}.ts`, import.meta.url), args, {
    execArgv: [...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [ready] = (await Promise.race([once(child, 'message'), exitedEarly(child)])) as [Ready];
  return running(child, ready);
}

/** Ends a process. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** The memory of a process in MB: now, or at most so far. `NaN` on systems other than Linux. */
export async function memoryOf({ pid }: ChildProcess, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(new RegExp(String.raw`${field}:\s+(\d+) kB`).exec(status)?.[1]) / 1024;
}

function running<Ready>(child: ChildProcess, ready: Ready): Running<Ready> {
  const ended = exitedEarly(child);
  // Whoever waits for something else hears of it.
  ended.catch(() => {});
  return { child, ready, ended, [Symbol.asyncDispose]: () => stop(child) };
}

async function exitedEarly(child: ChildProcess): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null];
  throw new Error(`A process of the benchmark ended early, with exit code ${code}.`);
}
