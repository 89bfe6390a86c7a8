import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Interaction } from '../contract/pact.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import { identityOf, parseContract, readContract, writeContract } from './contract.ts';
import type { InteractionRecord, RecordLine } from './interaction-records.ts';
import { reconcileContract, type Report, type Run } from './reconcile-contract.ts';

/** An interaction that a passing test ran. */
export interface ContractPart extends InteractionRecord {
  readonly interaction: Interaction;
}

/** The declared interactions, and those that ran in a test that did not fail. */
interface Records {
  readonly made: readonly InteractionRecord[];
  readonly parts: readonly ContractPart[];
}

export function readRecords(folder: string): Records {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
  const records = lines.map((line) => JSON.parse(line) as RecordLine);
  const dropped = new Set(records.flatMap((record) => ('dropped' in record ? [record.dropped] : [])));
  const made = records.filter((record): record is InteractionRecord => !('dropped' in record));
  return { made, parts: made.filter((each): each is ContractPart => 'interaction' in each && !dropped.has(each.id)) };
}

/** Different interactions with the same identity, one sentence each. */
function conflictsOf(parts: readonly ContractPart[]): string[] {
  // Sorted, so that a conflict names its tests in a fixed order.
  const sorted = parts.toSorted((one, other) => (one.test < other.test ? -1 : 1));
  const groups = Map.groupBy(sorted, ({ file, interaction }) => `${file} ${identityOf(interaction)}`);
  return Array.from(groups.values()).flatMap(([first, ...others]) => {
    const other = others.find(({ interaction }) => !isDeepStrictEqual(interaction, first?.interaction));
    if (!first || !other) return [];
    const { consumer, interaction, test } = first;
    const name = `${consumer}: "${interaction.description}"`;
    return [`${name} differs between ${test} and ${other.test}. Give one of them another description.`];
  });
}

/**
 * Interactions without a passing run, one sentence each. If tests were skipped, an interaction declared outside of a
 * test may belong to one of them.
 */
function withoutRun({ made, parts }: Records, isStrict: boolean): string[] {
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

/** A retry declares the same interaction again. */
function keyOf({ file, exchange }: InteractionRecord): string {
  return JSON.stringify([file, exchange]);
}

/** The files of contracts in some folders. Those of other tools have no version. */
export function contractFilesIn(folders: readonly string[]): string[] {
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((file) => {
      const contract = file.endsWith(`-${PROVIDER_NAME}.json`) && parseContract(readContract(file) ?? '');
      return contract instanceof Object && contract.version;
    });
}

const KIT_REMEDY = 'Run the tests on your machine, and commit the file.';

/**
 * Compares the contracts of a run with their files, and writes them, unless it is doubtful what the tests say.
 *
 * @param folders where a strict run also looks for contracts that no test makes
 * @param remedy the last line of faults that are differences
 * @param doubts what else makes the run doubtful
 * @returns lines below the names of the files, which are relative to the root
 */
export function reconcileRun(
  records: Records,
  root: string,
  folders: readonly string[],
  run: Run & { readonly remedy: string; readonly doubts?: readonly string[] },
): Report {
  const report: Report = { changes: [], faults: [], notes: [] };
  const doubts = [...conflictsOf(records.parts), ...withoutRun(records, run.isStrict), ...(run.doubts ?? [])];
  if (doubts.length > 0) return { ...report, faults: doubts };
  const contracts = Map.groupBy(records.parts, ({ file }) => file);
  const made = [...contracts.keys()];
  const others = run.isStrict ? contractFilesIn([...folders, ...made.map((file) => dirname(file))]) : [];
  for (const file of new Set([...made, ...others].toSorted())) {
    const { text, ...own } = reconcileContract(contracts.get(file) ?? [], readContract(file), run);
    if (text !== undefined) writeContract(file, text);
    const headings = {
      changes: text === '' ? 'removed' : 'written',
      faults: 'differs from the tests',
      notes: 'is of another version of the kit',
    };
    for (const kind of ['changes', 'faults', 'notes'] as const) {
      const lines = own[kind].toSorted().map((line) => `  ${line}`);
      const isNamed = lines.length > 0 || (kind === 'changes' && text !== undefined);
      if (isNamed) report[kind].push(`${relative(root, file)} ${headings[kind]}`, ...lines);
    }
  }
  if (report.faults.length > 0) report.faults.push(run.remedy);
  if (report.notes.length > 0) report.notes.push(KIT_REMEDY);
  return report;
}
