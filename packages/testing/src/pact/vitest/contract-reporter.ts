import { dirname, join, relative } from 'node:path';
import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { contractFilesIn, readContractFile, removeContractFile, writeContractFile } from './contract-store.ts';
import { parseContract } from './contract.ts';
import { interactionsNotRun } from './interactions-not-run.ts';
import { isWholeRun } from './is-whole-run.ts';
import { mergeParts } from './merge-parts.ts';
import type { MadeContract } from './merge-parts.ts';
import { PartFolder } from './part-folder.ts';
import { settleContract } from './settle-contract.ts';
import { settlementLines } from './settlement-lines.ts';
import type { Told } from './settlement-lines.ts';

/** Puts the parts of contracts together at the end of a run; see `contractFiles`. */
export class ContractReporter implements Reporter {
  #vitest: Vitest | undefined;
  #folder: PartFolder | undefined;
  #specifications: readonly TestSpecification[] = [];

  onInit(vitest: Vitest): void {
    // Tests that run in threads cannot say it to Pact themselves.
    process.env['PACT_DO_NOT_TRACK'] = 'true';
    this.#folder?.[Symbol.dispose]();
    const folder = new PartFolder();
    vitest.onClose(() => folder[Symbol.dispose]());
    for (const project of vitest.projects) {
      project.provide('hr-contracts', { parts: folder.path, root: project.config.root });
    }
    this.#vitest = vitest;
    this.#folder = folder;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#folder?.clear();
    this.#specifications = specifications;
  }

  async onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: string): Promise<void> {
    if (!this.#vitest || !this.#folder || reason !== 'passed' || errors.length > 0) return;
    const vitest = this.#vitest;
    const parts = this.#folder.parts();
    const { contracts, conflicts } = mergeParts(parts);
    const isWhole = await isWholeRun(vitest, this.#specifications, modules);
    // While there is one, nobody knows what a contract says.
    const doubts = [...conflicts, ...(isWhole ? interactionsNotRun(this.#folder.made(), parts, modules) : [])];
    const roots = vitest.projects.map(({ config }) => config.root);
    const settled = doubts.length > 0 ? [] : [...contracts, ...(isWhole ? left(roots, contracts) : [])];
    const told = settled.map((contract) => settle(vitest, contract, isWhole));
    tell(vitest, { news: told.flatMap(({ news }) => news), faults: told.flatMap(({ faults }) => faults) }, doubts);
  }
}

function settle(vitest: Vitest, contract: MadeContract, isWhole: boolean): Told {
  const { file, parts } = contract;
  const settlement = settleContract(contract, readContractFile(file), vitest.snapshot.options.updateSnapshot, isWhole);
  if (settlement.text === '') removeContractFile(file);
  else if (settlement.text !== undefined) writeContractFile(file, settlement.text);
  return settlementLines(relative(vitest.config.root, file), settlement, parts);
}

/** The contracts of consumers who made none: each interaction is stale. */
function left(roots: readonly string[], made: readonly MadeContract[]): MadeContract[] {
  const folders = new Set([...roots.map((root) => join(root, 'pacts')), ...made.map(({ file }) => dirname(file))]);
  const files = [...folders].flatMap(contractFilesIn).filter((file) => made.every((each) => each.file !== file));
  return files.map((file) => {
    const consumer = parseContract(readContractFile(file) ?? '')?.consumer ?? '';
    return { consumer, file, interactions: new Map(), parts: new Map() };
  });
}

function tell({ logger }: Vitest, { news, faults }: Told, doubts: readonly string[]): void {
  if (news.length > 0) logger.log(block('Contracts', news));
  const found = doubts.length > 0 ? doubts : faults;
  if (found.length === 0) return;
  process.exitCode = 1;
  const remedy = doubts.length > 0 ? [] : ['Correct the tests, or run `vitest run -u` to write what they say.'];
  logger.error(block('Contracts', [...found, ...remedy]));
}

function block(title: string, lines: readonly string[]): string {
  return `\n ${title}\n${lines.map((line) => `   ${line}`).join('\n')}\n`;
}
