import type { Employment } from '@hr/schemas';
import { changePerson } from './change-person.ts';
import type { Store, StoredContract } from './store.ts';

/** Maps a contract to a person. A contract has one person, so one that had another moves. */
export function mapContract(store: Store, personId: string, contractId: string): void {
  const contract = contractOf(store, contractId);
  if (contract.personId === personId) return;
  const [previous, next] = [store.persons.get(contract.personId ?? ''), store.persons.get(personId)];
  if (previous) changePerson(store, previous, () => previous.contractIds.delete(contractId));
  if (next) changePerson(store, next, () => next.contractIds.add(contractId));
  contract.personId = personId;
}

/** Writes what the payroll system says of a contract. */
export function writeEmployment(store: Store, employment: Employment): void {
  const contract = contractOf(store, employment.payrollContractId);
  const owner = store.persons.get(contract.personId ?? '');
  const write = (): void => {
    contract.employment = employment;
  };
  if (owner) changePerson(store, owner, write);
  else write();
}

/** The contract of an id; one that is not there yet is made, and nothing is known of it. */
export function contractOf({ contracts }: Store, contractId: string): StoredContract {
  const contract = contracts.get(contractId) ?? {
    personId: undefined,
    employment: undefined,
    salaries: new Map(),
    payments: new Map(),
  };
  contracts.set(contractId, contract);
  return contract;
}
