import type { Mirror } from '@hr/client/mirror';
import { personName } from '@hr/text/person-name';

/** The person of a payroll contract. */
export interface ContractPerson {
  readonly id: string;
  readonly name: string;
}

interface Contracts {
  readonly syncedAt: string | undefined;
  readonly persons: ReadonlyMap<string, ContractPerson>;
}

/** One pass over all persons is faster than a search for each contract. It is valid until the next sync. */
const known = new WeakMap<Mirror, Contracts>();

/** Returns the persons of the payroll contracts of the local copy, by contract. */
export function contractPersons(mirror: Mirror): Contracts {
  const { syncedAt } = mirror.status().find(({ collection }) => collection === 'persons') ?? {};
  const before = known.get(mirror);
  if (before !== undefined && before.syncedAt === syncedAt) return before;
  const persons = new Map<string, ContractPerson>();
  for (const person of mirror.persons()) {
    const named = { id: person.id, name: personName(person) };
    for (const { payrollContractId } of person.employments ?? []) persons.set(payrollContractId, named);
  }
  const contracts = { syncedAt, persons };
  known.set(mirror, contracts);
  return contracts;
}

/** A payroll contract that a search found. */
export interface FoundContract {
  readonly contractId: string;
  readonly person: ContractPerson;
}

/** Finds contracts by words of the name of their person, or by the beginning of their id. */
export function findContracts(mirror: Mirror, text: string, limit: number): FoundContract[] {
  const { persons } = contractPersons(mirror);
  const found = new Map<string, ContractPerson>();
  for (const person of mirror.persons({ name: text, limit })) {
    for (const { payrollContractId } of person.employments ?? []) {
      const named = persons.get(payrollContractId);
      if (named) found.set(payrollContractId, named);
    }
  }
  for (const [contractId, person] of persons) {
    if (found.size >= limit) break;
    if (contractId.startsWith(text)) found.set(contractId, person);
  }
  return [...found].slice(0, limit).map(([contractId, person]) => ({ contractId, person }));
}
