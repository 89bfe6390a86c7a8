import { isDeepStrictEqual } from 'node:util';
import type { PactInteraction } from '../../contract/pact-interaction.ts';
import type { InteractionRecord } from '../interaction-records.ts';
import { differingPlaces, identityOf, namesOf, parseContract, renderContract } from './contract.ts';

/** An interaction that a passing test ran. */
export interface ContractPart extends InteractionRecord {
  readonly interaction: PactInteraction;
}

/** Different interactions with the same identity, one sentence each. */
export function conflictsOf(parts: readonly ContractPart[]): string[] {
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

interface Run {
  /** What to write: nothing, new interactions, or all differences, as with `-u`. */
  readonly update: 'none' | 'new' | 'all';
  /** Whether all tests ran. Then an interaction without a test is stale. */
  readonly isWhole: boolean;
  /** Whether an interaction without a test is a fault. */
  readonly isStrict: boolean;
}

/**
 * Compares the parts of a contract with its file.
 *
 * @param text the file's text; undefined if there is no file
 * @returns the new text, empty to remove the file and undefined to keep it; and a line for each written and unwritten
 * change
 */
export function reconcileContract(
  consumer: string,
  made: readonly ContractPart[],
  text: string | undefined,
  { update: wanted, isWhole, isStrict }: Run,
): { readonly text: string | undefined; readonly changes: readonly string[]; readonly faults: readonly string[] } {
  const committed = text === undefined ? undefined : parseContract(text);
  const before = committed?.interactions ?? new Map<string, PactInteraction>();
  const parts = new Map(made.map((part) => [identityOf(part.interaction), part]));
  const nameOf = namesOf([...parts.keys(), ...before.keys()]);
  const edit = text === undefined ? undefined : editOf(text, consumer);
  // The content of a damaged file is known only after all tests.
  const mayRepair = wanted === 'all' && (isWhole || committed !== undefined);
  const update = edit && !mayRepair ? 'none' : wanted;

  const after = new Map(before);
  const changes: string[] = [];
  const faults: string[] = [];
  for (const [identity, { interaction, test }] of parts) {
    const old = before.get(identity);
    if (isDeepStrictEqual(old, interaction)) continue;
    const isWritten = update === 'all' || (update === 'new' && !old);
    const line = `${nameOf(identity)} (${test})`;
    (isWritten ? changes : faults).push(
      old ? `  changed: ${line}: ${differingPlaces(old, interaction)}` : `  new: ${line}`,
    );
    if (isWritten) after.set(identity, interaction);
  }
  for (const identity of before.keys()) {
    if (parts.has(identity) || !isStrict) continue;
    const isWritten = update === 'all' && isWhole;
    (isWritten ? changes : faults).push(
      `  ${isWhole ? 'stale' : 'not in this run'}: ${nameOf(identity)} (no test makes it)`,
    );
    if (isWritten) after.delete(identity);
  }
  if (edit && update === 'none') faults.push(`  ${edit}`);
  const isKept = changes.length === 0 && !(edit && update === 'all');
  return {
    text: isKept ? undefined : after.size > 0 ? renderContract({ consumer, interactions: after }) : '',
    changes: changes.toSorted(),
    faults: faults.toSorted(),
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
  return renderContract(contract) === text ? undefined : `${edited} its layout, order or metadata differs`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
