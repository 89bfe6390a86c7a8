import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { parseCLI, startVitest } from 'vitest/node';

const packageFolder = join(import.meta.dirname, '..');
// Git ignores it, also what a killed test leaves behind.
const reports = join(packageFolder, 'reports');
/** The kit as JavaScript, which a run loads in half the time: contract-parts.ts writes it. */
export const kitFolder = join(reports, 'kit');

const config = (kit: string): string => `
import { defineConfig } from 'vitest/config';
import { contractFiles } from '${kit}/vitest.js';
// With a thread instead of a process, and a kit that Node.js loads and caches itself, a run takes half as long.
const shared = {
  maxWorkers: 1,
  isolate: false,
  pool: 'threads',
  server: { deps: { external: [/\\/kit\\//] } },
};
export default defineConfig({
  plugins: [contractFiles()],
  resolve: { alias: { '@hr/testing/pact': new URL('${kit}/pact.js', import.meta.url).pathname } },
  // The command itself includes locations if it has line numbers.
  test: { include: ['**/*.test.ts'], testTimeout: 300_000, includeTaskLocation: true, ...shared },
});
`;

export interface Run {
  readonly code: unknown;
  readonly output: string;
}

/** A folder with a configuration and tests of its own, which a real vitest runs. */
export class VitestProject implements Disposable {
  readonly root: string;
  readonly #vitest: string;

  /** With vitest 4, the project has a copy of the kit, so that all of it imports vitest 4. */
  constructor(files: Readonly<Record<string, string>>, { vitest = 'vitest' }: { vitest?: 'vitest' | 'vitest-4' } = {}) {
    mkdirSync(reports, { recursive: true });
    this.root = mkdtempSync(join(reports, 'project-'));
    this.#vitest = join(packageFolder, 'node_modules', vitest);
    const isOther = vitest !== 'vitest';
    if (isOther) {
      cpSync(kitFolder, join(this.root, 'kit'), { recursive: true });
      mkdirSync(join(this.root, 'node_modules'));
      symlinkSync(this.#vitest, join(this.root, 'node_modules/vitest'), 'junction');
    }
    this.write({ 'vitest.config.ts': config(isOther ? './kit' : '../kit'), ...files });
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, name)), { recursive: true });
      writeFileSync(join(this.root, name), text);
    }
  }

  /** Changes a file. */
  edit(name: string, from: string, to: string): void {
    this.write({ [name]: this.read(name).replace(from, to) });
  }

  read(name: string): string {
    return readFileSync(join(this.root, name), 'utf8');
  }

  has(name: string): boolean {
    return existsSync(join(this.root, name));
  }

  remove(name: string): void {
    rmSync(join(this.root, name), { recursive: true });
  }

  /**
   * Runs `vitest run` with these arguments: a whole vitest with workers of its own, but in this process, which has loaded
   * it already. Only the command itself knows `--exclude`.
   */
  async run(args: readonly string[] = []): Promise<Run> {
    let output = '';
    const terminal = new Writable({
      write(chunk, _encoding, done) {
        output += String(chunk);
        done();
      },
    });
    // Node.js loads the configuration. A bundler warns on a slow machine.
    const { filter, options } = parseCLI(['vitest', 'run', '--configLoader', 'native', ...args]);
    const folder = process.cwd();
    process.chdir(this.root);
    try {
      await startVitest('test', filter, options, {}, { stdout: terminal, stderr: terminal });
      return { code: process.exitCode ?? 0, output: stripVTControlCharacters(output) };
    } finally {
      process.chdir(folder);
      process.exitCode = undefined;
    }
  }

  /** Runs `vitest run` with these arguments as a process of its own. */
  runApart(args: readonly string[] = []): Promise<Run> {
    return this.node([join(this.#vitest, 'vitest.mjs'), 'run', ...args]);
  }

  /** Runs a program. */
  node(args: readonly string[]): Promise<Run> {
    const { GITHUB_ACTIONS: _actions, VITEST: _vitest, ...env } = process.env;
    const options = { cwd: this.root, env: { ...env, NO_COLOR: '1' }, timeout: 300_000 };
    return new Promise((resolve) => {
      execFile(process.execPath, args, options, (error, stdout, stderr) => {
        resolve({ code: error ? error.code : 0, output: stripVTControlCharacters(stdout + stderr) });
      });
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
