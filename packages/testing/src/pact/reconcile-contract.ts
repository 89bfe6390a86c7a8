import { isDeepStrictEqual } from 'node:util';
import type { Interaction } from '../contract/pact.ts';
import { haveSameDeclaration, strengthOf } from '../contract/strength.ts';
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

const strengths = {
  stronger: 'changed, stronger',
  weaker: 'changed, weaker',
  equal: 'changed, as strong as before',
  different: 'changed',
};

interface Reconciled {
  readonly text: string | undefined;
  readonly changes: readonly string[];
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Compares the parts of a contract with its file.
 *
 * @param text the file's text; undefined if there is no file
 * @returns the new text, empty to remove the file and undefined to keep it; and a line for each written and unwritten
 * change. What only another version of the kit writes differently is no fault
 */
export function reconcileContract(
  consumer: string,
  made: readonly ContractPart[],
  text: string | undefined,
  { update: wanted, isWhole, isStrict }: Run,
): Reconciled {
  const committed = text === undefined ? undefined : parseContract(text);
  const version = committed?.version ?? 'unknown';
  const before = committed?.interactions ?? new Map<string, Interaction>();
  const parts = new Map(made.map((part) => [identityOf(part.interaction), part]));
  const nameOf = namesOf([...parts.keys(), ...before.keys()]);
  const edit = text === undefined ? undefined : editOf(text, consumer);
  // The content of a damaged file is known only after all tests.
  const mayRepair = wanted === 'all' && (isWhole || committed !== undefined);
  const update = edit && !mayRepair ? 'none' : wanted;

  const after = new Map(before);
  const changes: string[] = [];
  const faults: string[] = [];
  const notes: string[] = [];
  const add = (isWritten: boolean, line: string, others: string[] = faults): void =>
    void (isWritten ? changes : others).push(`  ${line}`);
  for (const [identity, { interaction, test }] of parts) {
    const old = before.get(identity);
    if (isDeepStrictEqual(old, interaction)) continue;
    const isOfKit = old !== undefined && version !== kitVersion && haveSameDeclaration(old, interaction);
    const isWritten = update === 'all' || (update === 'new' && (!old || isOfKit));
    const line = `${nameOf(identity)} (${test})`;
    const difference =
      old && `${strengths[strengthOf(old, interaction)]}: ${line}: ${differingPlaces(old, interaction)}`;
    if (isOfKit) add(isWritten, `kit ${version} → ${kitVersion}, ${difference}`, notes);
    else add(isWritten, difference ?? `new: ${line}`);
    if (isWritten) after.set(identity, interaction);
  }
  const contact =
    made.length > 0
      ? made
          .map((part) => part.contact ?? '')
          .toSorted()
          .at(-1) || undefined
      : committed?.contact;
  const isNewContact = contact !== committed?.contact && text !== undefined;
  if (isNewContact) add(update === 'all' || (update === 'new' && !committed?.contact), `contact: ${contact ?? 'none'}`);
  for (const identity of before.keys()) {
    if (parts.has(identity) || !isStrict) continue;
    const isWritten = update === 'all' && isWhole;
    add(isWritten, `${isWhole ? 'stale' : 'not in this run'}: ${nameOf(identity)} (no test makes it)`);
    if (isWritten) after.delete(identity);
  }
  if (edit && update === 'none') faults.push(`  ${edit}`);
  // A file of another tool, or of before, does not say which version wrote it.
  const isKept = changes.length === 0 && !(update === 'all' && (edit || committed?.version === null));
  return {
    text: isKept ? undefined : after.size > 0 ? renderContract({ consumer, contact, interactions: after }) : '',
    changes: changes.toSorted(),
    faults: faults.toSorted(),
    notes: notes.toSorted(),
  };
}

/** How a file differs from the generated one; undefined if only interactions can differ. */
function editOf(text: string, consumer: string): string | undefined {
  if (text.trim() === '') return 'is empty';
  if (!isJson(text)) return 'is not JSON';
  const edited = 'was edited by hand, but it is generated:';
  const contract = parseContract(text);
  if (!contract) return `${edited} it is not a pact with the HR Cloud`;
  if (contract.consumer !== consumer) return `${edited} its consumer has another name`;
  if (renderContract(contract) === text) return undefined;
  return contract.version === null
    ? 'is of another tool: keep it in another folder until its tests are moved'
    : `${edited} its layout, order or metadata differs`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
