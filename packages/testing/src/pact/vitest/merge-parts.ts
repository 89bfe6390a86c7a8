import { isDeepStrictEqual } from 'node:util';
import type { ContractPart } from '../contract-part.ts';
import { identityOf } from './contract.ts';
import type { Contract } from './contract.ts';

/** A contract put together from what tests made of it. */
export interface MadeContract extends Contract {
  readonly file: string;
  readonly parts: ReadonlyMap<string, ContractPart>;
}

/** Parts of the same name and states that say something else, a sentence each, and the contracts of all parts. */
export function mergeParts(all: readonly ContractPart[]): {
  readonly contracts: readonly MadeContract[];
  readonly conflicts: readonly string[];
} {
  const contracts = new Map<string, { consumer: string; file: string; parts: Map<string, ContractPart> }>();
  const conflicts = new Set<string>();
  // Whichever comes first, a conflict names both in the same order.
  for (const part of all.toSorted((one, other) => (one.test < other.test ? -1 : 1))) {
    const { consumer, file, interaction } = part;
    const contract = contracts.get(file) ?? { consumer, file, parts: new Map<string, ContractPart>() };
    contracts.set(file, contract);
    const identity = identityOf(interaction);
    const other = contract.parts.get(identity);
    if (!other) contract.parts.set(identity, part);
    else if (!isDeepStrictEqual(other.interaction, interaction)) conflicts.add(conflictOf(other, part));
  }
  const merged = [...contracts.values()].map((contract) => ({
    ...contract,
    interactions: new Map([...contract.parts].map(([identity, { interaction }]) => [identity, interaction])),
  }));
  return { contracts: merged, conflicts: [...conflicts] };
}

function conflictOf(one: ContractPart, other: ContractPart): string {
  const { consumer, interaction } = one;
  return `${consumer}: "${interaction.description}" is two different interactions, of ${one.test} and of ${other.test}. Give one of them a description.`;
}
