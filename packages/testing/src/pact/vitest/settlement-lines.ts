import type { ContractPart } from '../contract-part.ts';
import type { ContractChanges } from './contract-changes.ts';
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
  const faults = [
    ...(isForeign ? ['  is not as these tests write it; nobody else has to write it'] : []),
    ...changeLines(refused, parts),
  ];
  return {
    news: text === undefined ? [] : [`${name} ${text === '' ? 'removed' : 'written'}`, ...changeLines(written, parts)],
    faults: faults.length > 0 ? [`${name} is not what the tests say`, ...faults] : [],
  };
}

function changeLines({ added, changed, stale }: ContractChanges, parts: ReadonlyMap<string, ContractPart>): string[] {
  const madeBy = (identity: string) => `${nameOf(identity)} (${parts.get(identity)?.test})`;
  return [
    ...added.map((identity) => `  new: ${madeBy(identity)}`),
    ...changed.map((identity) => `  changed: ${madeBy(identity)}`),
    ...stale.map((identity) => `  stale: ${nameOf(identity)} (no test makes it)`),
  ].toSorted();
}

function nameOf(identity: string): string {
  return (JSON.parse(identity) as [string])[0];
}
