import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';

const RESTART_MS = 1000;
const STOP_MS = 30_000;

interface UnitOptions {
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The file with what it prints. */
  readonly log: string;
}

/** A program that is started again when it ends, as by systemd with `Restart=always`. */
export class Unit {
  readonly #options: UnitOptions;
  #child: ChildProcess | undefined;
  #wanted = false;

  constructor(options: UnitOptions) {
    this.#options = options;
  }

  start(): void {
    this.#wanted = true;
    if (this.#child) return;
    const { command, env, log } = this.#options;
    const [program = '', ...args] = command;
    const output = openSync(log, 'a', 0o600);
    // Not of the group that Ctrl-C ends, and not left over if this process is killed.
    const child = spawn('setpriv', ['--pdeathsig=KILL', program, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output],
      detached: true,
    });
    this.#child = child;
    child.once('exit', () => {
      this.#child = undefined;
      if (this.#wanted) setTimeout(() => this.#wanted && this.start(), RESTART_MS).unref();
    });
  }

  /** Ends it and does not start it again. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#wanted = false;
    const child = this.#child;
    if (!child) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(timer);
  }

  /** Kills it as a crash does. It is started again. */
  kill(): void {
    this.#child?.kill('SIGKILL');
  }
}
