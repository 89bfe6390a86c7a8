import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Plugin } from 'vitest/config';
import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { ciVariable } from '../ci-variable.ts';
import type { ContractPart } from '../reconcile-run.ts';
import { isWholeRun } from './is-whole-run.ts';

/**
 * Writes and checks contract files like vitest snapshots. A complete run must reproduce the files. Outside of CI, new
 * interactions are added, and `vitest run -u` writes all differences. Nothing is written in CI, if a test fails, or if
 * an interaction has no passing run.
 *
 * @example
 * export default defineConfig({ plugins: [contractFiles()] });
 */
export function contractFiles(): Plugin {
  return {
    name: 'hr-contract-files',
    configureVitest({ vitest: { config } }) {
      // vitest calls it for each project of a workspace.
      const isOurs = (reporter: unknown): boolean =>
        reporter instanceof ContractReporter || String(reporter).startsWith('@hr/testing/pact/vitest');
      if (!config.reporters.some(isOurs)) config.reporters.push(new ContractReporter());
    },
  };
}

const CI_UPDATE = 'Remove -u, or `update` from the vitest config.';
const CI_REMEDY = 'Run `vitest run -u` on your machine and commit the file: contracts are never written in CI.';
const REMEDY = 'Correct the tests, or run `vitest run -u` to write what they say.';
const KIT_REMEDY = 'Run the tests on your machine, and commit the file.';
const PARTIAL = 'This run has only some of the tests. In CI, run all tests of a contract in one run.';

/** Merges the parts of contracts at the end of a run: see {@link contractFiles}. */
export class ContractReporter implements Reporter {
  #vitest: Vitest | undefined;
  #records = '';
  #specifications: readonly TestSpecification[] = [];

  onInit(vitest: Vitest): void {
    // Workers in threads cannot set it for Pact.
    process.env['PACT_DO_NOT_TRACK'] = 'true';
    const records = mkdtempSync(join(tmpdir(), 'hr-contracts-'));
    vitest.onClose(() => rmSync(records, { recursive: true, force: true }));
    for (const project of vitest.projects) {
      project.provide('hr-contracts', { records, root: project.config.root });
    }
    this.#vitest = vitest;
    this.#records = records;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    for (const name of readdirSync(this.#records)) rmSync(join(this.#records, name));
    this.#specifications = specifications;
  }

  async onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: string): Promise<void> {
    const vitest = this.#vitest;
    if (!vitest) return;
    const ci = ciVariable(process.env);
    if (ci !== undefined && vitest.snapshot.options.updateSnapshot === 'all')
      return fail(vitest, [`Contracts are never written in CI (${ci} is set). ${CI_UPDATE}`]);
    if (reason !== 'passed') return;
    // Errors outside of tests fail the run, unless vitest is to ignore them.
    const hasErrors = errors.length > 0;
    if (hasErrors && !vitest.config.dangerouslyIgnoreUnhandledErrors) return;
    // A vitest.config.ts loads this module, so what it imports delays every run.
    const { conflictsOf, contractFilesIn, readRecords, reconcileRun, withoutRun } = await import('../reconcile-run.ts');
    const { made, parts: ran } = readRecords(this.#records);
    const passing = modules.filter(({ children }) => children.allTests('passed').next().value);
    const files = new Set(passing.map(pathOf));
    const parts = ran.filter(({ isCollected, test }) => !isCollected || files.has(test));
    const isWhole = await isWholeRun(vitest, this.#specifications, modules);
    // Locally, another run finds what this run skips.
    const isStrict = isWhole || (ci !== undefined && made.length > 0);
    const doubts = [...conflictsOf(parts), ...withoutRun(made, parts, isStrict), ...ambiguous(modules, parts)];
    const partial = isStrict && !isWhole ? [PARTIAL] : [];
    if (doubts.length > 0) return fail(vitest, [...partial, ...doubts]);
    const folders = vitest.projects.map(({ config }) => join(config.root, 'pacts'));
    if (parts.length === 0 && !isStrict && contractFilesIn(folders).length > 0)
      vitest.logger.log('Contracts: this run has none of their tests; nothing was compared.');

    const update = ci !== undefined || hasErrors ? 'none' : vitest.snapshot.options.updateSnapshot;
    const run = { update, isWhole, isStrict } as const;
    const { changes, faults, notes } = reconcileRun(parts, vitest.config.root, folders, run);
    if (notes.length > 0) vitest.logger.log(block([...notes, KIT_REMEDY]));
    if (changes.length > 0) vitest.logger.log(block(changes));
    if (faults.length === 0) return;
    fail(vitest, [...faults, ...partial, ci === undefined ? REMEDY : CI_REMEDY]);
  }
}

/** Concurrent tests with an attempt that failed or skipped itself, one sentence each: its runs are unknown. */
function ambiguous(modules: readonly TestModule[], parts: readonly ContractPart[]): string[] {
  const files = new Set(parts.map(({ test }) => test));
  return modules.flatMap((module) => {
    const path = pathOf(module);
    const tests = files.has(path) ? [...module.children.allTests()] : [];
    return tests.flatMap((each) => {
      const { concurrent, fails, mode } = each.options;
      const hasSkippedItself = mode !== 'skip' && each.result().state === 'skipped';
      if (!concurrent || !(fails || hasSkippedItself || each.diagnostic()?.retryCount)) return [];
      return [`${path} > ${each.fullName} is concurrent, and an attempt did not pass. Make it sequential.`];
    });
  });
}

/** The path of a test file, as records have it. */
function pathOf({ moduleId, project }: TestModule): string {
  return relative(project.config.root, moduleId);
}

function fail({ logger }: Vitest, lines: readonly string[]): void {
  process.exitCode = 1;
  logger.error(block(lines));
}

function block(lines: readonly string[]): string {
  return `\n Contracts\n${lines.map((line) => `   ${line}`).join('\n')}\n`;
}
