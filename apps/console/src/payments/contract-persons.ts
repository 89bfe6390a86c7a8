import type { Mirror } from '@hr/client/mirror';
import { personName } from '@hr/text/person-name';
import { onceASync } from '../backend/teams.ts';

/** The person of a payroll contract. */
export interface ContractPerson {
  readonly id: string;
  readonly name: string;
}

/** Returns the persons of the payroll contracts of the local copy, by contract. */
export const contractPersons = onceASync((mirror): ReadonlyMap<string, ContractPerson> => {
  const persons = new Map<string, ContractPerson>();
  for (const person of mirror.persons()) {
    const named = { id: person.id, name: personName(person) };
    for (const { payrollContractId } of person.employments ?? []) persons.set(payrollContractId, named);
  }
  return persons;
});

export type FoundContract = ReturnType<typeof findContracts>[number];

/** Finds contracts by words of the name of their person, or by the beginning of their id. */
export function findContracts(mirror: Mirror, text: string, limit: number) {
  const persons = contractPersons(mirror);
  const byName = new Set(Array.from(mirror.persons({ name: text, limit }), ({ id }) => id));
  const found = [...persons].map(([contractId, person]) => ({ contractId, person }));
  return [
    ...found.filter(({ person }) => byName.has(person.id)),
    ...found.filter(({ contractId, person }) => contractId.startsWith(text) && !byName.has(person.id)),
  ].slice(0, limit);
}
