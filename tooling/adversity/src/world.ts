import { once } from 'node:events';
import { statfsSync, writeFileSync, appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { startConsoleProcess, type ConsoleProcess } from 'console/test/console-process.ts';
import getPort from 'get-port';
import { tellsValue } from 'service/test/fuzz/canaries.ts';
import { lineFaults } from 'service/test/fuzz/log-watch.ts';
import { memoryOf, spawnService } from 'tooling-bench/src/processes.ts';
import { settings, type Stage } from './stage.ts';
import type { Fault } from './steps.ts';

/** A law does not hold. `law` is the same for the same fault. */
export class Broken extends Error {
  readonly law: string;

  constructor(law: string, detail: string) {
    super(detail);
    this.law = law;
  }
}

const LONGEST_START_MS = 240_000;

/** A service and a console on a database of their own, which are mistreated. */
export interface World extends AsyncDisposable {
  readonly stage: Stage;
  readonly port: number;
  readonly consolePort: number;
  /** Resolves when the service listens, whatever its database does. */
  readonly listening: () => Promise<void>;
  /** Whether anything was disturbed since a moment. */
  readonly disturbedSince: (moment: number) => boolean;
  readonly disturb: (fault: Fault, ms: number) => Promise<void>;
  /** Starts the console, if it does not run, and returns the cookies of two sessions. */
  readonly sessions: () => Promise<Sessions>;
  /** Whether a text has a secret of a client or of a session. */
  readonly leaks: (text: string) => boolean;
  /** Throws what went wrong beside the requests. */
  readonly examine: () => Promise<void>;
}

interface Sessions {
  readonly all: string;
  readonly viewer: string;
}

export async function openWorld(stage: Stage): Promise<World> {
  await using resources = new AsyncDisposableStack();
  const database = await stage.newDatabase();
  resources.defer(async () => {
    await stage.postgres?.restart();
    await database.remove();
  });
  const port = await getPort({ host: '127.0.0.1' });
  const consolePort = await getPort({ host: '127.0.0.1' });
  const consoleFolder = await mkdtemp(join(stage.folder, 'console-'));
  resources.defer(() => rm(consoleFolder, { recursive: true, force: true }));
  const broken: Broken[] = [];
  let disturbances = 0;
  let calmSince = 0;
  let isClosing = false;
  const disturbedSince = (moment: number): boolean => disturbances > 0 || calmSince >= moment;
  const leaks = (text: string): boolean =>
    stage.secrets.some((secrets) => secrets.leaks(text)) ||
    Object.values(stage.console).some(({ clientSecret }) => text.includes(clientSecret)) ||
    (cookies !== undefined && [cookies.all, cookies.viewer].some((cookie) => text.includes(cookie)));

  function readLog(line: string): void {
    for (const fault of lineFaults(line, { hide: stage.hide, leaks, fill: String })) {
      const isError = fault.startsWith('The log has an error');
      // What it says of a disturbance may come a little later.
      if (!isError || !disturbedSince(performance.now() - 15_000)) broken.push(new Broken(lawOf(fault), fault));
    }
  }

  function start(): { child: ReturnType<typeof spawnService>; listening: Promise<void> } {
    const started = spawnService('serve', { ...settings, HR_DATABASE: database.url, HR_PORT: String(port) }, 'pipe');
    if (started.stdout) createInterface({ input: started.stdout }).on('line', readLog);
    let printed = '';
    const ready = Promise.withResolvers<void>();
    started.stderr?.on('data', (text) => {
      printed += String(text);
      if (printed.includes('http://')) ready.resolve();
    });
    started.once('exit', (code, signal) => {
      ready.resolve();
      if (signal === 'SIGKILL' || isClosing) return;
      if (tellsValue(printed) || leaks(printed)) broken.push(new Broken('A process prints a value as it ends', ''));
      // While its database does not answer, it does not start.
      if (disturbances > 0 && !printed.includes('http://')) return;
      broken.push(new Broken('The service ends by itself', `with ${code ?? signal}: ${printed.slice(-2000)}`));
    });
    return { child: started, listening: ready.promise };
  }
  let service = start();
  const hasEnded = (): boolean => service.child.exitCode !== null || service.child.signalCode !== null;
  resources.defer(async () => {
    isClosing = true;
    if (hasEnded()) return;
    const exit = once(service.child, 'exit');
    service.child.kill('SIGKILL');
    await exit;
  });

  /** Waits until the service says that it is ready, and starts it as often as it has ended. */
  async function untilReady(): Promise<void> {
    const end = performance.now() + LONGEST_START_MS;
    for (;;) {
      // oxlint-disable no-await-in-loop -- one attempt after the other
      await service.listening;
      const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      await response?.body?.cancel();
      if (response?.status === 200) return;
      if (hasEnded()) service = start();
      if (performance.now() > end) throw new Broken('The service is not ready again', `status ${response?.status}`);
      await setTimeout(50);
      // oxlint-enable no-await-in-loop
    }
  }

  let console: ConsoleProcess | undefined;
  let cookies: Sessions | undefined;
  const { reader, operator } = stage.console;
  async function startConsole(): Promise<Sessions> {
    await console?.[Symbol.asyncDispose]();
    console = await startConsoleProcess({
      folder: consoleFolder,
      baseUrl: `http://127.0.0.1:${port}`,
      port: String(consolePort),
      settings: {
        HR_CLIENT_ID: reader.clientId,
        HR_CLIENT_SECRET: reader.clientSecret,
        HR_OPERATOR_CLIENT_ID: operator.clientId,
        HR_OPERATOR_CLIENT_SECRET: operator.clientSecret,
      },
    });
    cookies ??= {
      all: console.session(),
      viewer: console.session({ name: 'A Viewer', grants: [['viewer', 'everyone']] }),
    };
    return cookies;
  }
  let startingConsole: Promise<Sessions> | undefined;
  const sessions = (): Promise<Sessions> => (startingConsole ??= startConsole());
  resources.defer(() => console?.[Symbol.asyncDispose]());

  function readConsole(): void {
    const output = console?.output() ?? '';
    const line = output.split('\n').find((one) => tellsValue(one) || leaks(one));
    if (line !== undefined) throw new Broken('The log of the console tells a value', line);
  }

  const work: Readonly<Record<Fault, (ms: number) => Promise<void>>> = {
    async 'kill the service'(ms) {
      const exit = once(service.child, 'exit');
      if (!hasEnded()) {
        service.child.kill('SIGKILL');
        await exit;
      }
      await setTimeout(ms / 10);
      service = start();
    },
    async 'stop and continue the service'(ms) {
      service.child.kill('SIGSTOP');
      await setTimeout(ms);
      service.child.kill('SIGCONT');
    },
    async 'end the connections to PostgreSQL'() {
      await stage.postgres?.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
        where datname is not null and pid <> pg_backend_pid() and random() < 0.7`,
      );
    },
    async 'kill PostgreSQL'(ms) {
      await stage.postgres?.kill();
      await setTimeout(ms);
      await stage.postgres?.restart();
    },
    async 'fill the disk'(ms) {
      const ballast = join(stage.folder, 'ballast');
      fill(ballast, stage.folder);
      await setTimeout(ms);
      await rm(ballast);
      await stage.postgres?.restart();
    },
    async 'kill the console'() {
      if (startingConsole === undefined) return;
      await startingConsole;
      readConsole();
      startingConsole = startConsole();
      await startingConsole;
    },
  };

  await untilReady();
  const open = resources.move();
  return {
    stage,
    port,
    consolePort,
    listening: async () => service.listening,
    disturbedSince,
    async disturb(fault, ms) {
      disturbances++;
      await work[fault](ms);
      await untilReady();
      disturbances--;
      calmSince = performance.now();
    },
    sessions,
    leaks,
    async examine() {
      readConsole();
      const [first] = broken;
      if (first) throw first;
      const megabytes = await memoryOf(service.child);
      if (megabytes > MAX_MEGABYTES[stage.driver]) {
        throw new Broken('The service needs much memory', `${Math.round(megabytes)} MB`);
      }
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

const MAX_MEGABYTES = { pglite: 1500, postgres: 700 } as const;

/** The words of a fault without the line that shows it. */
function lawOf(fault: string): string {
  return fault.split(':')[0] ?? fault;
}

const CHUNK_BYTES = 2 ** 22;

/** Writes to a file until nothing more fits on its disk. */
function fill(file: string, folder: string): void {
  writeFileSync(file, '');
  try {
    for (const chunk = Buffer.alloc(CHUNK_BYTES); ;) appendFileSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  const { bavail } = statfsSync(folder);
  if (bavail > CHUNK_BYTES) throw new Error('The disk is not full.');
}
