import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

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
  test: { include: ['**/*.test.ts'], testTimeout: 60_000, maxWorkers: 2, isolate: false },
});
`;

export interface Run {
  readonly code: number | null;
  readonly output: string;
}

function made(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A folder with a configuration and tests of its own, in which real vitest processes run. */
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

  /** Runs `vitest run` with these arguments; `ci` says that it runs in CI. */
  run(args: readonly string[] = [], { ci = false } = {}): Promise<Run> {
    return this.#spawn([vitest, 'run', '--root', this.root, ...args], ci);
  }

  /** Runs a program. */
  node(program: string, options: readonly string[] = []): Promise<Run> {
    return this.#spawn([...options, '--input-type=module', '--eval', program], false);
  }

  #spawn(args: readonly string[], ci: boolean): Promise<Run> {
    const { CI: _CI, GITHUB_ACTIONS: _actions, VITEST: _vitest, ...env } = process.env;
    const child = spawn(process.execPath, args, {
      cwd: this.root,
      env: { ...env, ...(ci && { CI: 'true' }), NO_COLOR: '1' },
      timeout: 120_000,
    });
    let output = '';
    child.stdout.on('data', (data) => (output += String(data)));
    child.stderr.on('data', (data) => (output += String(data)));
    return new Promise((resolve) => {
      child.on('close', (code) => resolve({ code, output: stripVTControlCharacters(output) }));
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
