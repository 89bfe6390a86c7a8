import { isDeepStrictEqual } from 'node:util';
import type { Interaction } from '../contract/pact.ts';
import { changeOf, haveSameDeclaration } from '../contract/strength.ts';
import { differingPlaces, identityOf, kitVersion, namesOf, parseContract, renderContract } from './contract.ts';
import type { ContractPart } from './reconcile-run.ts';

export interface Run {
  /** What to write: nothing, new interactions, or all differences, as with `-u`. */
  readonly update: 'none' | 'new' | 'all';
  /** Whether all tests ran. Then an interaction without a test is stale. */
  readonly isWhole: boolean;
  /** Whether an interaction without a test is a fault. */
  readonly isStrict: boolean;
}

/** Lines of a report: what is written, what is wrong, and what only another version of the kit writes differently. */
export type Report = Record<'changes' | 'faults' | 'notes', string[]>;

/**
 * Compares the parts of a contract with its file.
 *
 * @param text the file's text; undefined if there is no file
 * @returns a line for each written and unwritten change; and the new text, empty to remove the file and undefined to
 * keep it
 */
export function reconcileContract(
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
  if (contract === 'not JSON') return 'is not JSON';
  if (typeof contract === 'string') return `${edited} it is ${contract}`;
  if (contract.consumer !== consumer) return `${edited} its consumer has another name`;
  if (renderContract(contract) === text) return undefined;
  return contract.version === null
    ? 'is of another tool: keep it in another folder until its tests are moved'
    : `${edited} its layout, order or metadata differs`;
}
