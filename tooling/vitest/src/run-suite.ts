import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const workspace = fileURLToPath(new URL('../../..', import.meta.url));

interface SuiteOptions {
  /** The folder of the package, from the root of the workspace. */
  readonly folder: string;
  /** The only files that run, from the folder of the package. */
  readonly files?: readonly string[];
  /** A command that runs vitest. */
  readonly through?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The file for its output. */
  readonly log: string;
}

interface SuiteResult {
  readonly hasPassed: boolean;
  /** How many tests passed, failed and were skipped, in words. */
  readonly counts: string;
  /** The files in which something failed, from the root of the workspace. */
  readonly failedFiles: readonly string[];
}

/** The report of vitest, as the settings of all packages write it. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly { readonly name: string; readonly status: 'passed' | 'failed' }[];
}

/** Runs the tests of a package to their end, with their output in a file. */
export async function runSuite({ folder, files = [], through = [], env, log }: SuiteOptions): Promise<SuiteResult> {
  const cwd = join(workspace, folder);
  const report = join(cwd, 'reports/vitest.json');
  rmSync(report, { force: true });
  mkdirSync(dirname(log), { recursive: true });
  const [command = '', ...args] = [...through, join(cwd, 'node_modules/.bin/vitest'), 'run', ...files];
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = createWriteStream(log);
  for (const stream of [child.stdout, child.stderr]) stream.pipe(output, { end: false });
  const [code] = (await once(child, 'close')) as [number | null];
  output.end();
  const hasPassed = code === 0;
  const written = await readFile(report, 'utf8').catch(() => undefined);
  if (written === undefined) return { hasPassed, counts: 'NO REPORT', failedFiles: [] };
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(written) as Report;
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(workspace, name));
  const counts = [`${numPassedTests}`, numPendingTests > 0 && `${numPendingTests} skipped`];
  if (!hasPassed) counts.push(`${numFailedTests || 'SUITE'} FAILED`);
  return { hasPassed, counts: counts.filter(Boolean).join(', '), failedFiles: failed };
}

/** Runs a program, which fails if it returns false, or with a sentence if it throws. */
export async function program(run: (print: (line: string) => void) => Promise<boolean>): Promise<void> {
  const hasPassed = await run((line) => process.stdout.write(`${line}\n`)).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
  });
  process.exitCode = hasPassed ? 0 : 1;
}
