import { applied, changesOf, isUnchanged, noChanges } from './contract-changes.ts';
import type { ContractChanges } from './contract-changes.ts';
import { parseContract, renderContract } from './contract.ts';
import type { Contract } from './contract.ts';

/** How far a run may change files: not at all, as in CI; by what is new; or by all that differs, as `-u` asks. */
export type Update = 'none' | 'new' | 'all';

/** What becomes of a contract's file. */
export interface Settlement {
  /** The new text, empty where no interaction is left; undefined where the file stays. */
  readonly text: string | undefined;
  readonly written: ContractChanges;
  /** What differs and stays. */
  readonly refused: ContractChanges;
  /** Somebody else has written the file, and it stays. */
  readonly isForeign: boolean;
}

/**
 * Compares what tests made of a contract with its file.
 *
 * @param made what tests made
 * @param text the file's text, where there is one
 * @param isWhole whether all tests ran, so that what none of them made is stale
 */
export function settleContract(made: Contract, text: string | undefined, update: Update, isWhole: boolean): Settlement {
  const committed = text === undefined ? undefined : parseContract(text);
  const before = committed?.interactions ?? new Map();
  const isForeign = text !== undefined && (!committed || renderContract(committed) !== text);
  const { added, changed, stale } = changesOf(before, made.interactions);
  const differs = { added, changed, stale: isWhole ? stale : [] };
  if (update === 'all') {
    const isSame = isUnchanged(differs) && !isForeign;
    return { text: isSame ? undefined : textOf(differs), written: differs, refused: noChanges, isForeign: false };
  }
  const written = update === 'new' && !isForeign ? { ...noChanges, added } : noChanges;
  const refused = written.added.length > 0 ? { ...differs, added: [] } : differs;
  return { text: isUnchanged(written) ? undefined : textOf(written), written, refused, isForeign };

  function textOf(changes: ContractChanges): string {
    const interactions = applied(before, made.interactions, changes);
    return interactions.size > 0 ? renderContract({ consumer: made.consumer, interactions }) : '';
  }
}
