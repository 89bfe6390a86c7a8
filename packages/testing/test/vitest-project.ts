import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { parseCLI, startVitest } from 'vitest/node';

const here = import.meta.dirname;
const vitest = join(here, '../node_modules/vitest/vitest.mjs');
// Git leaves it out, also what a killed test leaves behind.
const reports = join(here, '../reports');

const config = `
import { defineConfig } from 'vitest/config';
import { contractFiles } from '../../src/pact/vitest/index.ts';
const conditions = ['@hr/source', 'module', 'node'];
export default defineConfig({
  plugins: [contractFiles()],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['@hr/source', 'node'] } },
  test: { include: ['**/*.test.ts'], testTimeout: 60_000, maxWorkers: 1, isolate: false },
});
`;

export interface Run {
  readonly code: unknown;
  readonly output: string;
}

function made(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A folder with a configuration and tests of its own, which a real vitest runs. */
export class VitestProject implements Disposable {
  readonly root = mkdtempSync(join(made(reports), 'project-'));

  constructor(files: Readonly<Record<string, string>>) {
    this.write({ 'vitest.config.ts': config, ...files });
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, name)), { recursive: true });
      writeFileSync(join(this.root, name), text);
    }
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
   * Runs `vitest run` with these arguments: a whole vitest with workers of its own, only that this process has loaded
   * it already. With `ci` it writes no more than in CI. Line numbers and `--exclude` are only known to the command itself.
   */
  async run(args: readonly string[] = [], { ci = false } = {}): Promise<Run> {
    let output = '';
    const terminal = new Writable({
      write(chunk, _encoding, done) {
        output += String(chunk);
        done();
      },
    });
    const { filter, options } = parseCLI(['vitest', 'run', ...args]);
    const command = { update: ci ? 'none' : 'new', ...options } as const;
    const folder = process.cwd();
    process.chdir(this.root);
    try {
      await startVitest('test', filter, command, {}, { stdout: terminal, stderr: terminal });
      return { code: process.exitCode ?? 0, output: stripVTControlCharacters(output) };
    } finally {
      process.chdir(folder);
      process.exitCode = undefined;
    }
  }

  /** Runs `vitest run` with these arguments as a process of its own; `ci` says that it runs in CI. */
  runApart(args: readonly string[] = [], { ci = false } = {}): Promise<Run> {
    return this.#execute([vitest, 'run', '--root', this.root, ...args], ci ? { CI: 'true' } : {});
  }

  /** Runs a program. */
  node(program: string, options: readonly string[] = []): Promise<Run> {
    return this.#execute([...options, '--input-type=module', '--eval', program], {});
  }

  #execute(args: readonly string[], ci: { readonly CI?: 'true' }): Promise<Run> {
    const { CI: _CI, GITHUB_ACTIONS: _actions, VITEST: _vitest, ...env } = process.env;
    const options = { cwd: this.root, env: { ...env, ...ci, NO_COLOR: '1' }, timeout: 120_000 };
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
