import type { ContractPart } from '../contract-part.ts';
import type { ContractChanges } from './contract-changes.ts';
import { interactionNames } from './interaction-names.ts';
import type { Settlement } from './settle-contract.ts';

/** What a reader is told of a contract's file; nothing where it is as it was. */
export interface Told {
  /** What was written. */
  readonly news: readonly string[];
  /** What makes the run fail. */
  readonly faults: readonly string[];
}

/** @param name the file, as the reader knows it */
export function settlementLines(name: string, settlement: Settlement, parts: ReadonlyMap<string, ContractPart>): Told {
  const { text, written, refused, isForeign } = settlement;
  // Also of those that no test makes any more: a state that changed reads as what it was and what it is.
  const names = interactionNames([...parts.keys(), ...written.stale, ...refused.stale]);
  const faults = [
    ...(isForeign ? ['  is not as these tests write it; nobody else has to write it'] : []),
    ...changeLines(refused, parts, names),
  ];
  const title = `${name} ${text === '' ? 'removed' : 'written'}`;
  return {
    news: text === undefined ? [] : [title, ...changeLines(written, parts, names), ...lossLines(written, parts)],
    faults: faults.length > 0 ? [`${name} is not what the tests say`, ...faults] : [],
  };
}

function changeLines(
  { added, changed, stale }: ContractChanges,
  parts: ReadonlyMap<string, ContractPart>,
  names: ReadonlyMap<string, string>,
): string[] {
  const madeBy = (identity: string) => `${names.get(identity)} (${parts.get(identity)?.test})`;
  return [
    ...added.map((identity) => `  new: ${madeBy(identity)}`),
    ...changed.map((identity) => `  changed: ${madeBy(identity)}`),
    ...stale.map((identity) => `  stale: ${names.get(identity)} (no test makes it)`),
  ].toSorted();
}

/** Once, when it is written: what a reader may think is in it and is not. */
function lossLines({ added, changed }: ContractChanges, parts: ReadonlyMap<string, ContractPart>): string[] {
  const lost = [...added, ...changed].flatMap((identity) => parts.get(identity)?.exchange.notExpressed ?? []);
  const rules = new Set(lost.map(({ of, pointer, rule }) => `"${rule}"${pointer && ` at ${pointer}`} of the ${of}`));
  const [some] = rules;
  return some ? [`  not in it: ${rules.size} rules of the models, such as ${some}; see notExpressed`] : [];
}
