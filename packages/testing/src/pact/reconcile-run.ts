import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Interaction } from '../contract/pact.ts';
import { changeOf, haveSameDeclaration } from '../contract/strength.ts';
import { differingPlaces, identityOf, kitVersion, namesOf, parseContract, renderContract } from './contract.ts';
import type { InteractionRecord, RecordLine } from './interaction-records.ts';

/** An interaction that a passing test ran. */
export interface ContractPart extends InteractionRecord {
  readonly interaction: Interaction;
}

/** The declared interactions, and those that ran and were awaited in a test that did not fail. */
interface Records {
  readonly made: readonly InteractionRecord[];
  readonly parts: readonly ContractPart[];
}

export function readRecords(folder: string): Records {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
  const records = lines.map((line) => JSON.parse(line) as RecordLine);
  const dropped = new Set(records.flatMap((record) => ('dropped' in record ? [record.dropped] : [])));
  const awaited = new Set(records.flatMap((record) => ('awaited' in record ? [record.awaited] : [])));
  const made = records.filter((record) => 'id' in record);
  const ran = made.filter((each): each is ContractPart => 'interaction' in each);
  return { made, parts: ran.filter(({ id }) => awaited.has(id) && !dropped.has(id)) };
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
      const contract = file.endsWith('.json') && parseContract(readContract(file) ?? '');
      return contract instanceof Object && contract.version;
    });
}

interface Run {
  /** What to write: nothing, new interactions, or all differences, as with `-u`. */
  readonly update: 'none' | 'new' | 'all';
  /** Whether all tests ran. Then an interaction without a test is stale. */
  readonly isWhole: boolean;
  /** Whether an interaction without a test is a fault. */
  readonly isStrict: boolean;
  /** The last line of differences. */
  readonly remedy: string;
  /** What makes it doubtful what the tests say. */
  readonly doubts?: readonly string[];
}

/** Lines of a report: what is written, what is wrong, and what only another version of the kit writes differently. */
type Report = Record<'changes' | 'faults' | 'notes', string[]>;

const NO_TESTS = 'has no tests. If its consumer has another name now, or it is a copy, delete it';
const KIT_REMEDY = 'Run the tests on your machine, and commit the file.';

/**
 * Compares the contracts of a run with their files, and writes them, unless it is doubtful what the tests say.
 *
 * @param folders where a strict run also looks for contracts that no test makes
 * @returns lines below the names of the files, which are relative to the root
 */
export function reconcileRun(records: Records, root: string, folders: readonly string[], run: Run): Report {
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
      faults: contracts.has(file) || !run.isWhole ? 'differs from the tests' : NO_TESTS,
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

/**
 * Compares the parts of a contract with its file.
 *
 * @param text the file's text; undefined if there is no file
 * @returns a line for each written and unwritten change; and the new text, empty to remove the file and undefined to
 * keep it
 */
function reconcileContract(
  made: readonly ContractPart[],
  text: string | undefined,
  { update: wanted, isWhole, isStrict }: Run,
): Report & { readonly text: string | undefined } {
  const parsed = parseContract(text ?? '');
  const committed = typeof parsed === 'string' ? undefined : parsed;
  const { version = 'unknown', interactions: before = new Map<string, Interaction>() } = committed ?? {};
  const parts = new Map(made.map((part) => [identityOf(part.interaction), part]));
  const nameOf = namesOf([...before.values(), ...made.map(({ interaction }) => interaction)]);
  const consumer = made[0]?.consumer ?? committed?.consumer ?? '';
  const edit = text === undefined ? undefined : editOf(text, parsed, consumer);
  // The content of a damaged file is known only after all tests.
  const mayRepair = wanted === 'all' && (isWhole || committed !== undefined);
  const update = edit && !mayRepair ? 'none' : wanted;

  const after = new Map(before);
  const report: Report = { changes: [], faults: edit && update === 'none' ? [edit] : [], notes: [] };
  for (const [identity, { interaction, test }] of parts) {
    const old = before.get(identity);
    if (isDeepStrictEqual(old, interaction)) continue;
    const isOfKit = old !== undefined && version !== kitVersion && haveSameDeclaration(old, interaction);
    const isWritten = update === 'all' || (update === 'new' && (!old || isOfKit));
    const kit = isOfKit ? `kit ${version ?? 'unknown'} → ${kitVersion}, ` : '';
    const kind = old ? changeOf(old, interaction) : 'new';
    const places = old ? `: ${differingPlaces(old, interaction)}` : '';
    report[isWritten ? 'changes' : isOfKit ? 'notes' : 'faults'].push(
      `${kit}${kind}: ${nameOf(interaction)} (${test})${places}`,
    );
    if (isWritten) after.set(identity, interaction);
  }
  const [latest] = made
    .map((part) => part.contact ?? '')
    .toSorted()
    .slice(-1);
  const contact = latest === undefined ? committed?.contact : latest || undefined;
  if (contact !== committed?.contact && text !== undefined) {
    const isWritten = update === 'all' || (update === 'new' && !committed?.contact);
    report[isWritten ? 'changes' : 'faults'].push(`contact: ${contact ?? 'none'}`);
  }
  for (const [identity, interaction] of isStrict ? before : []) {
    if (parts.has(identity)) continue;
    const isWritten = update === 'all' && isWhole;
    const kind = isWhole ? 'stale' : 'not in this run';
    report[isWritten ? 'changes' : 'faults'].push(`${kind}: ${nameOf(interaction)} (no test makes it)`);
    if (isWritten) after.delete(identity);
  }
  // A file of another tool, or of before, does not say which version wrote it.
  const isKept = report.changes.length === 0 && !(update === 'all' && (edit || version === null));
  const written = after.size > 0 ? renderContract({ consumer, contact, interactions: after }) : '';
  return { ...report, text: isKept ? undefined : written };
}

/** How a file differs from the generated one; undefined if only interactions can differ. */
function editOf(text: string, contract: ReturnType<typeof parseContract>, consumer: string): string | undefined {
  if (text.trim() === '') return 'is empty';
  const edited = 'was edited by hand, but it is generated:';
  if (typeof contract === 'string' && contract.startsWith('not JSON')) return `is ${contract}`;
  if (typeof contract === 'string') return `${edited} it is ${contract}`;
  if (contract.consumer !== consumer) return `${edited} its consumer has another name`;
  if (renderContract(contract) === text) return undefined;
  return contract.version === null
    ? 'is of another tool: keep it in another folder until its tests are moved'
    : `${edited} its layout, order or metadata differs`;
}

/** The text of a contract file, if it exists. Git may check it out with other line endings, and editors add a BOM. */
function readContract(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').replaceAll(/^\uFEFF|\r(?=\n)/g, '') : undefined;
}

/** Writes a contract file atomically, or removes it if the text is empty. */
function writeContract(file: string, text: string): void {
  if (text === '') return rmSync(file);
  mkdirSync(dirname(file), { recursive: true });
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}`);
  writeFileSync(draft, text);
  renameSync(draft, file);
}
