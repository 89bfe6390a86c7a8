import { isDeepStrictEqual } from 'node:util';
import type { PactInteraction } from '../../contract/pact-interaction.ts';
import type { Contract } from './contract.ts';

type Interactions = Contract['interactions'];

/** What tests made of a contract, compared with its file; by the identity of each interaction. */
export interface ContractChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** In the file, and made by no test. */
  readonly stale: readonly string[];
}

export const noChanges: ContractChanges = { added: [], changed: [], stale: [] };

export function isUnchanged({ added, changed, stale }: ContractChanges): boolean {
  return added.length + changed.length + stale.length === 0;
}

export function changesOf(committed: Interactions, made: Interactions): ContractChanges {
  const known = [...made].filter(([identity]) => committed.has(identity));
  const changed = known.filter(([identity, interaction]) => !isDeepStrictEqual(committed.get(identity), interaction));
  return {
    added: [...made.keys()].filter((identity) => !committed.has(identity)),
    changed: changed.map(([identity]) => identity),
    stale: [...committed.keys()].filter((identity) => !made.has(identity)),
  };
}

/** The interactions of the file with these changes made. */
export function applied(committed: Interactions, made: Interactions, changes: ContractChanges): Interactions {
  const kept = [...committed].filter(([identity]) => !changes.stale.includes(identity));
  const taken = [...changes.added, ...changes.changed].map((identity): [string, PactInteraction] => {
    return [identity, made.get(identity) as PactInteraction];
  });
  return new Map([...kept, ...taken]);
}
