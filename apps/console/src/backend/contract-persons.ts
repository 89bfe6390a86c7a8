import { personName } from '@hr/text/person-name';
import type { DataRight, Role } from '../model/grants.ts';
import { onceASync } from './teams.ts';
import type { View } from './view.ts';

/** The person of a payroll contract. */
export interface ContractPerson {
  readonly id: string;
  readonly name: string;
}

/** Returns the persons of the payroll contracts of the local copy, by contract. */
export const contractPersons = onceASync((source): ReadonlyMap<string, ContractPerson> => {
  const persons = new Map<string, ContractPerson>();
  for (const person of source.persons()) {
    const named = { id: person.id, name: personName(person) };
    for (const { payrollContractId } of person.employments ?? []) persons.set(payrollContractId, named);
  }
  return persons;
});

/** What somebody may do and see with a contract. */
export type ContractRights = (contractId: string, ...words: readonly (Role | DataRight)[]) => boolean;

/**
 * Returns whether one grant for the person of a contract allows all of some words. A contract that the local copy does not
 * have needs one for everybody.
 */
export function contractRights(view: View): ContractRights {
  let persons: ReturnType<typeof contractPersons> | undefined;
  return (contractId, ...words) => {
    if (view.mayForAll(...words)) return true;
    const person = (persons ??= contractPersons(view)).get(contractId);
    return person !== undefined && view.may(person.id, ...words);
  };
}

export type FoundContract = ReturnType<typeof findContracts>[number];

/** Finds contracts by words of the name of their person, or by the beginning of their id. */
export function findContracts(view: View, text: string, limit: number, ...words: readonly (Role | DataRight)[]) {
  const may = ({ id }: { readonly id: string }): boolean => view.may(id, ...words);
  const named = [...view.persons({ name: text })].filter(may).slice(0, limit);
  const byName = new Set(named.map(({ id }) => id));
  const found = [...contractPersons(view)].flatMap(([contractId, person]) =>
    may(person) ? [{ contractId, person }] : [],
  );
  return [
    ...found.filter(({ person }) => byName.has(person.id)),
    ...found.filter(({ contractId, person }) => contractId.startsWith(text) && !byName.has(person.id)),
  ].slice(0, limit);
}
