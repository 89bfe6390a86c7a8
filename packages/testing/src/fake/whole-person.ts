import type { Employment, Person } from '@hr/schemas';
import { compareCodePoints } from './compare-code-points.ts';
import type { Store, StoredPerson } from './store.ts';

/** A person as a full answer has it (section 2.1): the arrays are always there, and only known contracts are employments. */
export function wholePerson({ contracts }: Pick<Store, 'contracts'>, { record, contractIds }: StoredPerson): Person {
  const payrollContractIds = [...contractIds].toSorted(compareCodePoints);
  const { firstName, middleName, groups = [], customFields = [] } = record;
  return {
    ...record,
    ...(middleName && { firstName: firstName ? `${firstName} ${middleName}` : middleName }),
    middleName: '',
    groups,
    customFields,
    employments: payrollContractIds.flatMap((id) => contracts.get(id)?.employment ?? []).toSorted(byStart),
    payrollContractIds,
  };
}

/** Sorting keeps those of the same day in the order of their ids. */
function byStart({ start: one }: Employment, { start: other }: Employment): number {
  if (one === other) return 0;
  if (one === undefined) return 1;
  return other === undefined || one < other ? -1 : 1;
}
