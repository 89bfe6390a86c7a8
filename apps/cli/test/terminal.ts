import { spawn, type IPty } from '@lydell/node-pty';
import xterm, { type Terminal } from '@xterm/headless';

/** The size of a terminal, and what differs from the environment of the test. `undefined` removes a variable. */
export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Starts a program in a pseudo-terminal. */
export function openTerminal([file = '', ...args]: readonly string[], options: TerminalOptions = {}): TerminalSession {
  const { columns = 80, rows = 24, env, cwd = process.cwd() } = options;
  // Colour as a person sees it, wherever the tests run.
  const { NO_COLOR: _noColor, FORCE_COLOR: _forceColor, CI: _ci, ...inherited } = process.env;
  const pty = spawn(file, args, { cols: columns, rows, cwd, name: 'xterm-256color', env: { ...inherited, ...env } });
  return new TerminalSession(
    pty,
    new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 100_000 }),
  );
}

const keys = {
  enter: '\r',
  escape: '\u001B',
  up: '\u001B[A',
  down: '\u001B[B',
  'ctrl-c': '\u0003',
  'ctrl-d': '\u0004',
};

/** A program in a pseudo-terminal, and the screen that a person sees. Disposing it ends the program. */
export class TerminalSession implements AsyncDisposable {
  readonly #pty: IPty;
  readonly #terminal: Terminal;
  readonly #changed = new EventTarget();
  #exitCode: number | undefined;
  #output = '';

  constructor(pty: IPty, terminal: Terminal) {
    this.#pty = pty;
    this.#terminal = terminal;
    // What a terminal replies when a program asks for the position of the cursor.
    terminal.onData((reply) => this.#pty.write(reply));
    pty.onData((text) => {
      this.#output += text;
      terminal.write(text, () => this.#changed.dispatchEvent(new Event('change')));
    });
    pty.onExit(({ exitCode, signal }) => {
      // The callbacks of earlier writes come first.
      terminal.write('', () => {
        this.#exitCode = signal ? SIGNALLED + signal : exitCode;
        this.#changed.dispatchEvent(new Event('change'));
      });
    });
  }

  /** Everything that the program has printed, with its control sequences. */
  get output(): string {
    return this.#output;
  }

  /** The lines on the screen and above it, without trailing white space. */
  get screen(): string {
    return screenOf(this.#terminal);
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  press(key: keyof typeof keys): void {
    this.#pty.write(keys[key]);
  }

  /**
   * Waits until the screen shows a text.
   *
   * @throws {Error} If the program ends without showing it.
   */
  async waitFor(text: string | RegExp): Promise<void> {
    const isShown = () => (typeof text === 'string' ? this.screen.includes(text) : text.test(this.screen));
    await this.#until(() => isShown() || this.#exitCode !== undefined);
    if (!isShown()) throw new Error(`The program ended without showing ${text}. The screen:\n${this.screen}`);
  }

  /** Waits for the end of the program. Its exit code is 128 and the number of a signal that ended it, as in a shell. */
  async exitCode(): Promise<number> {
    await this.#until(() => this.#exitCode !== undefined);
    return this.#exitCode as number;
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      // oxlint-disable-next-line no-await-in-loop -- each change may be the awaited one
      await new Promise((resolve) => this.#changed.addEventListener('change', resolve, { once: true }));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#exitCode === undefined) this.#pty.kill('SIGKILL');
    await this.exitCode();
    this.#terminal.dispose();
  }
}

const SIGNALLED = 128;

/** The lines on the screen of a terminal and above it, without trailing white space. */
export function screenOf({ buffer: { active } }: Terminal): string {
  const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '');
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}
