import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import type { Plugin } from 'vitest/config';
import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { PROVIDER_NAME } from '../../contract/provider-name.ts';
import { HrTestingError } from '../../hr-testing-error.ts';
import type { InteractionRecord, RecordLine } from '../interaction-records.ts';
import { parseContract } from './contract.ts';
import { isWholeRun } from './is-whole-run.ts';
import { conflictsOf, reconcileContract } from './reconcile-contract.ts';
import type { ContractPart } from './reconcile-contract.ts';

/**
 * Writes and checks the files of contracts as vitest does snapshots: a whole run has to make what the files say, new
 * interactions are added outside of CI, and `vitest run -u` writes all that differs. Nothing is written if a test fails,
 * if an interaction has no passing run, or in CI.
 *
 * @example
 * export default defineConfig({ plugins: [contractFiles()] });
 */
export function contractFiles(): Plugin {
  return {
    name: 'hr-contract-files',
    configureVitest({ vitest: { config } }) {
      // It is called for each project of a workspace.
      const isOurs = (reporter: unknown): boolean =>
        reporter instanceof ContractReporter || String(reporter).startsWith('@hr/testing/pact/vitest');
      if (!config.reporters.some(isOurs)) config.reporters.push(new ContractReporter());
    },
  };
}

const CI_REMEDY = 'Run `vitest run -u` on your machine and commit the file: contracts are never written in CI.';
const REMEDY = 'Correct the tests, or run `vitest run -u` to write what they say.';
const PARTIAL = 'This run has only some of the tests. In CI, run all tests of a contract in one run.';

/** Merges the parts of contracts at the end of a run; see {@link contractFiles}. */
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

  /** @throws {HrTestingError} `invalid-option` for `-u` in CI */
  async onTestRunStart(specifications: readonly TestSpecification[]): Promise<void> {
    // Only in CI, vitest refuses `test.only` by default.
    const { configDefaults } = await import('vitest/config');
    this.#isCi = !configDefaults.allowOnly;
    if (this.#isCi && this.#vitest?.snapshot.options.updateSnapshot === 'all') {
      throw new HrTestingError('invalid-option', `update: -u is refused because CI is set. ${CI_REMEDY}`);
    }
    for (const name of readdirSync(this.#records)) rmSync(join(this.#records, name));
    this.#specifications = specifications;
  }

  async onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: string): Promise<void> {
    const vitest = this.#vitest;
    if (!vitest || reason !== 'passed') return;
    // Errors outside of tests fail the run, unless vitest is to ignore them.
    const hasErrors = errors.length > 0;
    if (hasErrors && !vitest.config.dangerouslyIgnoreUnhandledErrors) return;
    const { made, parts } = readRecords(this.#records);
    const isWhole = await isWholeRun(vitest, this.#specifications, modules);
    // Locally, another run finds what this one leaves out.
    const isStrict = isWhole || (this.#isCi && made.length > 0);
    const doubts = [...conflictsOf(parts), ...withoutRun(made, parts, isStrict), ...ambiguous(modules, parts)];
    const partial = isStrict && !isWhole ? [PARTIAL] : [];
    if (doubts.length > 0) return fail(vitest, [...doubts, ...partial]);

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
        write(file, result.text);
        changes.push(`${name} ${result.text === '' ? 'removed' : 'written'}`, ...result.changes);
      }
      if (result.faults.length > 0) faults.push(`${name} differs from the tests`, ...result.faults);
    }
    if (changes.length > 0) vitest.logger.log(block(changes));
    if (faults.length === 0) return;
    fail(vitest, [...faults, ...partial, this.#isCi ? CI_REMEDY : REMEDY]);
  }
}

/** The interactions that were made, and those that a passing test ran. */
function readRecords(folder: string): { made: readonly InteractionRecord[]; parts: readonly ContractPart[] } {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
  const records = lines.map((line) => JSON.parse(line) as RecordLine);
  const dropped = new Set(records.flatMap((record) => ('dropped' in record ? [record.dropped] : [])));
  const made = records.filter((record): record is InteractionRecord => !('dropped' in record));
  return { made, parts: made.filter((each): each is ContractPart => 'interaction' in each && !dropped.has(each.id)) };
}

/** Interactions without a passing run, a sentence each. If tests were left out, a collected one may be for one of them. */
function withoutRun(made: readonly InteractionRecord[], parts: readonly ContractPart[], isStrict: boolean): string[] {
  const ran = new Set(parts.map(keyOf));
  const lost = made.filter((each) => !ran.has(keyOf(each)) && (isStrict || !each.isCollected));
  const sentences = Array.from(Map.groupBy(lost, keyOf).values(), (records) => {
    const { consumer, exchange, test, failure } = records.reduce((one, other) => (one.failure ? one : other));
    const fault = failure
      ? `failed, but its test passed: ${failure}`
      : 'has no run in a passing test. Call run and await it.';
    return `${consumer}: "${exchange.description}" of ${test} ${fault}`;
  });
  return sentences.toSorted();
}

/** Concurrent tests of which an attempt failed, a sentence each: it is unknown which runs belong to that attempt. */
function ambiguous(modules: readonly TestModule[], parts: readonly ContractPart[]): string[] {
  const files = new Set(parts.map(({ test }) => test));
  return modules.flatMap(({ children, moduleId, project }) => {
    const path = relative(project.config.root, moduleId);
    const tests = files.has(path) ? [...children.allTests()] : [];
    return tests.flatMap((each) => {
      const { concurrent, fails } = each.options;
      const hasFailed = concurrent && (fails || each.diagnostic()?.retryCount);
      return hasFailed ? [`${path} > ${each.fullName} is concurrent, and an attempt failed. Make it sequential.`] : [];
    });
  });
}

/** A retry makes the same again. */
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
  // Git may check it out with other line ends.
  return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : undefined;
}

/** Writes a file as a whole, or removes it. */
function write(file: string, text: string): void {
  if (text === '') return rmSync(file);
  mkdirSync(dirname(file), { recursive: true });
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}`);
  writeFileSync(draft, text);
  renameSync(draft, file);
}

function fail({ logger }: Vitest, lines: readonly string[]): void {
  process.exitCode = 1;
  logger.error(block(lines));
}

function block(lines: readonly string[]): string {
  return `\n Contracts\n${lines.map((line) => `   ${line}`).join('\n')}\n`;
}
