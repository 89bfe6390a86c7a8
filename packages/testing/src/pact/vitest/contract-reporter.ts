import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'vitest/config';
import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { PROVIDER_NAME } from '../../contract/provider-name.ts';
import type { InteractionRecord, RecordLine } from '../interaction-records.ts';
import { parseContract, readContract, writeContract } from './contract.ts';
import { isWholeRun } from './is-whole-run.ts';
import type { ContractPart } from './reconcile-contract.ts';

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
  #isCi = false;
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

  async onTestRunStart(specifications: readonly TestSpecification[]): Promise<void> {
    // By default, vitest rejects `test.only` only in CI.
    const { configDefaults } = await import('vitest/config');
    this.#isCi = !configDefaults.allowOnly;
    for (const name of readdirSync(this.#records)) rmSync(join(this.#records, name));
    this.#specifications = specifications;
  }

  async onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: string): Promise<void> {
    const vitest = this.#vitest;
    if (!vitest) return;
    if (this.#isCi && vitest.snapshot.options.updateSnapshot === 'all') {
      const variable = ['GITHUB_ACTIONS', 'CI'].find((name) => process.env[name]) ?? 'a variable of CI';
      return fail(vitest, [`Contracts are never written in CI (${variable} is set). ${CI_UPDATE}`]);
    }
    if (reason !== 'passed') return;
    // Errors outside of tests fail the run, unless vitest is to ignore them.
    const hasErrors = errors.length > 0;
    if (hasErrors && !vitest.config.dangerouslyIgnoreUnhandledErrors) return;
    // A vitest.config.ts loads this module, so what it imports delays every run.
    const { conflictsOf, reconcileContract } = await import('./reconcile-contract.ts');
    const { made, parts } = readRecords(this.#records, modules);
    const isWhole = await isWholeRun(vitest, this.#specifications, modules);
    // Locally, another run finds what this run skips.
    const isStrict = isWhole || (this.#isCi && made.length > 0);
    const doubts = [...conflictsOf(parts), ...withoutRun(made, parts, isStrict), ...ambiguous(modules, parts)];
    const partial = isStrict && !isWhole ? [PARTIAL] : [];
    if (doubts.length > 0) return fail(vitest, [...partial, ...doubts]);
    if (parts.length === 0 && !isStrict && filesBeside(vitest, []).length > 0)
      vitest.logger.log('Contracts: this run has none of their tests; nothing was compared.');

    const update = this.#isCi || hasErrors ? 'none' : vitest.snapshot.options.updateSnapshot;
    const contracts = Map.groupBy(parts, ({ file }) => file);
    const changes: string[] = [];
    const faults: string[] = [];
    for (const file of new Set([...contracts.keys(), ...(isStrict ? filesBeside(vitest, contracts.keys()) : [])])) {
      const [text, own = []] = [read(file), contracts.get(file)];
      const consumer = own[0]?.consumer ?? parseContract(text ?? '')?.consumer ?? '';
      const result = reconcileContract(consumer, own, text, { update, isWhole, isStrict });
      const name = relative(vitest.config.root, file);
      if (result.text !== undefined) {
        writeContract(file, result.text);
        changes.push(`${name} ${result.text === '' ? 'removed' : 'written'}`, ...result.changes);
      }
      if (result.faults.length > 0) faults.push(`${name} differs from the tests`, ...result.faults);
      if (result.notes.length > 0)
        vitest.logger.log(block([`${name} is of another version of the kit`, ...result.notes, KIT_REMEDY]));
    }
    if (changes.length > 0) vitest.logger.log(block(changes));
    if (faults.length === 0) return;
    fail(vitest, [...faults, ...partial, this.#isCi ? CI_REMEDY : REMEDY]);
  }
}

/** The declared interactions, and those that a passing test ran, or a file with a passing test. */
function readRecords(
  folder: string,
  modules: readonly TestModule[],
): { made: readonly InteractionRecord[]; parts: readonly ContractPart[] } {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
  const records = lines.map((line) => JSON.parse(line) as RecordLine);
  const dropped = new Set(records.flatMap((record) => ('dropped' in record ? [record.dropped] : [])));
  const made = records.filter((record): record is InteractionRecord => !('dropped' in record));
  const passing = modules.filter(({ children }) => children.allTests('passed').next().value);
  const files = new Set(passing.map(pathOf));
  const isLost = ({ id, isCollected, test }: InteractionRecord) => dropped.has(id) || (isCollected && !files.has(test));
  return { made, parts: made.filter((each): each is ContractPart => 'interaction' in each && !isLost(each)) };
}

/**
 * Interactions without a passing run, one sentence each. If tests were skipped, an interaction declared outside of a
 * test may belong to one of them.
 */
function withoutRun(made: readonly InteractionRecord[], parts: readonly ContractPart[], isStrict: boolean): string[] {
  const ran = new Set(parts.map(keyOf));
  const lost = made.filter((each) => !ran.has(keyOf(each)) && (isStrict || !each.isCollected || each.failure));
  const sentences = Array.from(Map.groupBy(lost, keyOf).values(), (records) => {
    const { consumer, exchange, test, failure } = records.reduce((one, other) => (one.failure ? one : other));
    const fault = failure
      ? `failed, but its test passed: ${failure}`
      : 'has no run in a passing test. Call run and await it.';
    return `${consumer}: "${exchange.description}" of ${test} ${fault}`;
  });
  return sentences.toSorted();
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

/** A retry declares the same interaction again. */
function keyOf({ file, exchange }: InteractionRecord): string {
  return JSON.stringify([file, exchange]);
}

/** The files of contracts in the default folders and in those of some contracts. */
function filesBeside({ projects }: Vitest, contracts: Iterable<string>): string[] {
  const folders = [...projects.map(({ config }) => join(config.root, 'pacts')), ...Array.from(contracts, dirname)];
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((file) => file.endsWith(`-${PROVIDER_NAME}.json`) && parseContract(read(file) ?? ''));
}

function read(file: string): string | undefined {
  return existsSync(file) ? readContract(file) : undefined;
}

function fail({ logger }: Vitest, lines: readonly string[]): void {
  process.exitCode = 1;
  logger.error(block(lines));
}

function block(lines: readonly string[]): string {
  return `\n Contracts\n${lines.map((line) => `   ${line}`).join('\n')}\n`;
}
