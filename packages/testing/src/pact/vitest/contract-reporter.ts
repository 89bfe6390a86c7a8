import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Plugin } from 'vitest/config';
import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { ciVariable } from '../ci-variable.ts';
import type { ContractPart } from '../reconcile-run.ts';

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
    const { contractFilesIn, readRecords, reconcileRun } = await import('../reconcile-run.ts');
    const { made, parts: ran } = readRecords(this.#records);
    const passing = modules.filter(({ children }) => children.allTests('passed').next().value);
    const files = new Set(passing.map(pathOf));
    const parts = ran.filter(({ isCollected, test }) => !isCollected || files.has(test));
    const isWhole = await isWholeRun(vitest, this.#specifications, modules);
    // Locally, another run finds what this run skips.
    const isStrict = isWhole || (ci !== undefined && made.length > 0);
    const update = ci !== undefined || hasErrors ? 'none' : vitest.snapshot.options.updateSnapshot;
    const remedy = ci === undefined ? REMEDY : CI_REMEDY;
    const folders = vitest.projects.map(({ config }) => join(config.root, 'pacts'));
    const run = { update, isWhole, isStrict, remedy, doubts: ambiguous(modules, parts) };
    const { changes, faults, notes } = reconcileRun({ made, parts }, vitest.config.root, folders, run);
    for (const lines of [notes, changes]) if (lines.length > 0) vitest.logger.log(block(lines));
    if (faults.length > 0) fail(vitest, isStrict && !isWhole ? [PARTIAL, ...faults] : faults);
    else if (parts.length === 0 && !isStrict && contractFilesIn(folders).length > 0)
      vitest.logger.log('Contracts: this run has none of their tests; nothing was compared.');
  }
}

/** Whether a run includes all tests of the configuration, so that an interaction without a test is stale. */
async function isWholeRun(
  vitest: Vitest,
  specifications: readonly TestSpecification[],
  modules: readonly TestModule[],
): Promise<boolean> {
  const { project, cliExclude, tagsFilter, shard, mergeReports } = vitest.config;
  // The folder of the configuration contains all tests, a folder of the command line only some.
  if (cliOptionsOf(vitest).dir !== undefined) return false;
  // vitest 4 reports the specifications of all shards, and runs benchmarks alone.
  if (project.length > 0 || cliExclude?.length || tagsFilter?.length || shard || mergeReports) return false;
  if (vitest.getGlobalTestNamePattern() || vitest.config.mode === 'benchmark') return false;
  if (specifications.some(isNarrow) || modules.some(hasOnly)) return false;
  const ran = new Set(specifications.map(keyOf));
  return (await vitest.globTestSpecifications()).every((specification) => ran.has(keyOf(specification)));
}

/** vitest 4 keeps them elsewhere. */
function cliOptionsOf(vitest: Vitest): { readonly dir?: string } {
  const { config, _cliOptions: ofVersion4 = {} } = vitest as Vitest & { readonly _cliOptions?: { dir?: string } };
  return (config as Partial<typeof config>).cliOptions ?? ofVersion4;
}

function isNarrow({ testLines, testIds, testNames, testNamePattern, testTagsFilter }: TestSpecification): boolean {
  return Boolean(
    testLines?.length || testIds?.length || testNames?.length || testNamePattern || testTagsFilter?.length,
  );
}

/** Whether a file has `test.only`. vitest 5 knows it but does not export it; vitest 4 does not know it. */
function hasOnly(module: TestModule & { readonly task?: { readonly containsOnly?: boolean } }): boolean {
  return module.task?.containsOnly ?? /\.only\b|\bonly: true\b/.test(readFileSync(module.moduleId, 'utf8'));
}

function keyOf({ project, moduleId, pool }: TestSpecification): string {
  return JSON.stringify([project.name, moduleId, pool]);
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
