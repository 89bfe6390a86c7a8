import type { Store, StoredContract } from './store.ts';

/** The payroll contract of an id, where the API knows it: it has a person and a payroll record. */
export function knownContract({ contracts }: Store, contractId: string): StoredContract | undefined {
  const contract = contracts.get(contractId);
  return contract?.personId !== undefined && contract.employment ? contract : undefined;
}
